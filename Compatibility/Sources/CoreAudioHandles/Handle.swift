// SPDX-License-Identifier: Apache-2.0

/// A number that stands for an object: the index of its place in the table, and a generation.
///
/// The generation counts how often the place was used. A handle can be converted to a pointer,
/// which lies outside the memory of the program and is never dereferenced.
public struct Handle: Hashable, Sendable {
  /// The index in the table, below 2²⁰.
  @usableFromInline let index: Int
  /// The number of earlier objects at the index, below 2²⁰.
  @usableFromInline let generation: Int

  @usableFromInline static var indexBits: Int { 20 }
  @usableFromInline static var generationBits: Int { 20 }
  /// The lowest bits are 0, as in an address; the highest bits of an address mark a handle.
  @usableFromInline static var alignment: Int { 4 }
  @usableFromInline static var mark: UInt { 0x5 << 44 }

  init(index: Int, generation: Int) {
    self.index = index
    self.generation = generation
  }

  /// Reads a handle from a pointer, or returns nil if the pointer is not a handle.
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
    // The mark makes the number greater than zero.
    return unsafe OpaquePointer(bitPattern: bits).unsafelyUnwrapped
  }

  /// The handle in 32 bits, with the lowest twelve bits of the generation; never 0.
  public var number: UInt32 {
    UInt32(generation & 0xFFF) << UInt32(Self.indexBits) | UInt32(index)
  }
}
