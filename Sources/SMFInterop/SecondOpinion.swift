// SPDX-License-Identifier: Apache-2.0

/// The result of reading a file with libsmf, compared with the result of Downbeat.
public struct SecondOpinion: Hashable, Sendable {
  /// The overall result of the comparison.
  public let outcome: Outcome
  /// The number of events that libsmf and Downbeat read identically.
  public let equalEvents: Int
  /// The number of tempi that libsmf and Downbeat read identically.
  public let equalTempi: Int
  /// The length of the song that libsmf calculates, in seconds; nil if libsmf does not read the
  /// file.
  public let length: Double?
  /// The differences between both results, in the order of the file.
  ///
  /// There are at most 20, and at most one for the events of each track.
  public let differences: [Difference]

  /// The overall result of a comparison.
  public enum Outcome: Hashable, Sendable {
    /// libsmf and Downbeat read the same events, tempi and length.
    case agrees
    /// The events, tempi or length that libsmf reads differ from Downbeat's.
    case differs
    /// libsmf refuses the file; the string is its message.
    case refuses(String)
    /// libsmf aborts with a signal; the string is its last message.
    case crashes(signal: Int32, String)
    /// libsmf does not finish within the time limit.
    case tooSlow
  }

  /// One difference between the results of libsmf and Downbeat.
  public struct Difference: Hashable, Sendable, CustomStringConvertible {
    /// The kind of data that differs.
    public let kind: Kind
    /// The index of the track; nil for a difference in tempi, the length or the whole file.
    public let track: Int?
    /// The tick of the difference; nil if it is not at one tick.
    public let tick: Int64?
    /// A sentence that states both results.
    public let message: String

    /// The kinds of differences.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
      case header
      case event
      case tempo
      case length
    }

    /// The position and the message; tracks are numbered from 1.
    public var description: String {
      let places = [track.map { "track \($0 + 1)" }, tick.map { "tick \($0)" }].compactMap { $0 }
      return places.isEmpty ? message : "\(places.joined(separator: ", ")): \(message)"
    }
  }
}
