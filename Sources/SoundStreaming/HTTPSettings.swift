// SPDX-License-Identifier: Apache-2.0

/// How sound is fetched: for how long something is waited for, and how much is kept.
public struct HTTPSettings: Hashable, Sendable {
  /// A file that takes what is received.
  public struct Copy: Hashable, Sendable {
    /// Its name, which appears when all of the sound is there, or not at all.
    public var path: String
    /// The most bytes that it may have; more, such as of a broadcast, are not kept.
    public var byteLimit: Int64
    /// Whether a file of that name is replaced.
    public var mayReplace: Bool

    /// Creates the wish for a file.
    ///
    /// - Parameters:
    ///   - path: its name.
    ///   - byteLimit: the most bytes that it may have; 1 GiB by default.
    ///   - mayReplace: whether a file of that name is replaced; false by default.
    public init(path: String, byteLimit: Int64 = 1 << 30, mayReplace: Bool = false) {
      (self.path, self.byteLimit, self.mayReplace) = (path, byteLimit, mayReplace)
    }
  }

  /// How long it may take until a connection is there; 10 s by default.
  public var connectTimeout = Duration.seconds(10)
  /// How long nothing may come while there is room for it; 15 s by default.
  public var stallTimeout = Duration.seconds(15)
  /// How often in a row a connection that was lost is made anew without a byte coming; 8 by default,
  /// over 68 s or so; 0 for never.
  public var attemptLimit = 8
  /// How long it is waited before the first attempt, twice as long before each further one; 0.5 s by
  /// default.
  public var firstPause = Duration.milliseconds(500)
  /// The longest wait before an attempt; 15 s by default.
  public var longestPause = Duration.seconds(15)
  /// How often a server may send to another address; 10 by default.
  public var redirectLimit = 10
  /// How many bytes may wait to be taken before the server is made to wait, and 16 KiB more, a
  /// connection's own; 256 KiB by default, at least 16 KiB.
  public var roomByteCount = 256 << 10
  /// Whether titles are asked for, which radio stations send among the sound; true by default.
  public var asksForTitles = true
  /// Whether a proxy is used where the environment names one (`http_proxy`); true by default.
  public var usesProxy = true
  /// The certificates that are believed, a file in PEM; nil for the system's.
  public var certificatePath: String?
  /// The name and version of the program, which are all that servers learn of it; `downbeat` by default.
  public var userAgent = "downbeat"
  /// A file that takes what is received; nil for none.
  public var copy: Copy?
  /// The bytes that are fetched; nil for all.
  var part: Range<Int64>?
  /// Whether what is no sound is taken as well, such as a list of addresses.
  var takesAnything = false

  /// Creates the usual settings.
  public init() {}

  /// How long it is waited before an attempt, counted from 0.
  func pause(beforeAttempt attempt: Int) -> Duration {
    min(longestPause, firstPause * (1 << min(attempt, 20)))
  }
}
