// SPDX-License-Identifier: Apache-2.0

/// A position in a song, as given to plug-ins (`time:Position`).
public struct LV2Position: Hashable, BitwiseCopyable, Sendable {
  /// Beats per minute, in the meter's beat.
  public var beatsPerMinute: Float
  /// Beats per bar.
  public var beatsPerBar: Float
  /// The meter's denominator: 4 for a quarter note.
  public var beatUnit: Int32
  /// The bar, from 0.
  public var bar: Int32
  /// Beats since the start of the bar, from 0.
  public var barBeat: Float
  /// Speed of the transport: 1 while the song plays, 0 while it is stopped.
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
