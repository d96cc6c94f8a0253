// SPDX-License-Identifier: Apache-2.0

/// The entries of a datagram: a key, a size and a value each, with numbers in big-endian order.
enum LinkEntries {
  /// The keys of entries, each four letters.
  enum Key {
    /// `tmln`.
    static let timeline: UInt32 = 0x746d_6c6e
    /// `sess`.
    static let session: UInt32 = 0x7365_7373
    /// `stst`.
    static let startStop: UInt32 = 0x7374_7374
    /// `mep4`.
    static let endpointV4: UInt32 = 0x6d65_7034
    /// `mep6`.
    static let endpointV6: UInt32 = 0x6d65_7036
    /// `__ht`.
    static let hostTime: UInt32 = 0x5f5f_6874
    /// `__gt`.
    static let ghostTime: UInt32 = 0x5f5f_6774
    /// `_pgt`.
    static let previousGhostTime: UInt32 = 0x5f70_6774
  }

  /// Calls `body` with each entry, in order.
  static func forEach(
    in bytes: Span<UInt8>, _ body: (UInt32, Span<UInt8>) throws(LinkError) -> Void
  ) throws(LinkError) {
    var place = 0
    while place < bytes.count {
      guard bytes.count - place >= 8 else { throw .cut }
      let key = UInt32(truncatingIfNeeded: bytes.number(at: place, size: 4))
      let size = Int(bytes.number(at: place + 4, size: 4))
      place += 8
      guard size <= bytes.count - place else { throw .cut }
      try body(key, bytes.extracting(place..<(place + size)))
      place += size
    }
  }

  /// Throws if a known entry does not have the required size.
  static func check(_ value: Span<UInt8>, is size: Int, for key: UInt32) throws(LinkError) {
    guard value.count == size else { throw .badEntry(key) }
  }
}

extension Span<UInt8> {
  /// A big-endian number.
  func number(at place: Int, size: Int) -> UInt64 {
    var number: UInt64 = 0
    for index in place..<(place + size) { number = number << 8 | UInt64(self[index]) }
    return number
  }

  /// A signed big-endian number.
  func signed(at place: Int) -> Int64 { Int64(bitPattern: number(at: place, size: 8)) }

  /// True if the bytes begin with others.
  func begins(with magic: [UInt8]) -> Bool {
    guard count >= magic.count else { return false }
    for index in magic.indices where self[index] != magic[index] { return false }
    return true
  }
}

extension [UInt8] {
  /// Appends a big-endian number.
  mutating func append(number: some FixedWidthInteger) {
    for shift in stride(from: number.bitWidth - 8, through: 0, by: -8) {
      append(UInt8(truncatingIfNeeded: number >> shift))
    }
  }

  /// Appends the key and size of an entry.
  mutating func append(entry key: UInt32, size: UInt32) {
    append(number: key)
    append(number: size)
  }
}
