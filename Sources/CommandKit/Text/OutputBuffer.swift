// SPDX-License-Identifier: Apache-2.0

/// Writes standard output in blocks of 64 KiB.
///
/// Digits are written directly into the buffer: a `String` or an array for each number would take
/// longer than the conversion.
@safe package struct OutputBuffer: ~Copyable {
  private static let writeSize = 64 << 10
  /// More bytes than the longest number and its line end need.
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
      // The line above limits the part to the free space.
      count += unsafe UnsafeMutableBufferPointer(start: memory + count, count: part.count)
        .update(fromContentsOf: part)
      rest = rest.dropFirst(part.count)
    }
  }

  /// Writes the collected bytes.
  ///
  /// - Throws: `Failure` with exit status 74 if they cannot be written.
  package mutating func flush() throws(Failure) {
    let collected = unsafe UnsafeRawBufferPointer(start: memory, count: count)
    count = 0
    try unsafe Console.current.write(collected)
  }

  /// Appends a byte; the slack is enough for the bytes between two checks.
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
