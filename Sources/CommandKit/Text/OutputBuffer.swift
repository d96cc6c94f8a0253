// SPDX-License-Identifier: Apache-2.0

/// Standard output in writes of 64 KB.
///
/// Digits go straight into memory that the buffer owns: a `String` or a growing array for every
/// number would cost more than the conversion.
@safe package struct OutputBuffer: ~Copyable {
  private static let writeSize = 64 << 10
  /// More than the longest number and its line end.
  private static let slack = 64

  private let memory: UnsafeMutablePointer<UInt8>
  private var count = 0

  package init() {
    unsafe memory = .allocate(capacity: Self.writeSize + Self.slack)
  }

  deinit { unsafe memory.deallocate() }

  /// Appends an integer and a line end.
  @inline(__always)
  package mutating func append(line value: Int64) throws(Failure) {
    if count >= Self.writeSize { try flush() }
    var rest = value.magnitude
    if value < 0 { put(UInt8(ascii: "-")) }
    let digits = Self.digits(of: rest)
    var place = count + digits
    count = place
    // place > the number's start ≥ 0 in every step, and the slack holds 20 digits.
    while rest >= 10 {
      let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
      place -= 1
      unsafe memory[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit)
      rest = quotient
    }
    unsafe memory[place - 1] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest)
    put(0x0A)
  }

  /// Appends bytes.
  package mutating func append(_ bytes: [UInt8]) throws(Failure) {
    var rest = bytes[...]
    while !rest.isEmpty {
      if count >= Self.writeSize { try flush() }
      let part = rest.prefix(Self.writeSize + Self.slack - count)
      // No more than there is room for, which the line above sees to.
      count += unsafe UnsafeMutableBufferPointer(start: memory + count, count: part.count)
        .update(fromContentsOf: part)
      rest = rest.dropFirst(part.count)
    }
  }

  /// Writes what has been collected.
  ///
  /// - Throws: `Failure` with status 74.
  package mutating func flush() throws(Failure) {
    let collected = unsafe UnsafeRawBufferPointer(start: memory, count: count)
    count = 0
    try unsafe Console.current.write(collected)
  }

  /// One byte; the slack holds what is put between two checks.
  @inline(__always)
  private mutating func put(_ byte: UInt8) {
    unsafe memory[count] = byte
    count += 1
  }

  @inline(__always)
  private static func digits(of value: UInt64) -> Int {
    var digits = 1
    var bound: UInt64 = 10
    while value >= bound {
      digits += 1
      if digits == 20 { break }
      bound &*= 10
    }
    return digits
  }
}
