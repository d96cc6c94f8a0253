// SPDX-License-Identifier: Apache-2.0

/// How a track is to be played, besides its events: loop, offset, mute, solo, destination, and the
/// state of the unit that plays it.
///
/// Standard MIDI Files know none of it; the writer keeps it in sequencer-specific metas.
public struct TrackSettings: Hashable, Sendable {
  /// The tail of the track that repeats, or nil where nothing does.
  public var loop: Loop?
  /// Ticks by which the whole track is shifted; below zero it begins early; 0 by default.
  public var offset: Int64 = 0
  /// The offset, limited to the range of ticks, so that its sum with a tick cannot overflow.
  var boundedOffset: Int64 {
    let most = Int64(EventRecord.maximumTick)
    return min(max(offset, -most), most)
  }
  /// Whether the track is silent; false by default.
  public var isMuted = false
  /// Whether the track is soloed: as soon as one unmuted track is, only those that are sound; false
  /// by default.
  public var isSoloed = false
  /// The name of the port or unit that plays the track; nil for the default.
  public var destination: String?
  /// What the unit that the destination names is set up with before it plays.
  ///
  /// The bytes are that unit's own: Core Audio calls them a preset. Empty, the default, for nothing; a file holds 2²⁸ − 6 bytes of it at most.
  public var unitState: [UInt8] = []
  /// Whether the track holds only parameter events, read as points of a curve; false by default.
  public var isAutomation = false

  /// Creates settings that change nothing.
  public init() {}

  /// The last part of a track, played more than once.
  public struct Loop: Hashable, Sendable {
    /// Ticks from the loop's start to the end of the track; above zero.
    public var length: Int64
    /// How often the part is played in all; 0 for ever.
    public var count: Int

    /// Creates a loop.
    public init(length: Int64, count: Int = 0) {
      self.length = length
      self.count = count
    }
  }
}

/// Settings beside the track: few tracks have any, and a file may hold a great many tracks.
final class TrackSettingsBox: Sendable {
  let settings: TrackSettings

  init(_ settings: TrackSettings) {
    self.settings = settings
  }
}
