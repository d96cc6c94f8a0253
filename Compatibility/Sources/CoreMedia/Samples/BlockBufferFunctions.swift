// SPDX-License-Identifier: Apache-2.0
public import CoreAudioTypes

/// Options for creating a block buffer.
public typealias CMBlockBufferFlags = UInt32

/// Memory is allocated when the buffer is created.
///
/// This is always the case.
public let kCMBlockBufferAssureMemoryNowFlag: CMBlockBufferFlags = 1
/// The bytes are always copied.
///
/// The flag is ignored.
public let kCMBlockBufferAlwaysCopyDataFlag: CMBlockBufferFlags = 2
/// References to parts of other buffers are kept.
///
/// The flag is ignored.
public let kCMBlockBufferDontOptimizeDepthFlag: CMBlockBufferFlags = 4
/// A buffer of 0 bytes is permitted.
///
/// The flag is ignored.
public let kCMBlockBufferPermitEmptyReferenceFlag: CMBlockBufferFlags = 8
/// The version of `CMBlockBufferCustomBlockSource`.
public let kCMBlockBufferCustomBlockSourceVersion: UInt32 = 0

/// The caller's functions that allocate and free the memory of a block buffer.
@unsafe
public struct CMBlockBufferCustomBlockSource {
  /// The version of the struct, `kCMBlockBufferCustomBlockSourceVersion`.
  public var version: UInt32
  /// The function that allocates the memory; nil if the caller passes the memory.
  public var AllocateBlock:
    (@convention(c) (UnsafeMutableRawPointer?, Int) -> UnsafeMutableRawPointer?)?
  /// The function that frees the memory; nil if the memory is not to be freed.
  public var FreeBlock:
    (@convention(c) (UnsafeMutableRawPointer?, UnsafeMutableRawPointer, Int) -> Void)?
  /// A value that is passed to the functions.
  public var refCon: UnsafeMutableRawPointer?

  /// Creates a block source.
  ///
  /// - Parameters:
  ///   - version: `kCMBlockBufferCustomBlockSourceVersion`.
  ///   - AllocateBlock: Allocates the memory; may be nil.
  ///   - FreeBlock: Frees the memory; may be nil.
  ///   - refCon: A value that is passed to the functions.
  public init(
    version: UInt32,
    AllocateBlock: (@convention(c) (UnsafeMutableRawPointer?, Int) -> UnsafeMutableRawPointer?)?,
    FreeBlock: (@convention(c) (UnsafeMutableRawPointer?, UnsafeMutableRawPointer, Int) -> Void)?,
    refCon: UnsafeMutableRawPointer?
  ) {
    unsafe self.version = version
    unsafe self.AllocateBlock = unsafe AllocateBlock
    unsafe self.FreeBlock = unsafe FreeBlock
    unsafe self.refCon = unsafe refCon
  }
}

/// Creates a block buffer.
///
/// - Parameters:
///   - structureAllocator: Ignored.
///   - memoryBlock: Memory from `malloc`, which the buffer frees; nil to allocate memory that is
///     filled with zeros.
///   - blockLength: The size of the memory in bytes.
///   - blockAllocator: `kCFAllocatorNull` if the buffer must not free the memory; other values are
///     ignored.
///   - customBlockSource: Functions that allocate and free the memory; may be nil.
///   - offsetToData: The offset in the memory at which the buffer starts, in bytes.
///   - dataLength: The length of the buffer in bytes.
///   - flags: Ignored.
///   - blockBufferOut: Receives the buffer.
/// - Returns: 0; `kCMBlockBufferBadLengthParameterErr` if the memory is too small; otherwise
///   another error code.
@discardableResult
public func CMBlockBufferCreateWithMemoryBlock(
  allocator structureAllocator: CFAllocator?, memoryBlock: UnsafeMutableRawPointer?,
  blockLength: Int, blockAllocator: CFAllocator?,
  customBlockSource: UnsafePointer<CMBlockBufferCustomBlockSource>?, offsetToData: Int,
  dataLength: Int, flags: CMBlockBufferFlags, blockBufferOut: UnsafeMutablePointer<CMBlockBuffer?>
) -> OSStatus {
  guard blockLength > 0 || flags & kCMBlockBufferPermitEmptyReferenceFlag != 0,
    offsetToData >= 0, dataLength >= 0, offsetToData <= blockLength,
    dataLength <= blockLength - offsetToData
  else { return kCMBlockBufferBadLengthParameterErr }
  let memory: BlockMemory?
  if let source = unsafe customBlockSource?.pointee {
    guard unsafe source.version == kCMBlockBufferCustomBlockSourceVersion else {
      return kCMBlockBufferBadCustomBlockSourceErr
    }
    memory = unsafe BlockMemory(memoryBlock, blockLength, source)
  } else if let memoryBlock = unsafe memoryBlock {
    let isKept = blockAllocator.map { $0 === kCFAllocatorNull } ?? false
    memory = unsafe BlockMemory(memoryBlock, byteCount: blockLength) {
      if !isKept { unsafe free(memoryBlock) }
    }
  } else {
    memory = BlockMemory(byteCount: blockLength)
  }
  guard let memory else { return kCMBlockBufferBlockAllocationFailedErr }
  unsafe blockBufferOut.pointee = CMBlockBuffer(memory, offset: offsetToData, length: dataLength)
  return noErr
}

extension BlockMemory {
  /// Uses memory of a program, or memory that its function allocates; nil if that fails.
  @unsafe
  fileprivate convenience init?(
    _ block: UnsafeMutableRawPointer?, _ byteCount: Int, _ source: CMBlockBufferCustomBlockSource
  ) {
    guard let base = unsafe block ?? source.AllocateBlock?(source.refCon, byteCount) else {
      return nil
    }
    unsafe self.init(base, byteCount: byteCount) {
      unsafe source.FreeBlock?(source.refCon, base, byteCount)
    }
  }
}

/// Creates a block buffer that shares a part of the bytes of another buffer.
///
/// - Parameters:
///   - structureAllocator: Ignored.
///   - bufferReference: The other buffer.
///   - offsetToData: The offset of the part in bytes.
///   - dataLength: The length of the part in bytes; 0 for all remaining bytes.
///   - flags: Ignored.
///   - blockBufferOut: Receives the buffer.
/// - Returns: 0 or `kCMBlockBufferBadLengthParameterErr`.
@discardableResult
public func CMBlockBufferCreateWithBufferReference(
  allocator structureAllocator: CFAllocator?, referenceBuffer bufferReference: CMBlockBuffer,
  offsetToData: Int, dataLength: Int, flags: CMBlockBufferFlags,
  blockBufferOut: UnsafeMutablePointer<CMBlockBuffer?>
) -> OSStatus {
  let length = dataLength == 0 ? bufferReference.dataLength - offsetToData : dataLength
  guard let part = bufferReference.part(at: offsetToData, length: length) else {
    return kCMBlockBufferBadLengthParameterErr
  }
  unsafe blockBufferOut.pointee = part
  return noErr
}

/// Returns the length of a buffer.
///
/// - Parameter theBuffer: The buffer.
/// - Returns: The length in bytes.
public func CMBlockBufferGetDataLength(_ theBuffer: CMBlockBuffer) -> Int { theBuffer.dataLength }

/// Returns true if a buffer is empty.
///
/// - Parameter theBuffer: The buffer.
/// - Returns: True if the length is 0.
public func CMBlockBufferIsEmpty(_ theBuffer: CMBlockBuffer) -> Bool { theBuffer.isEmpty }

/// Returns true if a range of a buffer is contiguous in memory.
///
/// - Parameters:
///   - theBuffer: The buffer.
///   - offset: The offset of the range in bytes.
///   - length: The length of the range in bytes; 0 for all remaining bytes.
/// - Returns: True if the range is inside the buffer, since buffers are always contiguous.
public func CMBlockBufferIsRangeContiguous(
  _ theBuffer: CMBlockBuffer, atOffset offset: Int, length: Int
) -> Bool { theBuffer.contains(offset, length) }

/// Returns a pointer to the bytes of a buffer, which is valid while the buffer exists.
///
/// - Parameters:
///   - theBuffer: The buffer.
///   - offset: The offset in bytes.
///   - lengthAtOffsetOut: Receives the number of bytes after the offset; may be nil.
///   - totalLengthOut: Receives the length of the buffer in bytes; may be nil.
///   - dataPointerOut: Receives the pointer; may be nil.
/// - Returns: 0 or `kCMBlockBufferBadOffsetParameterErr`.
@discardableResult
public func CMBlockBufferGetDataPointer(
  _ theBuffer: CMBlockBuffer, atOffset offset: Int, lengthAtOffsetOut: UnsafeMutablePointer<Int>?,
  totalLengthOut: UnsafeMutablePointer<Int>?,
  dataPointerOut: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> OSStatus {
  guard offset >= 0, offset < theBuffer.dataLength else {
    return kCMBlockBufferBadOffsetParameterErr
  }
  unsafe lengthAtOffsetOut?.pointee = theBuffer.dataLength - offset
  unsafe totalLengthOut?.pointee = theBuffer.dataLength
  unsafe dataPointerOut?.pointee = unsafe (theBuffer.start + offset)
    .assumingMemoryBound(to: CChar.self)
  return noErr
}

/// Copies bytes from a buffer.
///
/// - Parameters:
///   - theSourceBuffer: The buffer.
///   - offsetToData: The offset of the bytes in the buffer.
///   - dataLength: The number of bytes.
///   - destination: The memory to which the bytes are copied.
/// - Returns: 0; `kCMBlockBufferBadLengthParameterErr` if the bytes are not all inside the buffer.
@discardableResult
public func CMBlockBufferCopyDataBytes(
  _ theSourceBuffer: CMBlockBuffer, atOffset offsetToData: Int, dataLength: Int,
  destination: UnsafeMutableRawPointer
) -> OSStatus {
  guard theSourceBuffer.contains(offsetToData, dataLength) else {
    return kCMBlockBufferBadLengthParameterErr
  }
  withExtendedLifetime(theSourceBuffer) {
    unsafe destination.copyMemory(
      from: theSourceBuffer.start + offsetToData, byteCount: dataLength)
  }
  return noErr
}

/// Replaces bytes of a buffer.
///
/// - Parameters:
///   - sourceBytes: The new bytes.
///   - destinationBuffer: The buffer.
///   - offsetIntoDestination: The offset in the buffer at which the new bytes are written.
///   - dataLength: The number of bytes.
/// - Returns: 0; `kCMBlockBufferBadLengthParameterErr` if the bytes are not all inside the buffer.
@discardableResult
public func CMBlockBufferReplaceDataBytes(
  with sourceBytes: UnsafeRawPointer, blockBuffer destinationBuffer: CMBlockBuffer,
  offsetIntoDestination: Int, dataLength: Int
) -> OSStatus {
  guard destinationBuffer.contains(offsetIntoDestination, dataLength) else {
    return kCMBlockBufferBadLengthParameterErr
  }
  withExtendedLifetime(destinationBuffer) {
    unsafe (destinationBuffer.start + offsetIntoDestination).copyMemory(
      from: sourceBytes, byteCount: dataLength)
  }
  return noErr
}

/// Fills a range of a buffer with a byte.
///
/// - Parameters:
///   - fillByte: The byte.
///   - destinationBuffer: The buffer.
///   - offsetIntoDestination: The offset of the range in bytes.
///   - dataLength: The length of the range in bytes; 0 for all remaining bytes.
/// - Returns: 0; `kCMBlockBufferBadLengthParameterErr` if the range is not inside the buffer.
@discardableResult
public func CMBlockBufferFillDataBytes(
  with fillByte: CChar, blockBuffer destinationBuffer: CMBlockBuffer, offsetIntoDestination: Int,
  dataLength: Int
) -> OSStatus {
  let rest = destinationBuffer.dataLength - max(0, offsetIntoDestination)
  let length = dataLength == 0 ? rest : dataLength
  guard destinationBuffer.contains(offsetIntoDestination, length) else {
    return kCMBlockBufferBadLengthParameterErr
  }
  withExtendedLifetime(destinationBuffer) {
    _ = unsafe memset(destinationBuffer.start + offsetIntoDestination, Int32(fillByte), length)
  }
  return noErr
}
