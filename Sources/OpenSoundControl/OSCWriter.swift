// SPDX-License-Identifier: Apache-2.0

/// Encodes packets.
struct OSCWriter {
  private(set) var bytes: [UInt8] = []

  mutating func write(_ packet: OSCPacket, depth: Int) throws(OSCError) {
    switch packet {
    case .message(let message): try write(message)
    case .bundle(let bundle): try write(bundle, depth: depth)
    }
  }

  private mutating func write(_ bundle: OSCBundle, depth: Int) throws(OSCError) {
    guard depth < OSCPacket.deepest else { throw .tooDeep(offset: bytes.count) }
    try write("#bundle")
    write(bundle.time.rawValue)
    for element in bundle.elements {
      let place = bytes.count
      write(Int32(0))
      try write(element, depth: depth + 1)
      try setSize(at: place)
    }
  }

  private mutating func write(_ message: OSCMessage) throws(OSCError) {
    guard message.address.utf8.first == UInt8(ascii: "/") else {
      throw .badAddress(offset: bytes.count)
    }
    try write(message.address)
    write(terminated: [UInt8(ascii: ",")] + message.arguments.map(\.letter))
    for argument in message.arguments { try write(argument) }
  }

  private mutating func write(_ value: OSCValue) throws(OSCError) {
    switch value {
    case .int32(let number): write(number)
    case .float(let number): write(number.bitPattern)
    case .string(let text): try write(text)
    case .blob(let blob): try write(blob)
    case .int64(let number): write(number)
    case .timeTag(let time): write(time.rawValue)
    case .double(let number): write(number.bitPattern)
    case .bool, .null, .impulse: break
    }
  }

  private mutating func write(_ number: some FixedWidthInteger) {
    for shift in stride(from: number.bitWidth - 8, through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: number >> shift))
    }
  }

  private mutating func write(_ text: String) throws(OSCError) {
    guard !text.utf8.contains(0) else { throw .badText(offset: bytes.count) }
    write(terminated: Array(text.utf8))
  }

  /// The text is followed by at least one zero byte.
  private mutating func write(terminated text: [UInt8]) {
    bytes += text
    bytes += repeatElement(0, count: 4 - text.count % 4)
  }

  private mutating func write(_ blob: [UInt8]) throws(OSCError) {
    let place = bytes.count
    write(Int32(0))
    bytes += blob
    try setSize(at: place)
    bytes += repeatElement(0, count: (4 - blob.count % 4) % 4)
  }

  /// Writes the number of bytes after a size field into that field.
  private mutating func setSize(at place: Int) throws(OSCError) {
    guard let size = Int32(exactly: bytes.count - place - 4) else {
      throw .badSize(.max, offset: place)
    }
    for index in 0..<4 {
      bytes[place + index] = UInt8(truncatingIfNeeded: size >> Int32(24 - 8 * index))
    }
  }
}
