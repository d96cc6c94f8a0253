// SPDX-License-Identifier: Apache-2.0

/// A value in a D-Bus message.
///
/// Source: D-Bus Specification, Type System.
package indirect enum BusValue: Equatable, Sendable {
  case text(String)
  case path(String)
  case bool(Bool)
  case int32(Int32)
  case uint32(UInt32)
  case int64(Int64)
  case uint64(UInt64)
  case double(Double)
  case variant(BusValue)
  case texts([String])
  /// Names with values of any type, in order.
  case members([Member])
  /// A value of another type, which is ignored.
  case other

  /// A value with a name.
  package struct Member: Equatable, Sendable {
    /// The name.
    package let name: String
    /// The value.
    package let value: BusValue

    /// Creates a named value.
    package init(_ name: String, _ value: BusValue) {
      self.name = name
      self.value = value
    }
  }

  /// The D-Bus type signature.
  package var signature: String {
    switch self {
    case .text: "s"
    case .path: "o"
    case .bool: "b"
    case .int32: "i"
    case .uint32: "u"
    case .int64: "x"
    case .uint64: "t"
    case .double: "d"
    case .variant, .other: "v"
    case .texts: "as"
    case .members: "a{sv}"
    }
  }
}
