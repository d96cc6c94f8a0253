// SPDX-License-Identifier: Apache-2.0

/// Settings for playing streams.
public struct StreamSettings: Hashable, Sendable {
  /// The settings of all transfers, whose `copy` is ignored; use `StreamSettings.copy`.
  public var http = HTTPSettings()
  /// The duration of sound that must be available before an item starts, in seconds; 0.5 by
  /// default.
  ///
  /// Values are clamped to 0…60 s. After a gap, more sound must be available.
  public var firstSeconds = 0.5
  /// The duration of sound that is decoded in advance, in seconds; 4 by default.
  ///
  /// In addition, `HTTPSettings.roomByteCount` bytes are received in advance.
  public var aheadSeconds = 4.0
  /// The maximum size in bytes of a file that must be downloaded before it is played; 1 GiB by
  /// default.
  public var fetchLimit: Int64 = 1 << 30

  /// The maximum number of consecutive bytes without sound, such as endless headers; 64 MiB.
  var soundlessLimit: Int64 = 64 << 20

  /// The position at which the playback of each item starts; by default the beginning of the item.
  public var start = StreamTime.seconds(0)
  /// The position at which the playback of each item ends, counted from the item's beginning; nil
  /// to play it to its end.
  public var end: StreamTime?
  /// A file in which the received bytes of the first address are stored; nil to store none.
  ///
  /// All bytes of a file are received, even those that are not played. A broadcast is copied until
  /// the player stops.
  public var copy: HTTPSettings.Copy?

  /// Creates the default settings.
  public init() {}
}
