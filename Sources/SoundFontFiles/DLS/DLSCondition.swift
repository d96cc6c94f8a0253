// SPDX-License-Identifier: Apache-2.0

/// A conditional chunk: a program for a stack machine, whose result determines if a list is used.
///
/// Source: DLS 2.2, section 2.6.
struct DLSCondition {
  /// The reason why a condition cannot be evaluated.
  enum Fault: Error, Hashable {
    case unknownOperation(Int)
    case emptyStack
    case fullStack
    case divisionByZero
    case cutShort
  }

  /// The maximum number of values on the stack.
  private static let depth = 256
  private var stack: [UInt32] = []

  /// Evaluates a condition.
  ///
  /// - Parameter program: The content of the chunk.
  /// - Returns: True if the list is used, because the last number is not 0.
  /// - Throws: `Fault`.
  /// - Complexity: O(n) in the bytes.
  static func isMet(_ program: ArraySlice<UInt8>) throws(Fault) -> Bool {
    var condition = DLSCondition()
    var rest = program
    while rest.count > 1 {
      let operation = number(rest.prefix(2))
      rest = rest.dropFirst(2)
      switch operation {
      case 0x10: try condition.push(UInt32(truncatingIfNeeded: number(take(4, of: &rest))))
      case 0x11: try condition.push(answers[Array(take(16, of: &rest))] ?? 0)
      case 0x12: try condition.push(answers[Array(take(16, of: &rest))] == nil ? 0 : 1)
      case 0x0F: try condition.push(condition.pop() == 0 ? 1 : 0)
      default: try condition.combine(operation)
      }
    }
    return try condition.pop() != 0
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
    bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  private static func take(
    _ count: Int, of rest: inout ArraySlice<UInt8>
  ) throws(Fault) -> ArraySlice<UInt8> {
    guard rest.count >= count else { throw .cutShort }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }

  private mutating func push(_ value: UInt32) throws(Fault) {
    guard stack.count < Self.depth else { throw .fullStack }
    stack.append(value)
  }

  private mutating func pop() throws(Fault) -> UInt32 {
    guard let value = stack.popLast() else { throw .emptyStack }
    return value
  }

  /// Replaces the two topmost numbers by a result; the topmost one is the first operand.
  private mutating func combine(_ operation: Int) throws(Fault) {
    guard (1...14).contains(operation) else { throw .unknownOperation(operation) }
    let (first, second) = (try pop(), try pop())
    if operation == 7, second == 0 { throw .divisionByZero }
    let value: UInt32 =
      switch operation {
      case 1: first & second
      case 2: first | second
      case 3: first ^ second
      case 4: first &+ second
      case 5: first &- second
      case 6: first &* second
      case 7: first / second
      default: Self.isTrue(operation, first, second) ? 1 : 0
      }
    try push(value)
  }

  private static func isTrue(_ operation: Int, _ first: UInt32, _ second: UInt32) -> Bool {
    switch operation {
    case 8: first != 0 && second != 0
    case 9: first != 0 || second != 0
    case 10: first < second
    case 11: first <= second
    case 12: first > second
    case 13: first >= second
    default: first == second
    }
  }

  /// The supported queries, by the bytes of their identifiers, with their answers.
  ///
  /// Downbeat is not hardware with built-in sounds, supports both levels, and is not registered.
  /// The answers for sample memory and playback rate are 2 GB and 48 kHz.
  private static let answers: [[UInt8]: UInt32] = [
    identifier(0x178F_2F24, 0xC364, 0x11D1, hardware): 0,
    identifier(0x178F_2F25, 0xC364, 0x11D1, hardware): 0,
    identifier(0x178F_2F26, 0xC364, 0x11D1, hardware): 0,
    identifier(0x178F_2F27, 0xC364, 0x11D1, hardware): 1,
    identifier(0x178F_2F28, 0xC364, 0x11D1, hardware): 1 << 31,
    identifier(0xF145_99E5, 0x4689, 0x11D2, [0xAF, 0xA6, 0, 0xAA, 0, 0x24, 0xD8, 0xB6]): 1,
    identifier(0xB03E_1181, 0x8095, 0x11D2, product): 0,
    identifier(0xB03E_1182, 0x8095, 0x11D2, product): 0,
    identifier(0x2A91_F713, 0xA4BF, 0x11D2, [0xBB, 0xDF, 0, 0x60, 8, 0x33, 0xDB, 0xD8]): 48_000,
  ]

  private static let hardware: [UInt8] = [0xA7, 0x60, 0, 0, 0xF8, 0x75, 0xAC, 0x12]
  private static let product: [UInt8] = [0xA1, 0xEF, 0, 0x60, 8, 0x33, 0xDB, 0xD8]

  private static func identifier(
    _ first: UInt32, _ second: UInt16, _ third: UInt16, _ rest: [UInt8]
  ) -> [UInt8] {
    let head = [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: first >> $0) }
    let words = [second, third].flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    return head + words + rest
  }
}
