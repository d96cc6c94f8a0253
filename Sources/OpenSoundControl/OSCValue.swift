// SPDX-License-Identifier: Apache-2.0

/// An argument of a message, with its type tag in the message.
package enum OSCValue: Hashable, Sendable {
  /// A 32-bit integer (`i`).
  case int32(Int32)
  /// A 32-bit float (`f`).
  case float(Float)
  /// A string (`s`).
  case string(String)
  /// Any bytes (`b`).
  case blob([UInt8])
  /// A 64-bit integer (`h`).
  case int64(Int64)
  /// A time tag (`t`).
  case timeTag(OSCTimeTag)
  /// A 64-bit float (`d`).
  case double(Double)
  /// True (`T`) or false (`F`).
  case bool(Bool)
  /// No value (`N`).
  case null
  /// An impulse, which is an event without a value (`I`).
  case impulse

  var letter: UInt8 {
    switch self {
    case .int32: UInt8(ascii: "i")
    case .float: UInt8(ascii: "f")
    case .string: UInt8(ascii: "s")
    case .blob: UInt8(ascii: "b")
    case .int64: UInt8(ascii: "h")
    case .timeTag: UInt8(ascii: "t")
    case .double: UInt8(ascii: "d")
    case .bool(let flag): flag ? UInt8(ascii: "T") : UInt8(ascii: "F")
    case .null: UInt8(ascii: "N")
    case .impulse: UInt8(ascii: "I")
    }
  }
}
