// SPDX-License-Identifier: Apache-2.0

/// Settings for receiving sound: timeouts, limits, and a copy.
public struct HTTPSettings: Hashable, Sendable {
  /// A file in which a copy of the received bytes is stored.
  public struct Copy: Hashable, Sendable {
    /// The name of the file, which appears only when the complete sound has been received.
    public var path: String
    /// The maximum size of the file in bytes.
    ///
    /// If the sound is larger, as a broadcast may be, the copy is removed.
    public var byteLimit: Int64
    /// True if an existing file with the same name is replaced.
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
  /// The maximum time without data before a connection is treated as lost; 15 s by default.
  ///
  /// Times in which the server must wait are not included.
  public var stallTimeout = Duration.seconds(15)
  /// The maximum number of consecutive attempts to reconnect without receiving data; 8 by default,
  /// which take about 68 s.
  ///
  /// If the number is 0, a lost connection is an error.
  public var attemptLimit = 8
  /// The pause before the first attempt to reconnect; 0.5 s by default.
  ///
  /// Before each further attempt, the pause is twice as long.
  public var firstPause = Duration.milliseconds(500)
  /// The maximum pause before an attempt to reconnect; 15 s by default.
  public var longestPause = Duration.seconds(15)
  /// The maximum number of redirects; 10 by default.
  public var redirectLimit = 10
  /// The maximum number of received bytes that were not read yet; 256 KiB by default, at least 16
  /// KiB.
  ///
  /// When the number is reached, the server must wait. The connection itself can hold a further 16
  /// KiB.
  public var roomByteCount = 256 << 10
  /// True to request titles, which radio stations send within the sound; true by default.
  public var asksForTitles = true
  /// True to use the proxy in the environment variable `http_proxy`; true by default.
  public var usesProxy = true
  /// A PEM file with trusted certificates; nil for the certificates of the system.
  public var certificatePath: String?
  /// The name of the program, with its version if you like, that is sent to servers; `downbeat` by
  /// default.
  public var userAgent = "downbeat"
  /// The file for a copy of the received bytes; nil to store none.
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
