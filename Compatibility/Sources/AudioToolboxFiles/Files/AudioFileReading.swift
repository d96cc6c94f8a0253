// SPDX-License-Identifier: Apache-2.0
internal import CoreAudioHandles
public import CoreAudioTypes

/// Reads bytes of the audio data.
///
/// - Parameters:
///   - inAudioFile: the file.
///   - inUseCache: not used.
///   - inStartingByte: the position of the first byte in the audio data.
///   - ioNumBytes: the number of bytes to read; receives the number of bytes that were read.
///   - outBuffer: receives the bytes.
/// - Returns: 0, even if fewer bytes were read; `kAudioFileEndOfFileError` if no bytes are left;
///   `kAudioFilePositionError` if the position is below 0; `kAudioFilePermissionsError`;
///   `kAudioFileNotOpenError`.
/// - Note: Any thread.
@discardableResult
public func AudioFileReadBytes(
  _ inAudioFile: AudioFileID, _ inUseCache: Bool, _ inStartingByte: Int64,
  _ ioNumBytes: UnsafeMutablePointer<UInt32>, _ outBuffer: UnsafeMutableRawPointer
) -> OSStatus {
  let wanted = unsafe Int(ioNumBytes.pointee)
  unsafe ioNumBytes.pointee = 0
  return status { () throws(StatusError) in
    guard inStartingByte >= 0 else { throw StatusError(kAudioFilePositionError) }
    let file = try unsafe AudioFileObject.of(inAudioFile)
    let buffer = unsafe UnsafeMutableRawBufferPointer(start: outBuffer, count: wanted)
    let count = try file.reading { (content) throws(StatusError) in
      try unsafe content.read(buffer, at: inStartingByte)
    }
    unsafe ioNumBytes.pointee = UInt32(count)
    if count == 0, wanted > 0 { throw StatusError(kAudioFileEndOfFileError) }
  }
}

/// Reads as many packets as fit into the buffer.
///
/// - Parameters:
///   - inAudioFile: the file.
///   - inUseCache: not used.
///   - ioNumBytes: the size of the buffer in bytes; receives the number of bytes that were read.
///   - outPacketDescriptions: receives the packet descriptions; may be nil. Not used if all packets
///     have the same size.
///   - inStartingPacket: the index of the first packet.
///   - ioNumPackets: the number of packets to read; receives the number of packets that were read.
///   - outBuffer: receives the packets; nil to receive only the descriptions.
/// - Returns: 0, even if no packets are left; `kAudioFileInvalidPacketOffsetError` if the packet is
///   below 0; `kAudioFilePermissionsError`; `kAudioFileNotOpenError`.
/// - Note: Any thread.
@discardableResult
public func AudioFileReadPacketData(
  _ inAudioFile: AudioFileID, _ inUseCache: Bool, _ ioNumBytes: UnsafeMutablePointer<UInt32>,
  _ outPacketDescriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?,
  _ inStartingPacket: Int64, _ ioNumPackets: UnsafeMutablePointer<UInt32>,
  _ outBuffer: UnsafeMutableRawPointer?
) -> OSStatus {
  let capacity = unsafe Int(ioNumBytes.pointee)
  let wanted = unsafe ioNumPackets.pointee
  unsafe (ioNumBytes.pointee, ioNumPackets.pointee) = (0, 0)
  return status { () throws(StatusError) in
    let read = try unsafe PacketReading(
      file: inAudioFile, start: inStartingPacket, count: wanted, capacity: capacity
    ).read(outBuffer, outPacketDescriptions)
    unsafe (ioNumBytes.pointee, ioNumPackets.pointee) = (read.byteCount, read.packetCount)
  }
}

/// Reads packets into a buffer that must be large enough for all of them.
///
/// - Parameters:
///   - inAudioFile: the file.
///   - inUseCache: not used.
///   - outNumBytes: receives the number of bytes that were read.
///   - outPacketDescriptions: receives the packet descriptions; may be nil. Not used if all packets
///     have the same size.
///   - inStartingPacket: the index of the first packet.
///   - ioNumPackets: the number of packets to read; receives the number of packets that were read.
///   - outBuffer: receives the packets; nil to receive only the descriptions.
/// - Returns: 0, even if no packets are left; `kAudioFileInvalidPacketOffsetError`;
///   `kAudioFilePermissionsError`; `kAudioFileNotOpenError`.
/// - Note: Any thread. `AudioFileReadPacketData` is safer, because it checks the size of the
///   buffer.
@discardableResult
public func AudioFileReadPackets(
  _ inAudioFile: AudioFileID, _ inUseCache: Bool, _ outNumBytes: UnsafeMutablePointer<UInt32>,
  _ outPacketDescriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?,
  _ inStartingPacket: Int64, _ ioNumPackets: UnsafeMutablePointer<UInt32>,
  _ outBuffer: UnsafeMutableRawPointer?
) -> OSStatus {
  let wanted = unsafe ioNumPackets.pointee
  unsafe (outNumBytes.pointee, ioNumPackets.pointee) = (0, 0)
  return status { () throws(StatusError) in
    let read = try unsafe PacketReading(
      file: inAudioFile, start: inStartingPacket, count: wanted, capacity: Int(UInt32.max)
    ).read(outBuffer, outPacketDescriptions)
    unsafe (outNumBytes.pointee, ioNumPackets.pointee) = (read.byteCount, read.packetCount)
  }
}

/// Packets that a program wants to read.
@safe private struct PacketReading {
  let file: AudioFileID
  let start: Int64
  let count: UInt32
  /// The size of the buffer.
  let capacity: Int

  struct Result {
    let byteCount: UInt32
    let packetCount: UInt32
  }

  func read(
    _ buffer: UnsafeMutableRawPointer?,
    _ descriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?
  ) throws(StatusError) -> Result {
    guard start >= 0 else { throw StatusError(kAudioFileInvalidPacketOffsetError) }
    let object = try unsafe AudioFileObject.of(file)
    return try object.reading { (content) throws(StatusError) in
      guard let first = content.packet(start) else {
        return Result(byteCount: 0, packetCount: 0)
      }
      let isConstant = content.constantPacketSize != nil
      let (packets, bytes) =
        isConstant
        ? constant(content, first)
        : unsafe variable(content, first, descriptions)
      if let buffer = unsafe buffer, bytes > 0 {
        let target = unsafe UnsafeMutableRawBufferPointer(start: buffer, count: bytes)
        guard try unsafe content.read(target, at: first.byte) == bytes else {
          throw StatusError(kAudioFileInvalidFileError)
        }
      }
      return Result(byteCount: UInt32(bytes), packetCount: UInt32(packets))
    }
  }

  /// The number of packets and their bytes if all have the same size.
  private func constant(
    _ content: any AudioFileContent, _ first: AudioFilePacket
  ) -> (packets: Int, bytes: Int) {
    let size = max(1, first.byteCount)
    let packets = min(Int(count), capacity / size, Int(clamping: content.packetCount - start))
    return (packets, packets * size)
  }

  /// The number of packets and their bytes, whose extents are stored.
  private func variable(
    _ content: any AudioFileContent, _ first: AudioFilePacket,
    _ descriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?
  ) -> (packets: Int, bytes: Int) {
    let states = content.format.mFramesPerPacket == 0
    var (packets, bytes) = (0, 0)
    while packets < Int(count), let packet = content.packet(start + Int64(packets)),
      packet.byteCount <= capacity - bytes
    {
      unsafe descriptions?[packets] = AudioStreamPacketDescription(
        mStartOffset: Int64(bytes),
        mVariableFramesInPacket: states ? UInt32(clamping: packet.frameCount) : 0,
        mDataByteSize: UInt32(packet.byteCount))
      (packets, bytes) = (packets + 1, bytes + packet.byteCount)
    }
    return (packets, bytes)
  }
}

extension AudioFileObject {
  /// Lends the content of a file that may be read.
  fileprivate func reading<Result>(
    _ body: (any AudioFileContent) throws(StatusError) -> Result
  ) throws(StatusError) -> Result {
    guard permissions != .writePermission else { throw StatusError(kAudioFilePermissionsError) }
    return try with(body)
  }
}
