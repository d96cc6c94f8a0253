// SPDX-License-Identifier: Apache-2.0
internal import CSystemdBus

/// A D-Bus message that is written value by value, or read.
///
/// - Note: Use it only on the thread of its connection.
@safe
struct BusMessage: ~Copyable {
  private let library: UnsafePointer<CSystemdBusTable>
  private let message: OpaquePointer

  /// Takes ownership of a message.
  init(_ message: OpaquePointer, _ library: UnsafePointer<CSystemdBusTable>) {
    unsafe self.library = library
    unsafe self.message = message
  }

  deinit { unsafe _ = library.pointee.message_unref(message) }

  /// Passes the pointer of the message to a closure.
  func with<Result>(_ body: (OpaquePointer) -> Result) -> Result { unsafe body(message) }

  /// Appends a value; returns false on failure.
  func append(_ value: BusValue) -> Bool {
    switch value {
    case .text(let text): append("s", text)
    case .path(let path): append("o", path)
    case .bool(let flag): append("b", Int32(flag ? 1 : 0))
    case .int32(let number): append("i", number)
    case .uint32(let number): append("u", number)
    case .int64(let number): append("x", number)
    case .uint64(let number): append("t", number)
    case .double(let number): append("d", number)
    case .variant(let value): inside("v", value.signature) { append(value) }
    case .texts(let texts): inside("a", "s") { texts.allSatisfy { append("s", $0) } }
    case .members(let members): inside("a", "{sv}") { members.allSatisfy { append($0) } }
    case .other: false
    }
  }

  private func append(_ member: BusValue.Member) -> Bool {
    inside("e", "sv") { append("s", member.name) && append(.variant(member.value)) }
  }

  private func append(_ type: Unicode.Scalar, _ text: String) -> Bool {
    unsafe text.withCString { bytes in
      unsafe library.pointee.message_append_basic(message, Self.code(type), bytes) >= 0
    }
  }

  private func append(_ type: Unicode.Scalar, _ number: some BitwiseCopyable) -> Bool {
    unsafe withUnsafeBytes(of: number) { bytes in
      unsafe library.pointee.message_append_basic(message, Self.code(type), bytes.baseAddress) >= 0
    }
  }

  private func inside(
    _ type: Unicode.Scalar, _ contents: String, _ body: () -> Bool
  ) -> Bool {
    guard unsafe library.pointee.message_open_container(message, Self.code(type), contents) >= 0
    else { return false }
    let isDone = body()
    return unsafe library.pointee.message_close_container(message) >= 0 && isDone
  }

  private static func code(_ type: Unicode.Scalar) -> CChar {
    CChar(truncatingIfNeeded: type.value)
  }
}

extension BusMessage {
  /// The most values that are read from a message.
  private static let mostArguments = 16
  private static let deepest = 8

  /// The decoded message.
  var call: BusCall {
    unsafe BusCall(
      kind: kind, path: text(unsafe library.pointee.message_get_path(message)),
      interface: text(unsafe library.pointee.message_get_interface(message)),
      member: text(unsafe library.pointee.message_get_member(message)), arguments: arguments)
  }

  private var kind: BusCall.Kind {
    var type: UInt8 = 0
    unsafe _ = library.pointee.message_get_type(message, &type)
    var cookie: UInt64 = 0
    unsafe _ = library.pointee.message_get_reply_cookie(message, &cookie)
    // `DBUS_MESSAGE_TYPE_…` of the specification.
    return switch type {
    case 1: .call
    case 2: .answer(cookie)
    case 3: .error(cookie)
    default: .signal
    }
  }

  private func text(_ bytes: UnsafePointer<CChar>?) -> String {
    unsafe bytes.map { unsafe String(cString: $0) } ?? ""
  }

  private var arguments: [BusValue] {
    var values: [BusValue] = []
    while values.count < Self.mostArguments, let value = read(depth: 0) { values.append(value) }
    return values
  }

  /// Reads the next value; nil at the end, or if it cannot be read.
  private func read(depth: Int) -> BusValue? {
    var type: CChar = 0
    var contents: UnsafePointer<CChar>?
    guard unsafe library.pointee.message_peek_type(message, &type, &contents) > 0 else {
      return nil
    }
    switch Unicode.Scalar(UInt8(bitPattern: type)) {
    case "s": return readText(type).map { .text($0) }
    case "o": return readText(type).map { .path($0) }
    case "b": return number(type, Int32(0)).map { .bool($0 != 0) }
    case "i": return number(type, Int32(0)).map { .int32($0) }
    case "u": return number(type, UInt32(0)).map { .uint32($0) }
    case "x": return number(type, Int64(0)).map { .int64($0) }
    case "t": return number(type, UInt64(0)).map { .uint64($0) }
    case "d": return number(type, 0.0).map { .double($0) }
    case "v" where depth < Self.deepest:
      guard unsafe library.pointee.message_enter_container(message, type, contents) > 0 else {
        return nil
      }
      let value = read(depth: depth + 1)
      guard unsafe library.pointee.message_exit_container(message) >= 0 else { return nil }
      return value.map { .variant($0) }
    default:
      return unsafe library.pointee.message_skip(message, nil) >= 0 ? .other : nil
    }
  }

  private func readText(_ type: CChar) -> String? {
    var bytes: UnsafePointer<CChar>?
    let result = unsafe withUnsafeMutablePointer(to: &bytes) {
      unsafe library.pointee.message_read_basic(message, type, $0)
    }
    return unsafe result > 0 ? bytes.map { unsafe String(cString: $0) } : nil
  }

  private func number<Number: BitwiseCopyable>(_ type: CChar, _ zero: Number) -> Number? {
    var number = zero
    let result = unsafe withUnsafeMutablePointer(to: &number) {
      unsafe library.pointee.message_read_basic(message, type, $0)
    }
    return result > 0 ? number : nil
  }
}
