// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import CoreAudioTypes

/// The callbacks of a parser.
@safe struct StreamClient {
  private let data: UnsafeMutableRawPointer?
  private let listener: AudioFileStream_PropertyListenerProc
  private let packets: AudioFileStream_PacketsProc

  @unsafe
  init(
    data: UnsafeMutableRawPointer?, listener: @escaping AudioFileStream_PropertyListenerProc,
    packets: @escaping AudioFileStream_PacketsProc
  ) {
    unsafe (self.data, self.listener, self.packets) = (data, listener, packets)
  }

  /// The client's data as C functions take it, which may be nil.
  private var rawData: UnsafeMutableRawPointer {
    unsafe unsafeBitCast(data, to: UnsafeMutableRawPointer.self)
  }

  /// Reports that a property is known.
  func report(_ property: AudioFileStreamPropertyID, of stream: AudioFileStreamID) {
    var flags = AudioFileStreamPropertyFlags.propertyIsCached
    unsafe listener(rawData, stream, property, &flags)
  }

  /// Passes packets on.
  ///
  /// - Parameters:
  ///   - found: the packets, one at least.
  ///   - frameByteCount: the size of a frame of samples, each of which is a packet; nil for encoded
  ///     packets.
  ///   - statesFrames: true if the packets have different numbers of frames.
  func deliver(_ found: [SoundStream.Packet], frameByteCount: Int?, statesFrames: Bool) {
    let bytes = Array(found.map(\.bytes).joined())
    if let frameByteCount {
      unsafe bytes.withUnsafeBytes { memory in
        guard let base = memory.baseAddress else { return }
        unsafe packets(
          rawData, UInt32(bytes.count), UInt32(bytes.count / max(1, frameByteCount)), base, nil)
      }
      return
    }
    var (start, descriptions) = (Int64(0), [AudioStreamPacketDescription]())
    for packet in found {
      descriptions.append(
        AudioStreamPacketDescription(
          mStartOffset: start,
          mVariableFramesInPacket: statesFrames ? UInt32(clamping: packet.frameCount) : 0,
          mDataByteSize: UInt32(packet.bytes.count)))
      start += Int64(packet.bytes.count)
    }
    unsafe bytes.withUnsafeBytes { memory in
      guard let base = memory.baseAddress else { return }
      unsafe descriptions.withUnsafeMutableBufferPointer { list in
        unsafe packets(
          rawData, UInt32(bytes.count), UInt32(found.count), base, list.baseAddress)
      }
    }
  }
}
