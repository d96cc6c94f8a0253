// SPDX-License-Identifier: Apache-2.0

/// What libsmf reads in a file, beside what we read.
public struct SecondOpinion: Hashable, Sendable {
  /// Whether libsmf reads the file, and reads the same.
  public let outcome: Outcome
  /// The number of events that both read alike.
  public let equalEvents: Int
  /// The number of tempi that both read alike.
  public let equalTempi: Int
  /// The length libsmf gives, in seconds; nil where it does not read the file.
  public let length: Double?
  /// Where the two differ, in the order of the file: at most 20, and one for each track's events.
  public let differences: [Difference]

  /// How a reading by libsmf ends.
  public enum Outcome: Hashable, Sendable {
    /// Events, tempi and length are the same.
    case agrees
    /// libsmf reads something else.
    case differs
    /// libsmf refuses the file; its words.
    case refuses(String)
    /// libsmf ends the process by a signal; its last words.
    case crashes(signal: Int32, String)
    /// libsmf was not done after the time allowed.
    case tooSlow
  }

  /// One thing that libsmf reads otherwise.
  public struct Difference: Hashable, Sendable, CustomStringConvertible {
    /// What differs.
    public let kind: Kind
    /// The index of the track; nil for tempi, length and what concerns all tracks.
    public let track: Int?
    /// The tick, where there is one.
    public let tick: Int64?
    /// What each of the two reads.
    public let message: String

    /// The things that are compared.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
      case header
      case event
      case tempo
      case length
    }

    /// The place and the message; tracks count from 1 as people do.
    public var description: String {
      let places = [track.map { "track \($0 + 1)" }, tick.map { "tick \($0)" }].compactMap { $0 }
      return places.isEmpty ? message : "\(places.joined(separator: ", ")): \(message)"
    }
  }
}
