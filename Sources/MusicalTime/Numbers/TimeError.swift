// SPDX-License-Identifier: Apache-2.0

/// An error of reading or converting a time.
///
/// Each case has a `name` for programs, which does not change between versions, and a message for
/// people (`description`).
public enum TimeError: Error, Hashable, Sendable {
  /// The result does not fit in the available bits.
  ///
  /// The string names the quantity.
  case overflow(String)
  /// The rounding is `exact`, and the result is not a whole number of the unit.
  case inexact(unit: String)
  /// The denominator of a fraction is zero.
  case zeroDenominator
  /// A field of a time, such as the minutes, is out of range.
  case fieldOutOfRange(field: String, value: String, range: String)
  /// The time code does not exist, because drop-frame counting skips it; `next` is the next one
  /// that exists.
  case droppedLabel(label: String, next: String)
  /// A `;` precedes the frames, but the rate is not a drop-frame rate.
  case dropSeparator(label: String, rate: String)
  /// A string is not the name of an SMPTE frame rate.
  case unknownRate(String)
  /// The division field of a MIDI file has a value that the standard does not define.
  case badDivision(UInt16)
  /// A tempo is zero or negative, or slower than 42.9 seconds per quarter note.
  case badTempo(String)
  /// A tempo, in microseconds per quarter note, does not fit in the 24 bits of a MIDI file.
  case outside24BitField(String)
  /// The numerator of a meter is not 1…255, or the denominator is not a power of two.
  case badMeter(numerator: Int, denominator: Int)
  /// A meter change is inside a bar, and the policy forbids it.
  ///
  /// The position is in quarter notes.
  case meterChangeInsideBar(at: Ratio)
  /// A position is after the end of a bar that is short because of a meter change.
  case pastEndOfBar(String)
  /// The beat of a position is less than one.
  case beatBelowOne(String)
  /// A string has two meanings; the candidates are an unambiguous spelling of each.
  case ambiguous(text: String, candidates: [String])
  /// A number does not have a unit; the candidates are spellings with a unit.
  case missingUnit(text: String, candidates: [String])
  /// A string or bytes are not a time; `offset` is that of the first unexpected byte.
  case malformed(text: String, offset: Int, reason: String)
  /// The conversion needs a value that was not given, such as a tempo or a rate; the string names
  /// it.
  case missingContext(String)
  /// The song does not have a marker with this name; `among` has the names of the song's markers,
  /// in order.
  case noMarker(String, among: [String])
}

extension TimeError {
  /// A name of the error for programs, in kebab case, which does not change between versions.
  public var name: String {
    switch self {
    case .overflow: "overflow"
    case .inexact: "inexact"
    case .zeroDenominator: "zero-denominator"
    case .fieldOutOfRange: "field-out-of-range"
    case .droppedLabel: "dropped-label"
    case .dropSeparator: "drop-separator-at-non-drop-rate"
    case .unknownRate: "unknown-rate"
    case .badDivision: "bad-division"
    case .badTempo: "bad-tempo"
    case .outside24BitField: "outside-24-bit-field"
    case .badMeter: "bad-meter"
    case .meterChangeInsideBar: "meter-change-inside-bar"
    case .pastEndOfBar: "past-end-of-bar"
    case .beatBelowOne: "beat-below-one"
    case .ambiguous: "ambiguous"
    case .missingUnit: "missing-unit"
    case .malformed: "malformed"
    case .missingContext: "missing-context"
    case .noMarker: "no-marker"
    }
  }
}

extension TimeError: CustomStringConvertible {
  /// The error message, in lower case, without a full stop.
  public var description: String {
    switch self {
    case .overflow(let what):
      "\(what): the value does not fit in 64 bits"
    case .inexact(let unit):
      "the result is not a whole number of \(unit) (choose a rounding: floor, ceil or nearest)"
    case .zeroDenominator:
      "the denominator is 0"
    case .fieldOutOfRange(let field, let value, let range):
      "\(field) \(value) is out of range (allowed: \(range))"
    case .droppedLabel(let label, let next):
      "\(label) does not exist: drop-frame counting skips it (the next label is \(next))"
    case .dropSeparator(let label, let rate):
      "\(label): ';' is for drop-frame rates, and \(rate) is not one (write ':' before the frames)"
    case .unknownRate(let text):
      "\(text) is not a frame rate (choose one of \(FrameRate.listOfNames))"
    case .badDivision(let bits):
      "division 0x\(hexadecimal(bits)) is undefined (allowed: 1…32767 ticks per quarter note, or "
        + "24, 25, 29 or 30 frames per second with 1…255 ticks per frame)"
    case .badTempo(let text):
      "tempo \(text) is out of range (allowed: quarter notes of 10 ns…42.9 s)"
    case .outside24BitField(let text):
      "tempo \(text) does not fit a Set Tempo event (allowed: 1…16777215 µs per quarter note)"
    case .badMeter(let numerator, let denominator):
      "meter \(numerator)/\(denominator) is undefined (allowed: numerators 1…255, denominators "
        + "that are powers of two up to 32768)"
    case .meterChangeInsideBar(let position):
      "the meter change at quarter note \(position) is inside a bar (truncate the bar, or defer the change)"
    case .pastEndOfBar(let label):
      "\(label) does not exist: a meter change ends the bar earlier"
    case .beatBelowOne(let label):
      "\(label): beats are numbered from 1"
    case .ambiguous(let text, let candidates):
      "\(text) is ambiguous (write \(alternatives(candidates)))"
    case .missingUnit(let text, let candidates):
      "\(text) lacks a unit (write \(alternatives(candidates)))"
    case .malformed(let text, _, _):
      text.isEmpty ? reason : "\(text): \(reason)"
    case .missingContext(let what):
      "the conversion needs \(what)"
    case .noMarker(let name, let names):
      "unknown marker \(name) (available: \(list(names)))"
    }
  }
}

extension TimeError {
  /// The message without the text that was read, for an error that already contains it.
  package var reason: String {
    guard case .malformed(_, let offset, let reason) = self else { return description }
    return offset == 0 ? reason : "byte \(offset): \(reason)"
  }
}

/// Names as a list, "a, b and c"; of more than twelve only the first twelve.
private func list(_ names: [String]) -> String {
  let most = 12
  guard names.count <= most else {
    let first = names.prefix(most).map { "@\($0)" }.joined(separator: ", ")
    return "\(first) and \(names.count - most) others"
  }
  guard let last = names.last else { return "none" }
  let others = names.dropLast().map { "@\($0)" }.joined(separator: ", ")
  return others.isEmpty ? "@\(last)" : "\(others) and @\(last)"
}

/// Candidates as a list: "a, b or c".
private func alternatives(_ candidates: [String]) -> String {
  guard let last = candidates.last else { return "a unit" }
  let others = candidates.dropLast().joined(separator: ", ")
  return others.isEmpty ? last : "\(others) or \(last)"
}

/// Four hexadecimal digits.
private func hexadecimal(_ bits: UInt16) -> String {
  let digits = String(bits, radix: 16, uppercase: true)
  return String(repeating: "0", count: 4 - digits.count) + digits
}

extension TimeError {
  /// The error for `now` if no clock is running.
  package static let noClockForNow = TimeError.missingContext("a running clock for 'now'")
}
