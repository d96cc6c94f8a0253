// SPDX-License-Identifier: Apache-2.0

/// What can go wrong with a time: named for what the caller can do about it.
///
/// Every case has a stable `name` for machines and a sentence, `description`, for people: lower
/// case, object first, then the cause, then the remedy.
public enum TimeError: Error, Hashable, Sendable {
  /// The result does not fit the integers that hold it; the payload says which quantity.
  case overflow(String)
  /// Rounding `exact` was asked for and the answer lies between two values of the named unit.
  case inexact(unit: String)
  /// A ratio has a denominator of zero.
  case zeroDenominator
  /// A field of a time lies outside its range.
  case fieldOutOfRange(field: String, value: String, range: String)
  /// A label that drop-frame counting skips, with the first label after the gap.
  case droppedLabel(label: String, next: String)
  /// A `;` before the frames where the rate does not drop labels.
  case dropSeparator(label: String, rate: String)
  /// Text that names no SMPTE rate.
  case unknownRate(String)
  /// A Standard MIDI File division that the format does not define.
  case badDivision(UInt16)
  /// A tempo of zero, below zero, or past 42.9 seconds a quarter note.
  case badTempo(String)
  /// A tempo that 24 bits of microseconds per quarter note cannot hold.
  case outside24BitField(String)
  /// A meter whose numerator is not 1…255, or whose denominator is not a power of two.
  case badMeter(numerator: Int, denominator: Int)
  /// A meter change inside a bar, where the policy forbids it; the position is in quarter notes.
  case meterChangeInsideBar(at: Ratio)
  /// A position after the end of a bar that a meter change cut short.
  case pastEndOfBar(String)
  /// A bar position with a beat below one; beats count from 1.
  case beatBelowOne(String)
  /// Text that two readings fit, with a spelling for each of them.
  case ambiguous(text: String, candidates: [String])
  /// A number without a unit, with the spellings that would name one.
  case missingUnit(text: String, candidates: [String])
  /// Text or bytes that are no time, with the offset of the first byte that does not fit.
  case malformed(text: String, offset: Int, reason: String)
  /// A conversion that needs something the request does not give, such as a tempo or a rate.
  case missingContext(String)
  /// A marker that the piece does not have, with the names of those it has, in their order.
  case noMarker(String, among: [String])
}

extension TimeError {
  /// The error's stable name for machines, in kebab case.
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
  /// The sentence for people: lower case, no final stop.
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
  /// The sentence without the text that was read, for an error that names it already.
  package var reason: String {
    guard case .malformed(_, let offset, let reason) = self else { return description }
    return offset == 0 ? reason : "byte \(offset): \(reason)"
  }
}

/// Names as a sentence's list: "a, b and c"; of many, the first.
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

/// Candidates as a sentence's list: "a, b or c".
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
  /// The error for `now` without a running clock.
  package static let noClockForNow = TimeError.missingContext("a running clock for 'now'")
}
