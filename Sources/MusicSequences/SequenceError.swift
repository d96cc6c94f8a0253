// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// An error in reading, editing or writing a sequence.
public enum SequenceError: Error, Hashable, Sendable {
  /// The bytes are not a supported file; the string names the actual kind of file and a remedy.
  case notMIDI(String)
  /// The header is too damaged to be repaired: the byte offset and the reason.
  case damagedHeader(offset: Int, reason: String)
  /// Strict reading found a defect that lenient reading repairs.
  case malformed(Repair)
  /// The file is larger than 2³¹ bytes; its size is given.
  case tooLarge(Int)
  /// An edit would move events before tick 0.
  case beforeOrigin(Tick)
  /// A value of an event or edit is out of range; the string describes it.
  case outOfRange(String)
  /// The sequence contains data that the file format cannot store; the string describes it.
  case notRepresentable(String)
  /// A row of a table cannot be read: the number of the line, from 1, and the reason.
  case badRow(line: Int, reason: String)
}

extension SequenceError: CustomStringConvertible {
  /// The error message, without the name of the file.
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
