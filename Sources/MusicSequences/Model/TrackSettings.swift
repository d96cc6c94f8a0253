// SPDX-License-Identifier: Apache-2.0

/// The playback settings of a track: loop, offset, mute, solo, destination and unit state.
///
/// Standard MIDI Files do not define these settings. The writer stores them in sequencer-specific
/// meta events.
public struct TrackSettings: Hashable, Sendable {
  /// The part at the end of the track that is repeated; nil (the default) if nothing is repeated.
  public var loop: Loop?
  /// The number of ticks by which the whole track is shifted, negative for earlier; 0 by default.
  public var offset: Int64 = 0
  /// The offset, limited so that adding it to a tick cannot overflow.
  var boundedOffset: Int64 {
    let most = Int64(EventRecord.maximumTick)
    return min(max(offset, -most), most)
  }
  /// True if the notes of the track are not played; false by default.
  public var isMuted = false
  /// True if the track is soloed; false by default.
  ///
  /// If at least one unmuted track is soloed, only soloed tracks are audible.
  public var isSoloed = false
  /// The name of the port or unit that plays the track; nil, the default, for the default
  /// destination.
  public var destination: String?
  /// The state that is loaded into the destination's unit before playback.
  ///
  /// The unit defines the bytes; Core Audio calls them a preset. If empty (the default), a state is
  /// not loaded. A file can store at most 2²⁸ − 6 bytes.
  public var unitState: [UInt8] = []
  /// True if the events of the track are points of a curve, connected by ramps; false by default.
  ///
  /// Such a track contains only parameter events.
  public var isAutomation = false

  /// Creates the default settings.
  public init() {}

  /// The part at the end of a track that is played more than once.
  public struct Loop: Hashable, Sendable {
    /// The ticks from the start of the loop to the end of the track, above 0.
    public var length: Int64
    /// The number of times that the part is played in total; 0 for endless.
    public var count: Int

    /// Creates a loop; endless by default.
    public init(length: Int64, count: Int = 0) {
      self.length = length
      self.count = count
    }
  }
}

/// Settings outside the track, because few tracks have any and a file can contain many tracks.
final class TrackSettingsBox: Sendable {
  let settings: TrackSettings

  init(_ settings: TrackSettings) {
    self.settings = settings
  }
}
