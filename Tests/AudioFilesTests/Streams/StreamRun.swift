// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import AudioTestSupport
import MusicalTime
import TestSupport
import Testing

/// A stream with its packets, and optionally a decoder.
struct StreamRun {
  var stream: SoundStream
  private(set) var packets: [SoundStream.Packet] = []
  private(set) var samples: [Float] = []
  private(set) var rates: [Int] = []
  private(set) var failureCount = 0
  private var decoder: StreamDecoder?
  private let decodes: Bool
  private let client: ClientFormat

  init(byteCount: Int? = nil, decodes: Bool = true, client: ClientFormat = ClientFormat()) {
    stream = SoundStream(byteCount: byteCount.map { Int64($0) })
    stream.takesOtherFormats = true
    (self.decodes, self.client) = (decodes, client)
  }

  /// The same stream with a decoder, and without the packets so far.
  init(_ other: StreamRun, client: ClientFormat) {
    (decodes, self.client) = (true, client)
    stream = other.stream
  }

  /// All bytes, in pieces of random sizes up to a maximum.
  static func all(
    _ bytes: [UInt8], pieces: Int = 1000, byteCount: Int? = nil, decodes: Bool = true,
    client: ClientFormat = ClientFormat()
  ) throws -> StreamRun {
    var run = StreamRun(byteCount: byteCount, decodes: decodes, client: client)
    var random = SplitMix(seed: UInt64(pieces))
    var place = 0
    while place < bytes.count {
      let end = min(bytes.count, place + 1 + Int(random.next() % UInt64(pieces)))
      try run.append(bytes[place..<end])
      place = end
    }
    try run.finish()
    return run
  }

  mutating func append(_ bytes: some Sequence<UInt8>, at offset: Int64? = nil) throws {
    stream.append(bytes, at: offset)
    try take()
  }

  mutating func finish() throws {
    stream.finish()
    try take()
    for sound in decoder?.finish() ?? [] { add(sound) }
    failureCount = decoder?.failureCount ?? 0
  }

  private mutating func take() throws {
    for packet in stream.takePackets() {
      packets.append(packet)
      guard decodes, let properties = stream.properties else { continue }
      if decoder == nil { decoder = try StreamDecoder(properties, client: client) }
      for sound in try decoder?.decode(packet) ?? [] { add(sound) }
    }
  }

  private mutating func add(_ sound: StreamDecoder.Sound) {
    samples += sound.samples
    let hertz = Int(sound.rate.hertz)
    if rates.last != hertz { rates.append(hertz) }
  }

  /// The first frame of each packet.
  var firstFrames: [Int] { packets.map { Int($0.firstFrame) } }

  /// The channels of the first layer.
  func channelCount() throws -> Int { try #require(stream.properties).layers[0].channelCount }

  /// Multiples of a number.
  static func multiples(of step: Int, _ range: Range<Int>) -> [Int] { range.map { step * $0 } }

  /// All samples of a file, from a reader.
  static func read(_ path: String) throws -> [Float] {
    let reader = try SoundFileReader(path: path)
    var samples: [Float] = []
    while case let part = reader.read(frameCount: 5000), !part.isEmpty { samples += part }
    return samples
  }

  /// The largest difference of two sequences of samples.
  static func difference(_ one: [Float], _ other: [Float]) -> Float {
    zip(one, other).reduce(0) { max($0, abs($1.0 - $1.1)) }
  }
}
