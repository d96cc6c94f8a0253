// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import MusicalTime

/// Decodes a stream to a WAV file without a name.
///
/// The rate, channels and encoding are those of the first sound: integers with the same number of
/// bits, or single precision for a lossy codec.
///
/// - Note: Use from one task.
final class StreamRecording {
  private let source: any StreamSource
  private let end: StreamTime?
  private var file: FetchedFile?
  private var stream = SoundStream()
  private var decoder: StreamDecoder?
  private var writer: SoundFileWriter?
  private var client = ClientFormat()
  private var isOver = false
  /// The number of bytes since the last packet.
  private var soundlessByteCount: Int64 = 0
  private let soundlessLimit: Int64

  init(_ source: any StreamSource, _ settings: StreamSettings) throws(HTTPError) {
    (self.source, end, soundlessLimit) = (source, settings.end, settings.soundlessLimit)
    file = try FetchedFile(for: source.name)
    stream.takesOtherFormats = true
  }

  /// Processes all events, up to the end of the part.
  func run(after first: StreamEvent) async throws -> FetchedSound {
    var next: StreamEvent? = first
    while let event = next, !isOver {
      try take(event)
      next = isOver ? nil : try await source.next()
    }
    try Task.checkCancellation()
    try endEncoding()
    try writer?.finish()
    guard writer != nil, let file = file.take() else {
      throw HTTPError.notPlayable(source.name, reason: "unknown sound format")
    }
    return FetchedSound(source.name, file)
  }

  private func take(_ event: StreamEvent) throws {
    switch event {
    case .transfer(.bytes(let bytes, let offset)):
      stream.append(bytes, at: source.traits.startsItself ? nil : offset)
      soundlessByteCount += Int64(bytes.count)
      try decode()
    case .transfer(let event): stream.append(event)
    case .fresh:
      try endEncoding()
      (stream, decoder) = (SoundStream(), nil)
      stream.takesOtherFormats = true
    case .silence(let seconds): try addSilence(seconds)
    }
  }

  private func decode() throws {
    for packet in stream.takePackets() {
      guard let properties = stream.properties, !isOver else { return }
      soundlessByteCount = 0
      if decoder == nil {
        decoder = try StreamDecoder(properties, client: client, name: source.name)
      }
      for sound in try decoder?.decode(packet, as: Double.self) ?? [] {
        try write(sound, properties)
      }
    }
    if stream.properties == nil, stream.strayByteCount >= 64 << 10 {
      throw HTTPError.notPlayable(source.name, reason: "unknown sound format")
    }
    guard soundlessByteCount < soundlessLimit else {
      throw HTTPError.soundless(source.name, soundlessLimit)
    }
  }

  private func endEncoding() throws {
    stream.finish()
    try decode()
    guard let properties = stream.properties else { return }
    for sound in decoder?.finish(as: Double.self) ?? [] { try write(sound, properties) }
  }

  private func write(
    _ sound: StreamDecoder.Part<Double>, _ properties: SoundStream.Properties
  ) throws {
    if writer == nil {
      client = ClientFormat(rate: sound.rate, channelCount: sound.channelCount, quality: .high)
      var options = SoundFileWriter.Options()
      options.expectedFrameCount = end == nil ? 0 : limit(sound.rate)
      writer = try SoundFileWriter(
        path: source.name, descriptor: file?.descriptor,
        format: SoundFileFormat(.wav, Self.encoding(of: properties)),
        channelCount: sound.channelCount, rate: sound.rate, options: options)
    }
    guard sound.channelCount == writer?.channelCount else { return }
    try write(sound.samples, sound.rate)
  }

  /// The encoding that preserves each sample exactly.
  private static func encoding(
    of properties: SoundStream.Properties
  ) -> SoundFileFormat.Encoding {
    switch properties.integerBits {
    case .some(...8): .integer8
    case .some(...16): .integer16
    case .some(...24): .integer24
    case .some: .integer32
    case nil: properties.samples?.byteCount == 8 ? .float64 : .float32
    }
  }

  private func write(_ all: [Double], _ rate: SampleRate) throws {
    guard let writer, !isOver else { return }
    let left = max(0, limit(rate) - writer.frameCount)
    let count = min(all.count / writer.channelCount, left)
    let samples = Array(all.prefix(count * writer.channelCount))
    if !samples.isEmpty { try writer.write(samples.span) }
    isOver = writer.frameCount >= limit(rate)
  }

  /// The number of frames of the part.
  private func limit(_ rate: SampleRate) -> Int {
    let hertz = Int(rate.hertz)
    return end.map { Int(($0.seconds(at: hertz) * Double(hertz)).rounded()) } ?? .max
  }

  private func addSilence(_ seconds: Double) throws {
    guard let writer, let rate = client.rate else { return }
    var left = Int(min(1e9, seconds * Double(rate.hertz)))
    while left > 0, !isOver {
      let count = min(left, 8192)
      try write(Array(repeating: 0, count: count * writer.channelCount), rate)
      left -= count
    }
  }
}
