// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import CoreAudio
internal import CoreMedia

/// Packets of a file as they are, with the frames that are not sound as attachments.
final class PacketSupply: SampleSupply {
  private let packets: PacketReader
  private let description: CMFormatDescription
  /// The decoded frames that are sound and in the time range.
  private let sound: Range<Int64>
  private var next_: Range<Int>
  private let framesPerPacket: Int

  /// Packets of a buffer.
  private static let packetCount = 32
  /// Bytes of a buffer, unless one packet has more.
  private static let byteLimit = 1 << 16

  /// Finds the packets of a range.
  ///
  /// - Parameters:
  ///   - packets: The packets of the file.
  ///   - description: Their format.
  ///   - range: The time range.
  init(_ packets: PacketReader, _ description: CMFormatDescription, _ range: CMTimeRange) {
    let table = packets.table
    self.packets = packets
    self.description = description
    framesPerPacket = Int(description.audioStreamBasicDescription?.mFramesPerPacket ?? 0)
    let frames = range.frames(at: table.hertz, of: table.frameCount)
    let priming = Int64(table.primingFrameCount)
    sound = frames.lowerBound + priming..<frames.upperBound + priming
    guard !frames.isEmpty else {
      next_ = 0..<0
      return
    }
    // The priming belongs to a range from the start, and the remainder to one up to the end.
    let first = frames.lowerBound == 0 ? 0 : table.packet(ofFrame: frames.lowerBound) ?? 0
    let last =
      frames.upperBound == table.frameCount
      ? table.packets.count - 1 : table.packet(ofFrame: frames.upperBound - 1) ?? 0
    next_ = first..<max(first, last + 1)
  }

  func next() throws(AVError) -> CMSampleBuffer? {
    let group = group()
    guard let first = group.first else { return nil }
    next_ = group.endIndex..<next_.upperBound
    var bytes: [UInt8] = []
    var descriptions: [AudioStreamPacketDescription] = []
    for number in group {
      guard let packet = packets.packet(number) else {
        throw AVError(.fileFailedToParse, "\(packets.path): the file ends too early")
      }
      descriptions.append(describe(number, at: bytes.count, packet.count))
      bytes += packet
    }
    let start = packets.table.packets[first].firstFrame
    let time = time(start - Int64(packets.table.primingFrameCount))
    guard let data = CMBlockBuffer(bytes),
      let buffer = CMSampleBuffer(
        data, description, count: group.count, at: time, packets: descriptions)
    else { throw AVError(.outOfMemory) }
    attachTrims(buffer, group)
    return buffer
  }

  private func time(_ frames: Int64) -> CMTime {
    CMTime(value: frames, timescale: CMTimeScale(clamping: packets.table.hertz))
  }

  /// The numbers of the packets of the next buffer.
  private func group() -> Range<Int> {
    var (end, size) = (next_.lowerBound, 0)
    let limit = min(next_.upperBound, next_.lowerBound + Self.packetCount)
    while end < limit {
      size += packets.table.packets[end].byteCount
      if size > Self.byteLimit, end > next_.lowerBound { break }
      end += 1
    }
    return next_.lowerBound..<end
  }

  private func describe(
    _ number: Int, at offset: Int, _ byteCount: Int
  ) -> AudioStreamPacketDescription {
    let frames = packets.table.packets[number].frameCount
    return AudioStreamPacketDescription(
      mStartOffset: Int64(offset),
      mVariableFramesInPacket: frames == framesPerPacket ? 0 : UInt32(clamping: frames),
      mDataByteSize: UInt32(clamping: byteCount))
  }

  /// States which frames of a buffer are not sound.
  private func attachTrims(_ buffer: CMSampleBuffer, _ group: Range<Int>) {
    let (first, last) = (
      packets.table.packets[group.lowerBound], packets.table.packets[group.upperBound - 1]
    )
    let all = first.firstFrame..<last.firstFrame + Int64(last.frameCount)
    let heard = all.clamped(to: sound)
    let start = heard.isEmpty ? Int64(all.count) : heard.lowerBound - all.lowerBound
    let end = heard.isEmpty ? 0 : all.upperBound - heard.upperBound
    attach(start, unsafe kCMSampleBufferAttachmentKey_TrimDurationAtStart, buffer)
    attach(end, unsafe kCMSampleBufferAttachmentKey_TrimDurationAtEnd, buffer)
  }

  private func attach(_ frames: Int64, _ key: CFString, _ buffer: CMSampleBuffer) {
    guard frames > 0 else { return }
    CMSetAttachment(
      buffer, key: key, value: CMTimeCopyAsDictionary(time(frames), allocator: nil),
      attachmentMode: kCMAttachmentMode_ShouldPropagate)
  }
}
