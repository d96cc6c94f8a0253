// SPDX-License-Identifier: Apache-2.0
internal import CFFmpeg

/// The frames to which the packets of a feed decode, without priming, padding and remainder.
@safe
final class DecodedSound: FrameSource {
  /// The range of decoded frames that are sound, as far as it is known before reading.
  struct Extent {
    /// Decoded frames before the sound.
    var priming: Int64 = 0
    /// The number of frames of sound; nil if it is known only at the end.
    var frameCount: Int64?
    /// True if frames that are missing at the end are replaced by silence, because the packets were
    /// counted.
    var isFilledUp = false
  }

  /// The format of the decoded frames.
  let shape: DecoderHandle.Shape
  let integerBits: Int?
  private let feed: any PacketFeed
  private let library: UnsafePointer<CFFmpegTable>
  private let path: String
  private var decoder: DecoderHandle
  private let packet: PacketHandle
  private var extent = Extent()
  /// The index of the next decoded frame, including frames that are not sound.
  private var place: Int64 = 0
  /// The remaining frames of the decoder, and the number of silent frames before them.
  private var frames = 0..<0
  private var silent: Int64 = 0
  /// The index of the decoder's next frame.
  private var decoded: Int64 = 0
  private var isDraining = false

  /// The number of packets after which a decoder has detected the format.
  private static let probed = 8

  /// Opens a decoder and decodes the first packets.
  ///
  /// - Throws: `SoundFileError.notSoundFile` if FFmpeg does not support the codec, or none of the
  ///   packets can be decoded.
  init(
    _ feed: any PacketFeed, _ library: UnsafePointer<CFFmpegTable>, path: String
  ) throws(SoundFileError) {
    guard let packet = unsafe PacketHandle(library) else {
      throw .notSoundFile(path: path, reason: "not enough memory")
    }
    decoder = try unsafe DecoderHandle(library, feed.parameters, path: path)
    unsafe self.library = library
    self.path = path
    self.packet = packet
    self.feed = feed
    guard let found = Self.probe(feed, decoder, self.packet) else {
      throw .notSoundFile(path: path, reason: "its first packets cannot be decoded")
    }
    shape = found
    let bits = unsafe Int(cffmpeg_AVCodecParameters_bits_per_raw_sample(feed.parameters))
    integerBits = Self.integerBits(found.sampleFormat, raw: bits)
    guard rewind(to: 0) else { throw .notSoundFile(path: path, reason: "it cannot be read twice") }
  }

  /// Sets the range of decoded frames that are sound, and seeks to its start.
  func setExtent(_ extent: Extent) -> Bool {
    self.extent = extent
    return rewind(to: extent.priming)
  }

  func read(_ samples: UnsafeMutableRawPointer, as type: SampleType, frameCount: Int) -> Int {
    var done = 0
    let bytes = shape.channelCount * type.byteCount
    while done < frameCount {
      let wanted = min(frameCount - done, left)
      guard wanted > 0 else { break }
      if silent > 0 {
        let count = Int(min(Int64(wanted), silent))
        unsafe (samples + done * bytes).initializeMemory(
          as: UInt8.self, repeating: 0, count: count * bytes)
        (silent, place, done) = (silent - Int64(count), place + Int64(count), done + count)
      } else if !frames.isEmpty {
        let part = frames.lowerBound..<min(frames.upperBound, frames.lowerBound + wanted)
        unsafe DecodedSamples(decoder, channelCount: shape.channelCount)?
          .copy(part, to: samples + done * bytes, as: type)
        frames = part.upperBound..<frames.upperBound
        (place, done) = (place + Int64(part.count), done + part.count)
      } else if !advance() {
        break
      }
    }
    return done
  }

  /// The number of frames that are not read yet; `Int.max` if it is unknown.
  private var left: Int {
    guard let count = extent.frameCount else { return .max }
    return Int(clamping: extent.priming + count - place)
  }

  func seek(to frame: Int64) -> Bool {
    if let count = extent.frameCount, frame > count { return false }
    let target = frame + extent.priming
    if target < place || feed.isIndexed {
      guard target == place || rewind(to: target) else { return false }
    } else {
      skip(to: target)
    }
    // If the end is unknown, the frame can be after it.
    return place == target
  }

  /// Seeks to a decoded frame in either direction.
  private func rewind(to frame: Int64) -> Bool {
    guard let start = feed.locate(forFrame: frame) else { return false }
    // A flushed decoder would keep the state of its noise generator, and would no longer skip the
    // priming of the encoder.
    do {
      decoder = try unsafe DecoderHandle(library, feed.parameters, path: path)
    } catch {
      return false
    }
    (place, decoded, frames, silent, isDraining) = (start, start, 0..<0, 0, false)
    skip(to: frame)
    return true
  }

  /// Decodes and discards frames up to a frame.
  private func skip(to frame: Int64) {
    while place < frame {
      let wanted = frame - place
      if silent > 0 {
        let count = min(silent, wanted)
        (silent, place) = (silent - count, place + count)
      } else if !frames.isEmpty {
        let count = Int(min(wanted, Int64(frames.count)))
        (frames, place) = (frames.dropFirst(count), place + Int64(count))
      } else if !advance() {
        break
      }
    }
  }

  /// Decodes the next frames; returns false at the end.
  private func advance() -> Bool {
    while true {
      let code = decoder.receive()
      if code >= 0 {
        let shape = decoder.shape
        // Frames at another rate would play at the wrong speed, so they are silent instead.
        guard shape.hertz == self.shape.hertz, shape.sampleFormat == self.shape.sampleFormat else {
          continue
        }
        frames = 0..<shape.frameCount
        decoded += Int64(shape.frameCount)
        if !frames.isEmpty { return true }
      } else if isDraining {
        return fillUp()
      } else if !feedOne() {
        isDraining = true
        decoder.drain()
      } else if silent > 0 {
        return true
      }
    }
  }

  /// Sends a packet to the decoder; returns false at the end.
  private func feedOne() -> Bool {
    guard let fed = feed.next(into: packet) else { return false }
    // The frames of a damaged packet are silent, so that all others keep their positions.
    if let first = fed.firstFrame, first > decoded {
      silent = first - decoded
      decoded = first
    }
    if fed.isWhole { _ = decoder.send(packet) }
    packet.clear()
    return true
  }

  /// Adds silence for frames that are missing at the end, if the end is known.
  private func fillUp() -> Bool {
    guard extent.isFilledUp, let count = extent.frameCount, place < extent.priming + count else {
      return false
    }
    silent = extent.priming + count - place
    return true
  }

  private static func probe(
    _ feed: any PacketFeed, _ decoder: borrowing DecoderHandle, _ packet: borrowing PacketHandle
  ) -> DecoderHandle.Shape? {
    var found: DecoderHandle.Shape?
    for _ in 0..<probed {
      guard let fed = feed.next(into: packet) else {
        decoder.drain()
        return judge(decoder, found)
      }
      if fed.isWhole { _ = decoder.send(packet) }
      packet.clear()
      found = judge(decoder, found)
    }
    return found
  }

  /// The format with the highest rate so far, because extensions can begin with a later packet.
  private static func judge(
    _ decoder: borrowing DecoderHandle, _ best: DecoderHandle.Shape?
  ) -> DecoderHandle.Shape? {
    var best = best
    while decoder.receive() >= 0 {
      let shape = decoder.shape
      guard shape.hertz > 0, (1...64).contains(shape.channelCount) else { continue }
      if shape.hertz >= best?.hertz ?? 0 { best = shape }
    }
    return best
  }

  private static func integerBits(_ format: Int, raw: Int) -> Int? {
    switch format {
    case AV_SAMPLE_FMT_U8, AV_SAMPLE_FMT_U8P: 8
    case AV_SAMPLE_FMT_S16, AV_SAMPLE_FMT_S16P: 16
    case AV_SAMPLE_FMT_S32, AV_SAMPLE_FMT_S32P: (1...32).contains(raw) ? raw : 32
    default: nil
    }
  }
}

extension SampleType {
  /// The number of bytes of a sample.
  var byteCount: Int {
    switch self {
    case .integer16: 2
    case .integer32, .float32: 4
    case .float64: 8
    }
  }
}
