// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The screen of a terminal after the bytes that were written to it.
///
/// It is independent of the code that draws, and gets the width of characters from the C library.
public struct TerminalPicture {
  /// The number of columns.
  public private(set) var columns: Int
  /// The number of rows.
  public private(set) var rows: Int
  /// The text written beyond the last column, which would wrap or be lost.
  public private(set) var overruns: [String] = []
  /// The unsupported sequences.
  public private(set) var unknown: [String] = []
  /// True if the alternate screen is shown.
  public private(set) var isAlternate = false
  /// True if the cursor is hidden.
  public private(set) var isCursorHidden = false
  /// The modes that are set, such as those for bracketed paste and mouse reports.
  public private(set) var modes: Set<Int> = []
  /// True if any colour was set.
  public private(set) var hasColor = false
  private var screens: [[[String]]]
  private var row = 0
  private var column = 0
  private var wraps = true
  private var pending: [UInt8] = []
  // Created once, and only read.
  nonisolated(unsafe) private static let locale = unsafe newlocale(1 << LC_CTYPE, "C.UTF-8", nil)
  /// The C library's `wcwidth`, which is not in the headers that Swift imports.
  private static let width = unsafe unsafeBitCast(
    dlsym(nil, "wcwidth"), to: (@convention(c) (UInt32) -> Int32).self)

  /// Creates an empty terminal of a size.
  public init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
    screens = Array(
      repeating: Array(repeating: Array(repeating: " ", count: columns), count: rows), count: 2)
  }

  /// Changes the size, and clears the screen.
  public mutating func resize(columns: Int, rows: Int) {
    self = TerminalPicture(columns: columns, rows: rows, like: self)
  }

  private init(columns: Int, rows: Int, like other: TerminalPicture) {
    self.init(columns: columns, rows: rows)
    isAlternate = other.isAlternate
    isCursorHidden = other.isCursorHidden
    modes = other.modes
    overruns = other.overruns
    unknown = other.unknown
    wraps = other.wraps
  }

  /// The rows of the current screen, without the spaces at their ends.
  public var lines: [String] {
    screens[isAlternate ? 1 : 0].map { row in
      String(row.joined().reversed().drop { $0 == " " }.reversed())
    }
  }

  /// All rows as text.
  public var text: String { lines.joined(separator: "\n") }

  /// Processes written bytes.
  public mutating func write(_ bytes: [UInt8]) {
    pending += bytes
    var rest = pending[...]
    while let used = step(rest) { rest = rest.dropFirst(used) }
    pending = Array(rest)
  }

  /// Processes one character or sequence; nil if it is incomplete.
  private mutating func step(_ bytes: ArraySlice<UInt8>) -> Int? {
    guard let first = bytes.first else { return nil }
    if first == 0x1B { return escape(bytes) }
    if first < 0x20 || first == 0x7F {
      control(first)
      return 1
    }
    let length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
    guard bytes.count >= length else { return nil }
    for scalar in String(decoding: bytes.prefix(length), as: UTF8.self).unicodeScalars {
      put(scalar)
    }
    return length
  }

  private mutating func control(_ byte: UInt8) {
    switch byte {
    case 0x0A:
      if row == rows - 1 {
        let screen = isAlternate ? 1 : 0
        screens[screen].removeFirst()
        screens[screen].append(Array(repeating: " ", count: columns))
      } else {
        row += 1
      }
    case 0x0D: column = 0
    case 0x08: column = max(0, column - 1)
    case 0x07: break
    default: unknown.append("control \(byte)")
    }
  }

  private mutating func escape(_ bytes: ArraySlice<UInt8>) -> Int? {
    guard bytes.count > 1 else { return nil }
    let second = bytes[bytes.startIndex + 1]
    guard second == UInt8(ascii: "[") else {
      if second != UInt8(ascii: "\\") { unknown.append("escape \(second)") }
      return 2
    }
    guard let end = bytes.dropFirst(2).firstIndex(where: { (0x40...0x7E).contains($0) }) else {
      return nil
    }
    let parameters = String(decoding: bytes[(bytes.startIndex + 2)..<end], as: UTF8.self)
    sequence(parameters, Character(Unicode.Scalar(bytes[end])))
    return end - bytes.startIndex + 1
  }

  private mutating func sequence(_ parameters: String, _ final: Character) {
    let numbers = parameters.drop { $0 == "?" }.split(separator: ";").map { Int($0) ?? 0 }
    switch final {
    case "H":
      row = min(max((numbers.first ?? 1) - 1, 0), rows - 1)
      column = min(max((numbers.count > 1 ? numbers[1] : 1) - 1, 0), columns - 1)
    case "J", "K": erase(final, numbers.first ?? 0)
    case "m": if numbers.contains(where: { (30...37).contains($0) || $0 >= 90 }) { hasColor = true }
    case "h", "l": for number in numbers { mode(number, final == "h") }
    default: unknown.append("CSI \(parameters)\(final)")
    }
  }

  private mutating func erase(_ final: Character, _ part: Int) {
    let screen = isAlternate ? 1 : 0
    for line in 0..<rows where final == "J" ? line >= row || part == 2 : line == row {
      for place in 0..<columns where line > row || part == 2 || place >= column {
        screens[screen][line][place] = " "
      }
    }
  }

  private mutating func mode(_ number: Int, _ isOn: Bool) {
    switch number {
    case 1049:
      isAlternate = isOn
      if isOn { screens[1] = screens[1].map { $0.map { _ in " " } } }
    case 25: isCursorHidden = !isOn
    case 7: wraps = isOn
    default: if isOn { modes.insert(number) } else { modes.remove(number) }
    }
  }

  private mutating func put(_ scalar: Unicode.Scalar) {
    let old = unsafe uselocale(Self.locale)
    let width = Int(Self.width(scalar.value))
    unsafe uselocale(old)
    let screen = isAlternate ? 1 : 0
    guard width > 0 else {
      if column > 0 { screens[screen][row][column - 1].unicodeScalars.append(scalar) }
      return
    }
    if column + width > columns {
      overruns.append("row \(row), column \(column): \(scalar)")
      guard wraps else { return }
      control(0x0A)
      column = 0
    }
    screens[screen][row][column] = String(Character(scalar))
    if width == 2 { screens[screen][row][column + 1] = "" }
    column += width
  }
}
