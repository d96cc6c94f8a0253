// SPDX-License-Identifier: Apache-2.0

/// A number that stands for an object: its place in the table, and how often the place was given.
///
/// As a pointer it is never followed; it lies outside all memory that a program has.
public struct Handle: Hashable, Sendable {
  /// The place in the table, below 2²⁰.
  @usableFromInline let index: Int
  /// How often the place was given to another object, below 2²⁰.
  @usableFromInline let generation: Int

  @usableFromInline static var indexBits: Int { 20 }
  @usableFromInline static var generationBits: Int { 20 }
  /// The lowest bits are 0, as of memory; the highest that memory may have say whose it is.
  @usableFromInline static var alignment: Int { 4 }
  @usableFromInline static var mark: UInt { 0x5 << 44 }

  init(index: Int, generation: Int) {
    self.index = index
    self.generation = generation
  }

  /// Reads a pointer; nil for one that is no handle.
  @inlinable
  public init?(_ pointer: OpaquePointer?) {
    guard let pointer = unsafe pointer else { return nil }
    let bits = UInt(bitPattern: pointer)
    guard bits & ~(1 << 44 - 1) == Self.mark, bits & (1 << Self.alignment - 1) == 0 else {
      return nil
    }
    index = Int(bits >> Self.alignment & (1 << Self.indexBits - 1))
    generation = Int(
      bits >> (Self.alignment + Self.indexBits) & (1 << Self.generationBits - 1))
  }

  /// The handle as a pointer.
  public var pointer: OpaquePointer {
    let bits =
      Self.mark | UInt(index) << Self.alignment
      | UInt(generation) << (Self.alignment + Self.indexBits)
    // The mark is above zero.
    return unsafe OpaquePointer(bitPattern: bits).unsafelyUnwrapped
  }

  /// The handle in 32 bits: twelve of its generation are kept, and it is never 0.
  public var number: UInt32 {
    UInt32(generation & 0xFFF) << UInt32(Self.indexBits) | UInt32(index)
  }
}
