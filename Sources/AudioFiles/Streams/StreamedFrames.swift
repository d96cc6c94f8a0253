// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime

/// The frames of a file that is decoded as a stream, including all links of chained Ogg.
///
/// Sound of later links is converted to the rate and channels of the first one. A seek backwards
/// decodes from the start of the file.
final class StreamedFrames: FrameSource {
  /// The number of bytes that are read in one step.
  private static let chunk = 1 << 14

  let integerBits: Int? = nil
  /// The rate of all frames.
  let rate: SampleRate
  /// The number of channels of all frames.
  let channelCount: Int
  private let file: FileStream
  private let path: String
  private var stream: SoundStream
  private var decoder: StreamDecoder
  /// The position of the next byte of the file.
  private var offset: Int64
  /// Decoded frames that have not been read, interleaved.
  private var samples: ArraySlice<Float> = []
  /// The index of the next frame.
  private var place: Int64 = 0
  private var isFinished = false

  /// Opens a file.
  ///
  /// - Throws: `SoundFileError` if its first packets are not found or cannot be decoded.
  init(_ file: FileStream, path: String) throws(SoundFileError) {
    (self.file, self.path) = (file, path)
    (stream, offset) = Self.opened(file)
    let layer = stream.properties?.layers.first
    guard let layer, let rate = SampleRate(hertz: layer.hertz) else {
      throw .notSoundFile(path: path, reason: "its first packets are not found")
    }
    (self.rate, channelCount) = (rate, layer.channelCount)
    decoder = try Self.decoder(of: stream, rate, layer.channelCount, path)
  }

  /// Reads up to the first packet.
  private static func opened(_ file: FileStream) -> (SoundStream, Int64) {
    var stream = SoundStream()
    stream.takesOtherFormats = true
    var offset: Int64 = 0
    while stream.properties == nil {
      guard let bytes = file.bytes(at: offset, upTo: chunk), !bytes.isEmpty else { break }
      stream.append(bytes)
      offset += Int64(bytes.count)
    }
    return (stream, offset)
  }

  private static func decoder(
    of stream: SoundStream, _ rate: SampleRate, _ channelCount: Int, _ path: String
  ) throws(SoundFileError) -> StreamDecoder {
    guard let properties = stream.properties else {
      throw .notSoundFile(path: path, reason: "its first packets are not found")
    }
    let client = ClientFormat(rate: rate, channelCount: channelCount)
    return try StreamDecoder(properties, client: client, name: path)
  }

  func read(_ samples: UnsafeMutableRawPointer, as type: SampleType, frameCount: Int) -> Int {
    let (wanted, isTooMuch) = frameCount.multipliedReportingOverflow(by: channelCount)
    guard !isTooMuch else { return 0 }
    var done = 0
    while done < wanted, !self.samples.isEmpty || advance() {
      let part = self.samples.prefix(wanted - done)
      unsafe Self.copy(part, to: samples + done * type.byteCount, as: type)
      self.samples = self.samples.dropFirst(part.count)
      done += part.count
    }
    place += Int64(done / channelCount)
    return done / channelCount
  }

  private static func copy(
    _ part: ArraySlice<Float>, to place: UnsafeMutableRawPointer, as type: SampleType
  ) {
    switch type {
    case .float32: unsafe write(part.map { $0 }, to: place)
    case .float64: unsafe write(part.map { Double($0) }, to: place)
    case .integer16: unsafe write(part.map { Int16.nearest(to: Double($0)) }, to: place)
    case .integer32: unsafe write(part.map { Int32.nearest(to: Double($0)) }, to: place)
    }
  }

  private static func write<Sample>(_ values: [Sample], to place: UnsafeMutableRawPointer) {
    unsafe values.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return }
      unsafe place.copyMemory(from: base, byteCount: bytes.count)
    }
  }

  func seek(to frame: Int64) -> Bool {
    guard frame >= place || rewind() else { return false }
    while place < frame, !samples.isEmpty || advance() {
      let count = min(Int64(samples.count / channelCount), frame - place)
      samples = samples.dropFirst(Int(count) * channelCount)
      place += count
    }
    return place == frame
  }

  /// Starts over with another decoder.
  private func rewind() -> Bool {
    (stream, offset) = Self.opened(file)
    (samples, place, isFinished) = ([], 0, false)
    do {
      decoder = try Self.decoder(of: stream, rate, channelCount, path)
      return true
    } catch {
      isFinished = true
      return false
    }
  }

  /// Decodes the next samples; returns false at the end, and at a link that cannot be decoded.
  private func advance() -> Bool {
    while samples.isEmpty, !isFinished {
      var sounds: [StreamDecoder.Sound] = []
      do {
        for packet in nextPackets() { sounds += try decoder.decode(packet) }
        if isFinished { sounds += decoder.finish() }
      } catch {
        // The sound before this link can be played.
        isFinished = true
      }
      samples = sounds.flatMap(\.samples)[...]
    }
    return !samples.isEmpty
  }

  /// The packets that are complete, or those of the next bytes.
  private func nextPackets() -> [SoundStream.Packet] {
    let early = stream.takePackets()
    guard early.isEmpty else { return early }
    let bytes = file.bytes(at: offset, upTo: Self.chunk) ?? []
    offset += Int64(bytes.count)
    isFinished = bytes.isEmpty
    if isFinished { stream.finish() } else { stream.append(bytes) }
    return stream.takePackets()
  }
}
