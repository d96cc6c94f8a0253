// SPDX-License-Identifier: Apache-2.0

/// Reads the bytes of a datagram in order; numbers are big-endian.
struct OctetReader {
  private let octets: [UInt8]
  private(set) var place = 0

  init(_ octets: [UInt8]) {
    self.octets = octets
  }

  var isAtEnd: Bool { place == octets.count }
  var next: UInt8? { isAtEnd ? nil : octets[place] }
  var rest: [UInt8] { Array(octets[place...]) }

  mutating func take<Number: FixedWidthInteger>(_ type: Number.Type) throws(PacketError) -> Number {
    let size = Number.bitWidth / 8
    guard octets.count - place >= size else { throw .tooShort }
    var number: Number = 0
    for octet in octets[place..<place + size] {
      number = (size == 1 ? 0 : number << 8) | Number(truncatingIfNeeded: octet)
    }
    place += size
    return number
  }

  mutating func take(count: Int) throws(PacketError) -> [UInt8] {
    guard octets.count - place >= count else { throw .tooShort }
    defer { place += count }
    return Array(octets[place..<place + count])
  }
}

extension [UInt8] {
  /// Appends a number in big-endian order.
  mutating func append(highFirst number: some FixedWidthInteger) {
    for shift in stride(from: number.bitWidth - 8, through: 0, by: -8) {
      append(UInt8(truncatingIfNeeded: number >> shift))
    }
  }
}
