// SPDX-License-Identifier: Apache-2.0

/// The result of reading a file with libsmf, compared with Downbeat's.
public struct SecondOpinion: Hashable, Sendable {
  /// The overall result.
  public let outcome: Outcome
  /// The number of events that both read equally.
  public let equalEvents: Int
  /// The number of tempi that both read equally.
  public let equalTempi: Int
  /// The length that libsmf computes, in seconds; nil if it does not read the file.
  public let length: Double?
  /// The differences in the order of the file: at most 20, and at most one for the events of each
  /// track.
  public let differences: [Difference]

  /// The overall results.
  public enum Outcome: Hashable, Sendable {
    /// Events, tempi and length are equal.
    case agrees
    /// There are differences.
    case differs
    /// libsmf refuses the file; its message.
    case refuses(String)
    /// libsmf aborts with a signal; its last message.
    case crashes(signal: Int32, String)
    /// libsmf exceeds the time limit.
    case tooSlow
  }

  /// One difference.
  public struct Difference: Hashable, Sendable, CustomStringConvertible {
    /// The kind of difference.
    public let kind: Kind
    /// The index of the track; nil for tempi, the length and differences of the whole file.
    public let track: Int?
    /// The tick, if the difference has one.
    public let tick: Int64?
    /// A sentence with both results.
    public let message: String

    /// The kinds of differences.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
      case header
      case event
      case tempo
      case length
    }

    /// The position and the message.
    ///
    /// Tracks are numbered from 1.
    public var description: String {
      let places = [track.map { "track \($0 + 1)" }, tick.map { "tick \($0)" }].compactMap { $0 }
      return places.isEmpty ? message : "\(places.joined(separator: ", ")): \(message)"
    }
  }
}
