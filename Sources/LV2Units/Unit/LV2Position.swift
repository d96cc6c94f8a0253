// SPDX-License-Identifier: Apache-2.0

/// A position in a song, in the form that plug-ins receive (`time:Position`).
public struct LV2Position: Hashable, BitwiseCopyable, Sendable {
  /// The tempo in beats per minute; the beat is the note value of the meter's denominator.
  public var beatsPerMinute: Float
  /// The number of beats in a bar.
  public var beatsPerBar: Float
  /// The note value of a beat, which is the meter's denominator: 4 for a quarter note.
  public var beatUnit: Int32
  /// The number of the bar, counted from 0.
  public var bar: Int32
  /// The number of beats since the start of the bar; 0 at the first beat.
  public var barBeat: Float
  /// The speed of the transport: 1 while the song plays, 0 while it is stopped.
  public var speed: Float

  /// Creates a position; by default, the start of a song in 4/4 at 120 beats per minute.
  public init(
    beatsPerMinute: Float = 120, beatsPerBar: Float = 4, beatUnit: Int32 = 4, bar: Int32 = 0,
    barBeat: Float = 0, speed: Float = 1
  ) {
    self.beatsPerMinute = beatsPerMinute
    self.beatsPerBar = beatsPerBar
    self.beatUnit = beatUnit
    self.bar = bar
    self.barBeat = barBeat
    self.speed = speed
  }
}
