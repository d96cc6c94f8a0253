// SPDX-License-Identifier: Apache-2.0

/// Settings for playing streams.
public struct StreamSettings: Hashable, Sendable {
  /// The settings of all transfers; `copy` in it is ignored.
  public var http = HTTPSettings()
  /// The reserve of sound in seconds before an item starts; 0.5 by default.
  ///
  /// It is clamped to 0…60 s. The reserve after a gap is longer.
  public var firstSeconds = 0.5
  /// The time that is decoded in advance, in seconds; 4 by default.
  ///
  /// In addition, `HTTPSettings.roomByteCount` bytes are received in advance.
  public var aheadSeconds = 4.0
  /// The maximum size in bytes of a file that must be downloaded before it is played; 1 GiB by
  /// default.
  public var fetchLimit: Int64 = 1 << 30

  /// The maximum number of consecutive bytes without sound, such as endless headers; 64 MiB.
  var soundlessLimit: Int64 = 64 << 20

  /// The position at which each item starts; its beginning by default.
  public var start = StreamTime.seconds(0)
  /// The position at which each item ends, from its beginning; nil for its end.
  public var end: StreamTime?
  /// A file for the bytes of the first address; nil for none.
  ///
  /// All bytes of a file are received, also those that are not played. A broadcast is copied until
  /// the player stops.
  public var copy: HTTPSettings.Copy?

  /// Creates the default settings.
  public init() {}
}
