// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioToolboxFiles
internal import CoreAudio
internal import CoreMedia
internal import Foundation

/// A file that is written from packets as they are.
final class PacketTarget: WritingTarget {
  private let writer: PacketWriter
  private let layer: SoundLayer
  private let format: CMFormatDescription
  /// Frames before and after the sound, as attachments of buffers state them.
  private var (priming, remainder): (Int64, Int64) = (0, 0)
  private var hasSound = false

  init(_ plan: WritingPlan, _ format: CMFormatDescription) throws(AVError) {
    guard let layer = format.audioStreamBasicDescription?.layer,
      let container = plan.kind.container
    else { throw AVError(.invalidSourceMedia, "the packets do not state their format") }
    let cookie = format.magicCookie.map { [UInt8]($0) } ?? []
    var options = PacketWriter.Options()
    (options.metadata, options.mayReplace) = (plan.metadata, false)
    do {
      writer = try PacketWriter(
        path: plan.path, container: container, layer: layer,
        magicCookie: MagicCookie.decoderCookie(cookie, for: layer), options: options)
    } catch {
      throw AVError(error)
    }
    (self.layer, self.format) = (layer, format)
  }

  func append(_ buffer: CMSampleBuffer) throws(AVError) {
    guard let data = buffer.dataBuffer, buffer.formatDescription == format else {
      throw AVError(.invalidSourceMedia, "the packets do not have the format of those before")
    }
    let bytes = data.bytes
    let before = writer.decodedFrameCount
    for (range, frames) in try packets(of: buffer, bytes.count) {
      do {
        try writer.write(Array(bytes[range]), frameCount: frames)
      } catch {
        throw AVError(error)
      }
    }
    note(buffer, writer.decodedFrameCount - before)
  }

  /// The bytes of the packets, and their frames if they have not the usual number.
  private func packets(
    of buffer: CMSampleBuffer, _ byteCount: Int
  ) throws(AVError) -> [(Range<Int>, Int?)] {
    let size = Int(buffer.audioFormat?.mBytesPerPacket ?? 0)
    var list: [(Range<Int>, Int?)] = []
    if buffer.packets(ofSize: size).isEmpty, buffer.numSamples > 0 {
      throw AVError(.invalidSourceMedia, "a buffer does not state its packets")
    }
    for packet in buffer.packets(ofSize: size) {
      let (start, count) = (Int(packet.mStartOffset), Int(packet.mDataByteSize))
      guard start >= 0, start <= byteCount, count <= byteCount - start else {
        throw AVError(.invalidSourceMedia, "a buffer does not contain its packets")
      }
      let frames = packet.mVariableFramesInPacket
      list.append((start..<start + count, frames > 0 ? Int(frames) : nil))
    }
    return list
  }

  /// Notes the frames of a buffer that are not sound.
  private func note(_ buffer: CMSampleBuffer, _ frames: Int64) {
    let first = buffer.trim(unsafe kCMSampleBufferAttachmentKey_TrimDurationAtStart)
    let last = buffer.trim(unsafe kCMSampleBufferAttachmentKey_TrimDurationAtEnd)
    let start = min(frames, max(0, first?.frame(at: layer.hertz) ?? 0))
    let end = min(frames - start, max(0, last?.frame(at: layer.hertz) ?? 0))
    if hasSound { remainder += start } else { priming += start }
    if frames > start + end { hasSound = true }
    remainder += end
  }

  func finish() throws(AVError) {
    let most = max(0, writer.decodedFrameCount - priming)
    do {
      try writer.finish(
        remainderFrameCount: Int(min(remainder, most)), primingFrameCount: Int(priming))
    } catch {
      throw AVError(error)
    }
  }
}
