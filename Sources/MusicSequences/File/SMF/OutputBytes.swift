// SPDX-License-Identifier: Apache-2.0

/// Bytes that are written: big-endian numbers, names and variable-length quantities.
///
/// A channel event is written with one store of eight bytes, so the memory is always larger than
/// the content.
@safe
struct OutputBytes: ~Copyable {
  private static let slack = 16

  private var base: UnsafeMutableRawPointer
  private var capacity: Int
  private(set) var count = 0

  init(capacity: Int = 4096) {
    self.capacity = capacity + Self.slack
    unsafe base = .allocate(byteCount: capacity + Self.slack, alignment: 16)
  }

  deinit {
    unsafe base.deallocate()
  }

  /// A copy of the written bytes.
  var bytes: [UInt8] {
    unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      unsafe UnsafeMutableRawBufferPointer(buffer).copyMemory(
        from: UnsafeRawBufferPointer(start: base, count: count))
      initialized = count
    }
  }

  @inline(__always)
  private mutating func reserve(_ more: Int) {
    if count + more + Self.slack > capacity { grow(count + more) }
  }

  @inline(never)
  private mutating func grow(_ needed: Int) {
    capacity = max(needed, capacity * 2) + Self.slack
    let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
    unsafe larger.copyMemory(from: base, byteCount: count)
    unsafe base.deallocate()
    unsafe base = larger
  }

  /// Appends the low bytes of a word in little-endian order.
  @inline(__always)
  mutating func append(packed word: UInt64, count length: Int) {
    reserve(8)
    unsafe base.storeBytes(of: word.littleEndian, toByteOffset: count, as: UInt64.self)
    count += length
  }

  mutating func append(_ byte: UInt8) {
    append(packed: UInt64(byte), count: 1)
  }

  mutating func append(contentsOf other: some Collection<UInt8>) {
    reserve(other.count)
    let room = unsafe UnsafeMutableRawBufferPointer(start: base + count, count: other.count)
    unsafe room.copyBytes(from: other)
    count += other.count
  }

  mutating func append(_ name: StaticString) {
    for index in 0..<name.utf8CodeUnitCount { append(unsafe name.utf8Start[index]) }
  }

  mutating func append(word: UInt16) {
    append(packed: UInt64(word.byteSwapped), count: 2)
  }

  mutating func append(long: UInt32) {
    append(packed: UInt64(long.byteSwapped), count: 4)
  }

  mutating func put(long: UInt32, at offset: Int) {
    unsafe base.storeBytes(of: long.bigEndian, toByteOffset: offset, as: UInt32.self)
  }

  /// Appends a variable-length quantity of at most 28 bits.
  mutating func append(quantity: UInt32) {
    let (word, length) = Self.packed(quantity)
    append(packed: word, count: length)
  }

  /// The stored form of a variable-length quantity of at most 28 bits, first byte lowest.
  @inline(__always)
  static func packed(_ quantity: UInt32) -> (word: UInt64, length: Int) {
    let value = UInt64(quantity)
    if value < 1 << 7 { return (value, 1) }
    let last = value & 0x7F
    let third = value >> 7 & 0x7F | 0x80
    if value < 1 << 14 { return (third | last << 8, 2) }
    let second = value >> 14 & 0x7F | 0x80
    if value < 1 << 21 { return (second | third << 8 | last << 16, 3) }
    return (value >> 21 & 0x7F | 0x80 | second << 8 | third << 16 | last << 24, 4)
  }
}
