// SPDX-License-Identifier: Apache-2.0
internal import CFFmpeg

/// The frames that a feed's packets decode to, without those that are not sound.
@safe
final class DecodedSound: FrameSource {
  /// What is known of frames before they are read.
  struct Extent {
    /// Decoded frames before the first.
    var priming: Int64 = 0
    /// Frames of sound; nil where only the end tells.
    var frameCount: Int64?
    /// Whether frames that are missing at the end are silent: only where packets were counted.
    var isFilledUp = false
  }

  /// What the packets decode to.
  let shape: DecoderHandle.Shape
  let integerBits: Int?
  private let feed: any PacketFeed
  private let library: UnsafePointer<CFFmpegTable>
  private let path: String
  private var decoder: DecoderHandle
  private let packet: PacketHandle
  private var extent = Extent()
  /// The number of the next decoded frame, those that are not sound counted.
  private var place: Int64 = 0
  /// The frames of the decoder that are left, and how many silent ones come before them.
  private var frames = 0..<0
  private var silent: Int64 = 0
  /// Where the decoder's next frame belongs.
  private var decoded: Int64 = 0
  private var isDraining = false

  /// Packets after which a decoder has found out what they hold.
  private static let probed = 8

  /// Opens a decoder and looks at the first packets.
  ///
  /// - Throws: `SoundFileError.notSoundFile` where there is no decoder, or nothing that it decodes.
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

  /// Says what of the decoded frames is sound; the next frame read is then the first of it.
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

  /// Frames that may still come.
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
    // Without a known end the frame may lie behind it.
    return place == target
  }

  /// Goes back, or ahead, to a decoded frame.
  private func rewind(to frame: Int64) -> Bool {
    guard let start = feed.locate(forFrame: frame) else { return false }
    // A decoder that was only flushed keeps the state of its noise, and has left out by now what an
    // encoder put before the sound.
    do {
      decoder = try unsafe DecoderHandle(library, feed.parameters, path: path)
    } catch {
      return false
    }
    (place, decoded, frames, silent, isDraining) = (start, start, 0..<0, 0, false)
    skip(to: frame)
    return true
  }

  /// Decodes up to a frame.
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

  /// Decodes on to the next frames; false at the end.
  private func advance() -> Bool {
    while true {
      let code = decoder.receive()
      if code >= 0 {
        let shape = decoder.shape
        // Another rate in the middle would be played at the wrong speed: it is silent instead.
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

  /// Puts a packet into the decoder; false at the end.
  private func feedOne() -> Bool {
    guard let fed = feed.next(into: packet) else { return false }
    // What a broken packet did not give is silent, so that all others stay where they belong.
    if let first = fed.firstFrame, first > decoded {
      silent = first - decoded
      decoded = first
    }
    if fed.isWhole { _ = decoder.send(packet) }
    packet.clear()
    return true
  }

  /// What is missing at the end is silent, where the end is known.
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

  /// Of what packets decode to, the highest rate: extensions may begin with a later packet.
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
  /// The bytes of a sample.
  var byteCount: Int {
    switch self {
    case .integer16: 2
    case .integer32, .float32: 4
    case .float64: 8
    }
  }
}
