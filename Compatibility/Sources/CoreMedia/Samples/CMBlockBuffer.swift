// SPDX-License-Identifier: Apache-2.0
public import CoreAudioTypes

/// A contiguous block of bytes, such as the data of a sample buffer.
///
/// - Note: Any thread. While one thread writes the bytes, other threads must not access them.
@safe
public final class CMBlockBuffer: Sendable {
  let memory: BlockMemory
  private let offset: Int
  /// The length in bytes.
  public let dataLength: Int

  init(_ memory: BlockMemory, offset: Int, length: Int) {
    (self.memory, self.offset, dataLength) = (memory, offset, length)
  }

  /// Creates a buffer that is filled with zeros.
  ///
  /// - Parameters:
  ///   - length: The length in bytes.
  ///   - allocator: Ignored.
  ///   - flags: Ignored: the memory is always allocated at once.
  /// - Throws: An `NSError` with `kCMBlockBufferBlockAllocationFailedErr` if not enough memory is
  ///   available.
  public init(length: Int, allocator: CFAllocator? = nil, flags: Flags = []) throws {
    guard let memory = BlockMemory(byteCount: length) else {
      throw NSError(
        domain: NSOSStatusErrorDomain, code: Int(kCMBlockBufferBlockAllocationFailedErr))
    }
    (self.memory, offset, dataLength) = (memory, 0, length)
  }

  /// Creates a buffer that uses your memory without copying it.
  ///
  /// - Parameters:
  ///   - buffer: The memory.
  ///   - deallocator: Called with the memory when the last buffer that uses it is freed.
  ///   - flags: Ignored.
  /// - Throws: An `NSError` with `kCMBlockBufferBadPointerParameterErr` if the base address is nil.
  public init(
    buffer: UnsafeMutableRawBufferPointer,
    deallocator: @escaping (UnsafeMutableRawPointer, Int) -> Void, flags: Flags = []
  ) throws {
    guard let base = buffer.baseAddress else {
      throw NSError(domain: NSOSStatusErrorDomain, code: Int(kCMBlockBufferBadPointerParameterErr))
    }
    let count = buffer.count
    memory = unsafe BlockMemory(base, byteCount: count) { unsafe deallocator(base, count) }
    (offset, dataLength) = (0, count)
  }

  /// Creates a buffer with a copy of bytes; nil if memory runs out.
  package convenience init?(_ bytes: [UInt8]) {
    guard let memory = BlockMemory(byteCount: bytes.count) else { return nil }
    unsafe bytes.withUnsafeBytes { source in
      if let start = source.baseAddress {
        unsafe memory.base.copyMemory(from: start, byteCount: source.count)
      }
    }
    self.init(memory, offset: 0, length: bytes.count)
  }

  /// Options for the creation of a block buffer.
  public struct Flags: OptionSet, Sendable {
    /// The flags as bits.
    public let rawValue: UInt32

    /// Creates flags.
    ///
    /// - Parameter rawValue: The flags as bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Memory is allocated at once.
    public static let assureMemoryNow = Flags(rawValue: 1)
    /// Bytes are always copied.
    public static let alwaysCopyData = Flags(rawValue: 2)
    /// A buffer of 0 bytes is permitted.
    ///
    /// The flag is ignored.
    public static let permitEmptyReference = Flags(rawValue: 8)
  }

  /// The first byte.
  var start: UnsafeMutableRawPointer { unsafe memory.base + offset }

  /// A part of the bytes, which are not copied; nil if the buffer does not contain it.
  func part(at start: Int, length: Int) -> CMBlockBuffer? {
    contains(start, length) ? CMBlockBuffer(memory, offset: offset + start, length: length) : nil
  }

  /// True if the buffer contains a part.
  func contains(_ start: Int, _ length: Int) -> Bool {
    start >= 0 && length >= 0 && start <= dataLength && length <= dataLength - start
  }

  /// True if the length is 0.
  public var isEmpty: Bool { dataLength == 0 }

  /// True if the bytes are contiguous in memory; always true.
  public var isContiguous: Bool { true }

  /// Returns a copy of the bytes.
  ///
  /// - Returns: The bytes.
  /// - Throws: Never; the method is declared as throwing for compatibility with Apple's.
  public func dataBytes() throws -> Data {
    withExtendedLifetime(self) { unsafe Data(bytes: start, count: dataLength) }
  }

  /// The bytes as an array.
  package var bytes: [UInt8] {
    withExtendedLifetime(self) {
      unsafe Array(UnsafeRawBufferPointer(start: start, count: dataLength))
    }
  }

  /// Copies all bytes to memory.
  ///
  /// - Parameter destination: The memory.
  /// - Throws: An `NSError` with `kCMBlockBufferBadLengthParameterErr` if the memory is too small.
  public func copyDataBytes(to destination: UnsafeMutableRawBufferPointer) throws {
    guard destination.count >= dataLength else {
      return try MediaStatus.check(kCMBlockBufferBadLengthParameterErr)
    }
    guard let target = destination.baseAddress else { return }
    withExtendedLifetime(self) {
      unsafe target.copyMemory(from: start, byteCount: dataLength)
    }
  }

  /// Replaces bytes of the buffer.
  ///
  /// - Parameters:
  ///   - source: The new bytes.
  ///   - offsetIntoDestination: The offset in the buffer at which the new bytes are written.
  /// - Throws: An `NSError` with `kCMBlockBufferBadLengthParameterErr` if the bytes do not fit into
  ///   the buffer.
  public func replaceDataBytes(
    with source: UnsafeRawBufferPointer, atOffset offsetIntoDestination: Int = 0
  ) throws {
    guard contains(offsetIntoDestination, source.count) else {
      return try MediaStatus.check(kCMBlockBufferBadLengthParameterErr)
    }
    guard let bytes = source.baseAddress else { return }
    withExtendedLifetime(self) {
      unsafe (start + offsetIntoDestination).copyMemory(from: bytes, byteCount: source.count)
    }
  }

  /// Fills the buffer with a byte.
  ///
  /// - Parameter fillByte: The byte.
  /// - Throws: Never; the method is declared as throwing for compatibility with Apple's.
  public func fillDataBytes(with fillByte: CChar) throws {
    withExtendedLifetime(self) {
      _ = unsafe memset(start, Int32(fillByte), dataLength)
    }
  }

  /// Calls a closure with a pointer through which it can change the bytes.
  ///
  /// - Parameters:
  ///   - offset: The offset of the first byte that the closure receives.
  ///   - body: Receives all bytes from the offset on.
  /// - Returns: The result of the closure.
  /// - Throws: An `NSError` with `kCMBlockBufferBadOffsetParameterErr` if the offset is outside the
  ///   buffer; errors of the closure.
  public func withUnsafeMutableBytes<Result>(
    atOffset offset: Int = 0, _ body: (UnsafeMutableRawBufferPointer) throws -> Result
  ) throws -> Result {
    guard contains(offset, 0) else {
      throw NSError(domain: NSOSStatusErrorDomain, code: Int(kCMBlockBufferBadOffsetParameterErr))
    }
    return try withExtendedLifetime(self) {
      try unsafe body(
        UnsafeMutableRawBufferPointer(start: start + offset, count: dataLength - offset))
    }
  }
}
