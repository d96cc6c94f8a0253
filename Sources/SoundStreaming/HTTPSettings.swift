// SPDX-License-Identifier: Apache-2.0

/// Settings for receiving sound: timeouts, limits, and a copy.
public struct HTTPSettings: Hashable, Sendable {
  /// A file for the received bytes.
  public struct Copy: Hashable, Sendable {
    /// The name of the file, which appears only when all of the sound is complete.
    public var path: String
    /// The maximum size of the file in bytes.
    ///
    /// A larger sound, such as a broadcast, is not kept.
    public var byteLimit: Int64
    /// True if an existing file with the name is replaced.
    public var mayReplace: Bool

    /// Creates the settings of a copy.
    ///
    /// - Parameters:
    ///   - path: The name of the file.
    ///   - byteLimit: The maximum size of the file in bytes; 1 GiB by default.
    ///   - mayReplace: True to replace an existing file; false by default.
    public init(path: String, byteLimit: Int64 = 1 << 30, mayReplace: Bool = false) {
      (self.path, self.byteLimit, self.mayReplace) = (path, byteLimit, mayReplace)
    }
  }

  /// The maximum time for connecting; 10 s by default.
  public var connectTimeout = Duration.seconds(10)
  /// The maximum time without data while there is room for it; 15 s by default.
  public var stallTimeout = Duration.seconds(15)
  /// The maximum number of consecutive attempts to reconnect without receiving data; 8 by default,
  /// about 68 s in total.
  ///
  /// 0 disables reconnecting.
  public var attemptLimit = 8
  /// The pause before the first attempt, which doubles before each further one; 0.5 s by default.
  public var firstPause = Duration.milliseconds(500)
  /// The maximum pause before an attempt; 15 s by default.
  public var longestPause = Duration.seconds(15)
  /// The maximum number of redirects; 10 by default.
  public var redirectLimit = 10
  /// The number of unread bytes after which the server must wait; 256 KiB by default, at least 16
  /// KiB.
  ///
  /// The connection itself holds another 16 KiB.
  public var roomByteCount = 256 << 10
  /// True to request titles, which radio stations send within the sound; true by default.
  public var asksForTitles = true
  /// True to use a proxy that the environment states (`http_proxy`); true by default.
  public var usesProxy = true
  /// A PEM file with trusted certificates; nil for those of the system.
  public var certificatePath: String?
  /// The name and version of the program that servers receive; `downbeat` by default.
  public var userAgent = "downbeat"
  /// The file for a copy of the received bytes; nil for none.
  public var copy: Copy?
  /// The byte range to receive; nil for all.
  var part: Range<Int64>?
  /// True if content that is not sound is accepted, such as a list of addresses.
  var takesAnything = false

  /// Creates the default settings.
  public init() {}

  /// The pause before an attempt, numbered from 0.
  func pause(beforeAttempt attempt: Int) -> Duration {
    min(longestPause, firstPause * (1 << min(attempt, 20)))
  }
}
