// SPDX-License-Identifier: Apache-2.0

/// Decodes packets.
///
/// The padding of texts and blobs is not checked.
struct OSCReader {
  private static let bundleName = "#bundle"

  private let bytes: [UInt8]
  private var offset = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Decodes a packet that ends at an offset.
  mutating func packet(upTo end: Int, depth: Int) throws(OSCError) -> OSCPacket {
    let start = offset
    guard start < end else { throw .truncated(offset: start) }
    switch bytes[start] {
    case UInt8(ascii: "/"): return .message(try message(upTo: end))
    case UInt8(ascii: "#"):
      guard try text(upTo: end) == Self.bundleName else { throw .badAddress(offset: start) }
      guard depth < OSCPacket.deepest else { throw .tooDeep(offset: start) }
      return .bundle(try bundle(upTo: end, depth: depth))
    default: throw .badAddress(offset: start)
    }
  }

  private mutating func bundle(upTo end: Int, depth: Int) throws(OSCError) -> OSCBundle {
    var bundle = OSCBundle([], at: OSCTimeTag(rawValue: try number(upTo: end)))
    while offset < end {
      let place = offset
      let size: Int32 = try number(upTo: end)
      guard size > 0, size % 4 == 0, Int(size) <= end - offset else {
        throw .badSize(size, offset: place)
      }
      bundle.elements.append(try packet(upTo: offset + Int(size), depth: depth + 1))
    }
    return bundle
  }

  private mutating func message(upTo end: Int) throws(OSCError) -> OSCMessage {
    var message = OSCMessage(try text(upTo: end))
    // Senders before version 1.0 omit the types. Their messages cannot be distinguished from
    // incomplete ones.
    let first = offset
    guard first < end, bytes[first] == UInt8(ascii: ",") else {
      throw .missingTypes(offset: first)
    }
    let types = first + 1..<(try textEnd(upTo: end))
    for place in types { message.arguments.append(try value(at: place, upTo: end)) }
    guard offset == end else { throw .trailingBytes(offset: offset) }
    return message
  }

  /// Decodes the argument whose type is at an offset.
  private mutating func value(at place: Int, upTo end: Int) throws(OSCError) -> OSCValue {
    switch bytes[place] {
    case UInt8(ascii: "i"): .int32(try number(upTo: end))
    case UInt8(ascii: "f"): .float(Float(bitPattern: try number(upTo: end)))
    case UInt8(ascii: "s"): .string(try text(upTo: end))
    case UInt8(ascii: "b"): .blob(try blob(upTo: end))
    case UInt8(ascii: "h"): .int64(try number(upTo: end))
    case UInt8(ascii: "t"): .timeTag(OSCTimeTag(rawValue: try number(upTo: end)))
    case UInt8(ascii: "d"): .double(Double(bitPattern: try number(upTo: end)))
    case UInt8(ascii: "T"): .bool(true)
    case UInt8(ascii: "F"): .bool(false)
    case UInt8(ascii: "N"): .null
    case UInt8(ascii: "I"): .impulse
    case let type: throw .unknownType(type, offset: place)
    }
  }

  private mutating func number<Number: FixedWidthInteger>(
    upTo end: Int
  ) throws(OSCError) -> Number {
    let size = Number.bitWidth / 8
    guard end - offset >= size else { throw .truncated(offset: offset) }
    defer { offset += size }
    return bytes[offset..<offset + size].reduce(0) { $0 << 8 | Number(truncatingIfNeeded: $1) }
  }

  private mutating func text(upTo end: Int) throws(OSCError) -> String {
    let start = offset
    let last = try textEnd(upTo: end)
    guard let text = String(validating: bytes[start..<last], as: UTF8.self) else {
      throw .badText(offset: start)
    }
    return text
  }

  /// Skips a text and its padding, and returns the offset of its zero byte.
  private mutating func textEnd(upTo end: Int) throws(OSCError) -> Int {
    let start = offset
    guard let last = bytes[start..<end].firstIndex(of: 0) else { throw .truncated(offset: end) }
    let next = start + (last - start) / 4 * 4 + 4
    guard next <= end else { throw .truncated(offset: end) }
    offset = next
    return last
  }

  private mutating func blob(upTo end: Int) throws(OSCError) -> [UInt8] {
    let place = offset
    let size: Int32 = try number(upTo: end)
    let padded = (Int(size) + 3) / 4 * 4
    guard size >= 0, padded <= end - offset else { throw .badSize(size, offset: place) }
    defer { offset += padded }
    return Array(bytes[offset..<offset + Int(size)])
  }
}
