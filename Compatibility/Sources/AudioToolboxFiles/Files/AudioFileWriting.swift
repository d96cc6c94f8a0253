// SPDX-License-Identifier: Apache-2.0
internal import CoreAudioHandles
public import CoreAudioTypes

/// Writes bytes of PCM, over existing ones or at the end.
///
/// - Parameters:
///   - inAudioFile: the file.
///   - inUseCache: not used.
///   - inStartingByte: the position of the first byte in the audio data.
///   - ioNumBytes: the number of bytes to write; receives the number of bytes that were written.
///   - inBuffer: the bytes, in the format of the file.
/// - Returns: 0; `kAudioFilePositionError` if the position is below 0 or beyond the end;
///   `kAudioFilePermissionsError`; `kAudioFileOperationNotSupportedError` for files of encoded
///   packets; `kAudioFileDoesNotAllow64BitDataSizeError` beyond 4 GB; `kAudioFileNotOpenError`.
/// - Note: Any thread.
@discardableResult
public func AudioFileWriteBytes(
  _ inAudioFile: AudioFileID, _ inUseCache: Bool, _ inStartingByte: Int64,
  _ ioNumBytes: UnsafeMutablePointer<UInt32>, _ inBuffer: UnsafeRawPointer
) -> OSStatus {
  let count = unsafe Int(ioNumBytes.pointee)
  unsafe ioNumBytes.pointee = 0
  return status { () throws(StatusError) in
    let file = try unsafe AudioFileObject.of(inAudioFile)
    let bytes = unsafe UnsafeRawBufferPointer(start: inBuffer, count: count)
    try file.writing { (content) throws(StatusError) in
      try unsafe content.write(bytes, at: inStartingByte)
    }
    unsafe ioNumBytes.pointee = UInt32(count)
  }
}

/// Writes packets.
///
/// PCM can overwrite existing samples; encoded packets can only be appended.
///
/// - Parameters:
///   - inAudioFile: the file.
///   - inUseCache: not used.
///   - inNumBytes: the number of bytes.
///   - inPacketDescriptions: the extents of the packets; nil if all have the same size, or there is
///     one.
///   - inStartingPacket: the number of the first packet, from 0.
///   - ioNumPackets: the number of packets to write; receives the number of packets that were
///     written.
///   - inBuffer: the packets, in the format of the file.
/// - Returns: 0; `kAudioFileInvalidPacketOffsetError` if the first packet is beyond the end;
///   `ParamError` (−50) if an extent is outside the bytes; `kAudioFilePermissionsError`;
///   `kAudioFileOperationNotSupportedError` if encoded packets would overwrite others;
///   `kAudioFileUnsupportedDataFormatError` for a packet that the file cannot store;
///   `kAudioFileDoesNotAllow64BitDataSizeError` beyond 4 GB; `kAudioFileNotOpenError`.
/// - Note: Any thread.
@discardableResult
public func AudioFileWritePackets(
  _ inAudioFile: AudioFileID, _ inUseCache: Bool, _ inNumBytes: UInt32,
  _ inPacketDescriptions: UnsafePointer<AudioStreamPacketDescription>?,
  _ inStartingPacket: Int64, _ ioNumPackets: UnsafeMutablePointer<UInt32>,
  _ inBuffer: UnsafeRawPointer
) -> OSStatus {
  let count = unsafe Int(ioNumPackets.pointee)
  unsafe ioNumPackets.pointee = 0
  return status { () throws(StatusError) in
    let file = try unsafe AudioFileObject.of(inAudioFile)
    let written = try file.writing { (content) throws(StatusError) in
      let packets =
        if let size = content.constantPacketSize {
          AudioFilePackets(size: size, count, inNumBytes)
        } else {
          try unsafe AudioFilePackets(inPacketDescriptions, count, inNumBytes)
        }
      let bytes = unsafe UnsafeRawBufferPointer(start: inBuffer, count: packets.byteCount)
      try unsafe content.write(bytes, packets, at: inStartingPacket)
      return packets.count
    }
    unsafe ioNumPackets.pointee = UInt32(written)
  }
}

extension AudioFileObject {
  /// Lends the content of a file that may be written.
  func writing<Result>(
    _ body: (any AudioFileContent) throws(StatusError) -> Result
  ) throws(StatusError) -> Result {
    guard permissions != .readPermission else { throw StatusError(kAudioFilePermissionsError) }
    return try with(body)
  }
}
