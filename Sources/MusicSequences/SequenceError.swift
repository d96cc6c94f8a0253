// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// Why a sequence could not be read, edited or written.
public enum SequenceError: Error, Hashable, Sendable {
  /// The bytes are no file this module reads; what they are instead, and what to do.
  case notMIDI(String)
  /// The header is damaged beyond a guess; the offset of the byte, and why.
  case damagedHeader(offset: Int, reason: String)
  /// `strict` reading met what a lenient one would have put right.
  case malformed(Repair)
  /// The file is larger than this module holds: 2³¹ bytes.
  case tooLarge(Int)
  /// An edit would put events before the sequence's origin.
  case beforeOrigin(Tick)
  /// An edit or an event has a value that its field cannot hold.
  case outOfRange(String)
  /// A sequence holds something that the file format cannot.
  case notRepresentable(String)
  /// A row of a list of events cannot be read; its line, from 1, and why.
  case badRow(line: Int, reason: String)
}

extension SequenceError: CustomStringConvertible {
  /// The sentence to show, after the name of the file.
  public var description: String {
    switch self {
    case .notMIDI(let reason): "not a MIDI file: \(reason)"
    case .damagedHeader(let offset, let reason): "byte \(offset): \(reason)"
    case .malformed(let repair): "\(repair) (reading without strict repairs this)"
    case .tooLarge(let count): "file of \(count) bytes is too large (at most 2147483648)"
    case .beforeOrigin(let tick):
      "the edit would move an event to tick \(tick.value), before tick 0"
    case .outOfRange(let reason): reason
    case .notRepresentable(let reason): reason
    case .badRow(let line, let reason): "line \(line): \(reason)"
    }
  }
}
