// SPDX-License-Identifier: Apache-2.0

/// Truth in one byte, as C has it: what is not zero is true.
public struct DarwinBoolean: ExpressibleByBooleanLiteral, Hashable, BitwiseCopyable, Sendable {
  private var byte: UInt8

  /// Creates a value.
  public init(_ value: Bool) {
    byte = value ? 1 : 0
  }

  /// Creates a value from a literal.
  public init(booleanLiteral value: Bool) {
    self.init(value)
  }

  /// Whether it is true.
  public var boolValue: Bool { byte != 0 }
}

extension DarwinBoolean: CustomStringConvertible, CustomReflectable {
  /// `true` or `false`.
  public var description: String { boolValue.description }

  /// What a Bool shows of itself.
  public var customMirror: Mirror { Mirror(reflecting: boolValue) }
}
