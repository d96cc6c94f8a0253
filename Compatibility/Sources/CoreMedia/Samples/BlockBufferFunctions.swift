// SPDX-License-Identifier: Apache-2.0
public import CoreAudioTypes

/// Options for creating a block buffer.
public typealias CMBlockBufferFlags = UInt32

/// Memory is allocated at once.
public let kCMBlockBufferAssureMemoryNowFlag: CMBlockBufferFlags = 1
/// Bytes are always copied.
public let kCMBlockBufferAlwaysCopyDataFlag: CMBlockBufferFlags = 2
/// References to parts of other buffers are kept.
public let kCMBlockBufferDontOptimizeDepthFlag: CMBlockBufferFlags = 4
/// A buffer of 0 bytes is possible.
public let kCMBlockBufferPermitEmptyReferenceFlag: CMBlockBufferFlags = 8
/// The version of `CMBlockBufferCustomBlockSource`.
public let kCMBlockBufferCustomBlockSourceVersion: UInt32 = 0

/// Functions of a program that allocate and free the memory of a block buffer.
@unsafe
public struct CMBlockBufferCustomBlockSource {
  /// `kCMBlockBufferCustomBlockSourceVersion`.
  public var version: UInt32
  /// Allocates memory; nil if the program gives memory.
  public var AllocateBlock:
    (@convention(c) (UnsafeMutableRawPointer?, Int) -> UnsafeMutableRawPointer?)?
  /// Frees memory; nil to keep it.
  public var FreeBlock:
    (@convention(c) (UnsafeMutableRawPointer?, UnsafeMutableRawPointer, Int) -> Void)?
  /// A value of the program that the functions receive.
  public var refCon: UnsafeMutableRawPointer?

  /// Creates a source.
  ///
  /// - Parameters:
  ///   - version: `kCMBlockBufferCustomBlockSourceVersion`.
  ///   - AllocateBlock: Allocates memory, or nil.
  ///   - FreeBlock: Frees memory, or nil.
  ///   - refCon: A value that the functions receive.
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
///   - structureAllocator: Not used.
///   - memoryBlock: Memory from `malloc`, which the buffer frees; nil to allocate memory of bytes of
///     0.
///   - blockLength: The bytes of the memory.
///   - blockAllocator: `kCFAllocatorNull` to keep the program's memory; otherwise not used.
///   - customBlockSource: Functions that allocate and free the memory, or nil.
///   - offsetToData: The first byte of the buffer in the memory.
///   - dataLength: The bytes of the buffer.
///   - flags: Not used.
///   - blockBufferOut: Receives the buffer.
/// - Returns: 0, `kCMBlockBufferBadLengthParameterErr` if the memory is smaller, or another code.
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

/// Creates a block buffer of a part of another one, whose bytes are not copied.
///
/// - Parameters:
///   - structureAllocator: Not used.
///   - bufferReference: The other buffer.
///   - offsetToData: The first byte of the part.
///   - dataLength: The bytes of the part; 0 for all that follow.
///   - flags: Not used.
///   - blockBufferOut: Receives the buffer.
/// - Returns: 0, or `kCMBlockBufferBadLengthParameterErr`.
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

/// Returns the number of bytes.
///
/// - Parameter theBuffer: The buffer.
/// - Returns: The number.
public func CMBlockBufferGetDataLength(_ theBuffer: CMBlockBuffer) -> Int { theBuffer.dataLength }

/// Returns true if a buffer is empty.
///
/// - Parameter theBuffer: The buffer.
/// - Returns: True for 0 bytes.
public func CMBlockBufferIsEmpty(_ theBuffer: CMBlockBuffer) -> Bool { theBuffer.isEmpty }

/// Returns true if a part of the bytes is in one piece.
///
/// - Parameters:
///   - theBuffer: The buffer.
///   - offset: The first byte.
///   - length: The number of bytes; 0 for all that follow.
/// - Returns: True if the buffer contains the part.
public func CMBlockBufferIsRangeContiguous(
  _ theBuffer: CMBlockBuffer, atOffset offset: Int, length: Int
) -> Bool { theBuffer.contains(offset, length) }

/// Returns the address of bytes, which is valid while the buffer exists.
///
/// - Parameters:
///   - theBuffer: The buffer.
///   - offset: The first byte.
///   - lengthAtOffsetOut: Receives the bytes from there to the end, or nil.
///   - totalLengthOut: Receives the bytes of the buffer, or nil.
///   - dataPointerOut: Receives the address, or nil.
/// - Returns: 0, or `kCMBlockBufferBadOffsetParameterErr`.
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

/// Copies bytes to memory.
///
/// - Parameters:
///   - theSourceBuffer: The buffer.
///   - offsetToData: The first byte.
///   - dataLength: The number of bytes.
///   - destination: The memory.
/// - Returns: 0, or `kCMBlockBufferBadLengthParameterErr` if the buffer ends before.
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

/// Replaces bytes.
///
/// - Parameters:
///   - sourceBytes: The new bytes.
///   - destinationBuffer: The buffer.
///   - offsetIntoDestination: The place of the first in the buffer.
///   - dataLength: The number of bytes.
/// - Returns: 0, or `kCMBlockBufferBadLengthParameterErr` if the buffer ends before.
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

/// Fills bytes with one value.
///
/// - Parameters:
///   - fillByte: The value.
///   - destinationBuffer: The buffer.
///   - offsetIntoDestination: The first byte.
///   - dataLength: The number of bytes; 0 for all that follow.
/// - Returns: 0, or `kCMBlockBufferBadLengthParameterErr` if the buffer ends before.
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
