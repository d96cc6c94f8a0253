// SPDX-License-Identifier: Apache-2.0

/// Converts the bytes that a terminal sends to keys.
///
/// Bytes may arrive in pieces of any size. Unknown sequences are ignored as a whole, so that no
/// part of them is read as a letter. Pasted text is ignored, too, if the terminal marks it.
///
/// Source: ECMA-48, control functions; Xterm Control Sequences, mouse tracking and bracketed paste.
package struct KeyParser: Sendable {
  private enum State: Hashable, Sendable {
    case ground
    case escape
    /// After `ESC O`.
    case single
    case sequence
    /// After `ESC [ [`, which the Linux console sends for function keys.
    case console
    /// The three bytes of a mouse report in the old format.
    case report(left: Int)
    case character(left: Int)
    case paste
  }

  private static let longest = 64
  private static let pasteEnd = Array("\u{1B}[201~".utf8)

  private var state = State.ground
  private var bytes: [UInt8] = []
  private var keys: [Keystroke] = []

  package init() {}

  /// True inside a sequence, whose meaning depends on the next bytes.
  package var isWaiting: Bool { state != .ground && state != .paste }

  /// True inside pasted text.
  package var isPasting: Bool { state == .paste }

  /// Adds bytes, and returns the completed keys.
  package mutating func take(_ bytes: some Sequence<UInt8>) -> [Keystroke] {
    keys.removeAll()
    for byte in bytes { take(byte) }
    return keys
  }

  /// Ends an incomplete sequence after a pause; a single escape is the Escape key.
  package mutating func pause() -> [Keystroke] {
    let keys: [Keystroke] = state == .escape ? [.escape] : []
    reset()
    return keys
  }

  private mutating func reset() {
    state = .ground
    bytes.removeAll()
  }

  private mutating func take(_ byte: UInt8) {
    switch state {
    case .ground: begin(byte)
    case .escape: afterEscape(byte)
    case .single:
      reset()
      if let key = Self.letters[byte] { keys.append(key) }
    case .sequence: inSequence(byte)
    case .console: reset()
    case .report(let left): inReport(byte, left)
    case .character(let left): inCharacter(byte, left)
    case .paste: inPaste(byte)
    }
  }

  private mutating func begin(_ byte: UInt8) {
    switch byte {
    case 0x1B: state = .escape
    case 0x0A, 0x0D: keys.append(.enter)
    case 0x09: keys.append(.tab)
    case 0x08, 0x7F: keys.append(.backspace)
    case 0..<0x80: keys.append(.text(Unicode.Scalar(byte)))
    case 0xC2...0xDF: begin(byte, more: 1)
    case 0xE0...0xEF: begin(byte, more: 2)
    case 0xF0...0xF4: begin(byte, more: 3)
    default: break
    }
  }

  private mutating func begin(_ byte: UInt8, more: Int) {
    bytes = [byte]
    state = .character(left: more)
  }

  private mutating func inCharacter(_ byte: UInt8, _ left: Int) {
    guard byte & 0xC0 == 0x80 else {
      reset()
      return begin(byte)
    }
    bytes.append(byte)
    state = .character(left: left - 1)
    guard left == 1 else { return }
    if let text = String(validating: bytes, as: UTF8.self), let scalar = text.unicodeScalars.first {
      keys.append(.text(scalar))
    }
    reset()
  }

  private mutating func afterEscape(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "["):
      state = .sequence
      bytes.removeAll()
    case UInt8(ascii: "O"): state = .single
    // The first one was the Escape key.
    case 0x1B: keys.append(.escape)
    // A key with Alt is ignored.
    default: reset()
    }
  }

  private mutating func inSequence(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "[") where bytes.isEmpty: state = .console
    case UInt8(ascii: "M") where bytes.isEmpty: state = .report(left: 3)
    case 0x20...0x3F where bytes.count < Self.longest: bytes.append(byte)
    case 0x20...0x3F: break
    case 0x1B:
      reset()
      state = .escape
    case 0x40...0x7E:
      let parameters = bytes
      reset()
      finish(parameters, byte)
    default: reset()
    }
  }

  private mutating func finish(_ parameters: [UInt8], _ final: UInt8) {
    if parameters.first == UInt8(ascii: "<") {
      return mouse(Self.numbers(parameters.dropFirst()), isPress: final == UInt8(ascii: "M"))
    }
    let numbers = Self.numbers(parameters[...])
    if final == UInt8(ascii: "~") {
      if numbers.first == 200 { state = .paste }
      if let key = Self.numbered[numbers.first ?? 0] { keys.append(key) }
    } else if let key = Self.letters[final] {
      let isShifted = numbers.count == 2 && numbers[1] == 2
      keys.append(isShifted ? Self.shifted[key] ?? key : key)
    }
  }

  private mutating func inReport(_ byte: UInt8, _ left: Int) {
    bytes.append(byte)
    state = .report(left: left - 1)
    guard left == 1 else { return }
    let numbers = bytes.map { Int($0) - 32 }
    reset()
    mouse([numbers[0], numbers[1], numbers[2]], isPress: numbers[0] & 3 != 3)
  }

  private mutating func mouse(_ numbers: [Int], isPress: Bool) {
    guard numbers.count == 3, isPress else { return }
    switch numbers[0] {
    case 0 where numbers[1] > 0 && numbers[2] > 0:
      keys.append(.click(column: numbers[1] - 1, row: numbers[2] - 1))
    case 64: keys.append(.wheelUp)
    case 65: keys.append(.wheelDown)
    default: break
    }
  }

  private mutating func inPaste(_ byte: UInt8) {
    bytes.append(byte)
    if bytes == Self.pasteEnd { return reset() }
    while !bytes.isEmpty, !Self.pasteEnd.starts(with: bytes) { bytes.removeFirst() }
  }

  /// The numbers between semicolons; 0 for other text, or if a number is too large.
  private static func numbers(_ bytes: ArraySlice<UInt8>) -> [Int] {
    bytes.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
      .map { Int(String(decoding: $0, as: UTF8.self)) ?? 0 }
  }

  /// The last byte of `ESC [` and `ESC O` sequences; small letters are sent by rxvt with Shift.
  private static let letters: [UInt8: Keystroke] = [
    UInt8(ascii: "A"): .up, UInt8(ascii: "B"): .down, UInt8(ascii: "C"): .right,
    UInt8(ascii: "D"): .left, UInt8(ascii: "F"): .end, UInt8(ascii: "H"): .home,
    UInt8(ascii: "M"): .enter, UInt8(ascii: "Z"): .backTab, UInt8(ascii: "a"): .shiftUp,
    UInt8(ascii: "b"): .shiftDown, UInt8(ascii: "c"): .shiftRight, UInt8(ascii: "d"): .shiftLeft,
  ]
  private static let numbered: [Int: Keystroke] = [
    1: .home, 2: .insert, 3: .delete, 4: .end, 5: .pageUp, 6: .pageDown, 7: .home, 8: .end,
  ]
  private static let shifted: [Keystroke: Keystroke] = [
    .up: .shiftUp, .down: .shiftDown, .left: .shiftLeft, .right: .shiftRight,
  ]
}
