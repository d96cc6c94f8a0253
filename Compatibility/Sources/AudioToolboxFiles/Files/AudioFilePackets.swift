// SPDX-License-Identifier: Apache-2.0
internal import CoreAudioHandles
internal import CoreAudioTypes

/// The extent of a packet.
struct AudioFilePacket {
  /// The first byte, counted in the sound, or in the memory of a program.
  let byte: Int64
  let byteCount: Int
  /// The first frame, counted from the first decoded frame.
  let frame: Int64
  /// 0 if it is not known.
  let frameCount: Int
}

/// The extents of packets in the memory of a program.
struct AudioFilePackets {
  /// The number of packets.
  let count: Int
  /// The bytes of the memory up to the end of the last packet in it.
  let byteCount: Int
  /// The size of every packet; 0 if they differ.
  private let size: Int
  private let described: [AudioFilePacket]

  /// Creates the complete packets of one size, one after another.
  ///
  /// - Parameters:
  ///   - size: the size, at least 1 byte.
  ///   - count: the number of packets, at most.
  ///   - byteCount: the number of bytes.
  init(size: Int, _ count: Int, _ byteCount: UInt32) {
    self.size = size
    self.count = min(count, Int(byteCount) / size)
    self.byteCount = self.count * size
    described = []
  }

  /// Reads descriptions.
  ///
  /// - Parameters:
  ///   - descriptions: the descriptions; nil for one packet of all bytes.
  ///   - count: the number of packets.
  ///   - byteCount: the number of bytes.
  /// - Throws: `StatusError.parameter` for packets outside of the bytes.
  init(
    _ descriptions: UnsafePointer<AudioStreamPacketDescription>?, _ count: Int,
    _ byteCount: UInt32
  ) throws(StatusError) {
    (size, self.byteCount, self.count) = (0, Int(byteCount), count)
    guard let descriptions = unsafe descriptions else {
      guard count == 1 else { throw .parameter }
      described = [
        AudioFilePacket(byte: 0, byteCount: Int(byteCount), frame: 0, frameCount: 0)
      ]
      return
    }
    var packets: [AudioFilePacket] = []
    for index in 0..<count {
      let packet = unsafe descriptions[index]
      let size = Int64(packet.mDataByteSize)
      guard packet.mStartOffset >= 0, packet.mStartOffset <= Int64(byteCount) - size else {
        throw .parameter
      }
      packets.append(
        AudioFilePacket(
          byte: packet.mStartOffset, byteCount: Int(size), frame: 0,
          frameCount: Int(packet.mVariableFramesInPacket)))
    }
    described = packets
  }

  /// A packet.
  subscript(index: Int) -> AudioFilePacket {
    guard size > 0 else { return described[index] }
    return AudioFilePacket(
      byte: Int64(index * size), byteCount: size, frame: 0, frameCount: 0)
  }
}
