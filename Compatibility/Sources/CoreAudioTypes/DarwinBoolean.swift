// SPDX-License-Identifier: Apache-2.0

/// A Boolean value in one byte, as in C: every value except 0 is true.
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

  /// True if the byte is not 0.
  public var boolValue: Bool { byte != 0 }
}

extension DarwinBoolean: CustomStringConvertible, CustomReflectable {
  /// `true` or `false`.
  public var description: String { boolValue.description }

  /// The mirror of the corresponding `Bool`.
  public var customMirror: Mirror { Mirror(reflecting: boolValue) }
}
