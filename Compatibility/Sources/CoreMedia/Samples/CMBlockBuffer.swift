// SPDX-License-Identifier: Apache-2.0
public import CoreAudioTypes

/// Bytes that sample buffers contain, in one piece.
///
/// - Note: Any thread. Programs that write the bytes on one thread do not use them on another at the
///   same time.
@safe
public final class CMBlockBuffer: Sendable {
  let memory: BlockMemory
  private let offset: Int
  /// The number of bytes.
  public let dataLength: Int

  init(_ memory: BlockMemory, offset: Int, length: Int) {
    (self.memory, self.offset, dataLength) = (memory, offset, length)
  }

  /// Creates a buffer of bytes of 0.
  ///
  /// - Parameters:
  ///   - length: The number of bytes.
  ///   - allocator: Not used.
  ///   - flags: Not used: memory is allocated at once.
  /// - Throws: An `NSError` with `kCMBlockBufferBlockAllocationFailedErr` if memory runs out.
  public init(length: Int, allocator: CFAllocator? = nil, flags: Flags = []) throws {
    guard let memory = BlockMemory(byteCount: length) else {
      throw NSError(
        domain: NSOSStatusErrorDomain, code: Int(kCMBlockBufferBlockAllocationFailedErr))
    }
    (self.memory, offset, dataLength) = (memory, 0, length)
  }

  /// Creates a buffer of a program's memory, which is not copied.
  ///
  /// - Parameters:
  ///   - buffer: The memory.
  ///   - deallocator: Is called with the memory when the last buffer that uses it is freed.
  ///   - flags: Not used.
  /// - Throws: An `NSError` with `kCMBlockBufferBadPointerParameterErr` for memory without an
  ///   address.
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

  /// Options for creating a buffer.
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
    /// A buffer of 0 bytes is possible.
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

  /// True for 0 bytes.
  public var isEmpty: Bool { dataLength == 0 }

  /// Always true: the bytes are in one piece.
  public var isContiguous: Bool { true }

  /// Returns a copy of the bytes.
  ///
  /// - Returns: The bytes.
  /// - Throws: Nothing; Apple's method can fail.
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
  /// - Throws: An `NSError` with `kCMBlockBufferBadLengthParameterErr` if the memory is smaller.
  public func copyDataBytes(to destination: UnsafeMutableRawBufferPointer) throws {
    guard destination.count >= dataLength else {
      return try MediaStatus.check(kCMBlockBufferBadLengthParameterErr)
    }
    guard let target = destination.baseAddress else { return }
    withExtendedLifetime(self) {
      unsafe target.copyMemory(from: start, byteCount: dataLength)
    }
  }

  /// Replaces bytes.
  ///
  /// - Parameters:
  ///   - source: The new bytes.
  ///   - offsetIntoDestination: The place of the first in the buffer.
  /// - Throws: An `NSError` with `kCMBlockBufferBadLengthParameterErr` if the buffer ends before.
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

  /// Fills all bytes with one value.
  ///
  /// - Parameter fillByte: The value.
  /// - Throws: Nothing; Apple's method can fail.
  public func fillDataBytes(with fillByte: CChar) throws {
    withExtendedLifetime(self) {
      _ = unsafe memset(start, Int32(fillByte), dataLength)
    }
  }

  /// Calls a closure with the bytes, which it may change.
  ///
  /// - Parameters:
  ///   - offset: The first byte.
  ///   - body: Receives the bytes from there to the end.
  /// - Returns: The result of the closure.
  /// - Throws: An `NSError` with `kCMBlockBufferBadOffsetParameterErr` for an offset outside of the
  ///   bytes; the errors of the closure.
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
