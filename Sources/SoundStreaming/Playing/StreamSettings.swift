// SPDX-License-Identifier: Apache-2.0

/// How streams are played: how much of them is kept.
public struct StreamSettings: Hashable, Sendable {
  /// How addresses are fetched; what is in `copy` is left out.
  public var http = HTTPSettings()
  /// Seconds of sound that are there before it begins, and before it goes on after it ran dry; 0.5 by
  /// default.
  public var firstSeconds = 0.5
  /// Seconds of sound that are decoded ahead; 4 by default.
  ///
  /// What is fetched ahead beside that is
  /// `HTTPSettings.roomByteCount`.
  public var aheadSeconds = 4.0
  /// The most bytes of a file that has to be fetched whole before it is played; 1 GiB by default.
  public var fetchLimit: Int64 = 1 << 30

  /// The most bytes in a row without sound, such as headers that do not end; 64 MiB.
  var soundlessLimit: Int64 = 64 << 20

  /// The place at which each item starts; its beginning by default.
  public var start = StreamTime.seconds(0)
  /// The place at which each item ends, counted from its beginning; nil for its end.
  public var end: StreamTime?
  /// A file that gets the bytes of the first address as they are received; nil for none.
  ///
  /// All bytes of a file are fetched, also those that are not played. A broadcast is copied until the
  /// player stops.
  public var copy: HTTPSettings.Copy?

  /// Creates the usual settings.
  public init() {}
}
