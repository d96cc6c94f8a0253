// SPDX-License-Identifier: Apache-2.0

/// Where a song is, as plug-ins are told (`time:Position`).
public struct LV2Position: Hashable, BitwiseCopyable, Sendable {
  /// Beats a minute, beats being those of the meter.
  public var beatsPerMinute: Float
  /// The beats of a bar.
  public var beatsPerBar: Float
  /// What a beat is of a whole note: 4 for a quarter.
  public var beatUnit: Int32
  /// The bar, from 0.
  public var bar: Int32
  /// The beats since the bar began, from 0.
  public var barBeat: Float
  /// Frames of the song for each that is rendered: 1, or 0 while it stands.
  public var speed: Float

  /// Says where a song is: as it begins, in four quarters at 120, where nothing else is said.
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
