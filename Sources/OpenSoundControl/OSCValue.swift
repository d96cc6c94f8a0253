// SPDX-License-Identifier: Apache-2.0

/// An argument of a message.
///
/// The comment of each case is its type tag.
package enum OSCValue: Hashable, Sendable {
  /// `i`
  case int32(Int32)
  /// `f`
  case float(Float)
  /// `s`
  case string(String)
  /// `b`
  case blob([UInt8])
  /// `h`
  case int64(Int64)
  /// `t`
  case timeTag(OSCTimeTag)
  /// `d`
  case double(Double)
  /// `T`, `F`
  case bool(Bool)
  /// `N`
  case null
  /// `I`
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
