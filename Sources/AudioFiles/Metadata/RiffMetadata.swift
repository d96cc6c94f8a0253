// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime

/// Markers, regions, loops, instrument and tempo as RIFF chunks, which WAV files contain directly
/// and FLAC files in blocks.
///
/// Sources: RIFF/WAVE (Multimedia Programming Interface and Data Specifications 1.0, and its update
/// 3); the chunk `acid` as Sound Forge and ACID write it.
struct RiffMetadata {
  private(set) var markers: [SoundFileMetadata.Marker] = []
  private(set) var regions: [SoundFileMetadata.Region] = []
  private(set) var instrument: SoundFileMetadata.Instrument?
  private(set) var tempo: SoundFileMetadata.Tempo?

  /// The names of the chunks that are read.
  static let names: Set = ["cue ", "LIST", "smpl", "inst", "acid"]
  private static let countLimit = CueBlock.limit

  /// Reads chunks, the first of each name.
  ///
  /// All lists `adtl` are read.
  ///
  /// - Parameters:
  ///   - chunks: The names and contents.
  ///   - isLittle: True if numbers are little-endian; false in files `RIFX`.
  init(_ chunks: [(name: String, content: ArraySlice<UInt8>)], isLittle: Bool = true) {
    let words = { (bytes: ArraySlice<UInt8>) in Words(bytes: bytes, isLittle: isLittle) }
    let first = { (name: String) in
      chunks.first { $0.name == name }.map { words($0.content) }
    }
    var labels = Labels()
    for chunk in chunks where chunk.name == "LIST" {
      labels.read(chunk.content, isLittle: isLittle)
    }
    if let cues = first("cue ") { readCues(cues, labels) }
    if let sampler = first("smpl") { readSampler(sampler) }
    if let own = first("inst") { readInstrument(own) }
    if let acid = first("acid") { readTempo(acid) }
  }

  private mutating func readCues(_ cues: Words, _ labels: Labels) {
    for index in 0..<min(cues[0, 4] ?? 0, Self.countLimit) {
      guard let identifier = cues[4 + 24 * index, 4], let frame = cues[24 + 24 * index, 4] else {
        return
      }
      let (name, length) = (labels.names[identifier] ?? "", labels.lengths[identifier] ?? 0)
      if length > 0 {
        regions.append(
          SoundFileMetadata.Region(Int64(frame)..<Int64(frame) + Int64(length), name: name))
      } else {
        markers.append(
          SoundFileMetadata.Marker(position: SampleTime(frames: Int64(frame)), name: name))
      }
    }
  }

  private mutating func readSampler(_ sampler: Words) {
    guard let key = sampler[12, 4], let fraction = sampler[16, 4], let count = sampler[28, 4] else {
      return
    }
    var found = SoundFileMetadata.Instrument()
    // A fraction of a semitone above the key; the nearest key is kept.
    let cents = Int((Double(fraction) * 100 / 4_294_967_296).rounded())
    found.baseKey = UInt8(clamping: min(127, key + (cents > 50 ? 1 : 0)))
    found.detune = Int8(cents > 50 ? cents - 100 : cents)
    for index in 0..<min(count, 16) {
      let place = 36 + 24 * index
      guard let way = sampler[place + 4, 4], let start = sampler[place + 8, 4],
        let last = sampler[place + 12, 4], let times = sampler[place + 20, 4]
      else { break }
      guard way < 3, start <= last else { continue }
      // The last frame is part of the loop.
      found.loops.append(
        SoundFileMetadata.Loop(
          Int64(start)..<Int64(last) + 1, direction: [.forward, .alternating, .backward][way],
          count: times))
    }
    instrument = found
  }

  private mutating func readInstrument(_ own: Words) {
    guard let numbers = own.bytes(7), numbers[3] <= numbers[4], numbers[5] <= numbers[6] else {
      return
    }
    var found = instrument ?? SoundFileMetadata.Instrument()
    found.baseKey = numbers[0] & 0x7F
    found.detune = min(50, max(-50, Int8(bitPattern: numbers[1])))
    found.gain = Int(Int8(bitPattern: numbers[2]))
    found.keys = numbers[3] & 0x7F...max(numbers[3] & 0x7F, numbers[4] & 0x7F)
    found.velocities = numbers[5] & 0x7F...max(numbers[5] & 0x7F, numbers[6] & 0x7F)
    instrument = found
  }

  private mutating func readTempo(_ acid: Words) {
    guard let flags = acid[0, 4], let key = acid[4, 2], let beats = acid[12, 4],
      let denominator = acid[16, 2], let numerator = acid[18, 2], let bits = acid[20, 4]
    else { return }
    let rate = Float(bitPattern: UInt32(bits))
    guard rate.isFinite, rate > 0 else { return }
    tempo = SoundFileMetadata.Tempo(
      beatsPerMinute: rate, beatCount: beats, signature: (numerator, denominator),
      key: flags & 2 != 0 && key < 128 ? UInt8(key) : nil)
  }

  /// Numbers in bytes.
  struct Words {
    let bytes: ArraySlice<UInt8>
    let isLittle: Bool

    /// A number of 2 or 4 bytes; nil if it exceeds the bytes.
    subscript(place: Int, count: Int) -> Int? {
      guard let number = bytes.number(place, count) else { return nil }
      guard isLittle else { return number }
      return count == 2
        ? Int(UInt16(number).byteSwapped) : Int(UInt32(truncatingIfNeeded: number).byteSwapped)
    }

    func bytes(_ count: Int) -> [UInt8]? {
      bytes.count >= count ? Array(bytes.prefix(count)) : nil
    }
  }

  /// The names and lengths of a list `adtl`, by the numbers of the cue points.
  private struct Labels {
    var names: [Int: String] = [:]
    var lengths: [Int: Int] = [:]

    mutating func read(_ list: ArraySlice<UInt8>, isLittle: Bool) {
      guard MP4Box.latin(list.prefix(4)) == "adtl" else { return }
      var rest = list.dropFirst(4)
      for _ in 0..<2 * countLimit {
        let words = Words(bytes: rest, isLittle: isLittle)
        guard let size = words[4, 4], size <= rest.count - 8 else { return }
        let name = MP4Box.latin(rest.prefix(4))
        let content = Words(bytes: rest.dropFirst(8).prefix(size), isLittle: isLittle)
        if let identifier = content[0, 4] {
          if name == "labl" {
            let text = content.bytes.dropFirst(4).prefix { $0 != 0 }
            names[identifier] = String(decoding: text, as: UTF8.self)
          } else if name == "ltxt", let length = content[4, 4] {
            lengths[identifier] = length
          }
        }
        rest = rest.dropFirst(8 + size + size % 2)
      }
    }
  }
}

extension RiffMetadata {
  /// The chunks of metadata, with their names and contents.
  ///
  /// - Parameters:
  ///   - metadata: The metadata; positions of 2³² or more are left out.
  ///   - rate: Frames per second of the sound.
  /// - Returns: The chunks that have content, in the order of a file.
  static func chunks(
    _ metadata: SoundFileMetadata, rate: SampleRate
  ) -> [(name: String, content: [UInt8])] {
    var chunks: [(name: String, content: [UInt8])] = []
    let points = Self.points(metadata)
    if !points.isEmpty {
      chunks.append(("cue ", cues(points)))
      var names: [UInt8] = []
      for (index, point) in points.enumerated() { names += labels(index + 1, point) }
      if !names.isEmpty { chunks.append(("LIST", Array("adtl".utf8) + names)) }
    }
    if let instrument = metadata.instrument {
      chunks.append(("smpl", sampler(instrument, rate)))
      chunks.append(("inst", own(instrument)))
    }
    if let tempo = metadata.tempo { chunks.append(("acid", acid(tempo))) }
    return chunks
  }

  /// A marker, or a region with its length.
  private typealias Point = (frame: Int64, length: Int64, name: String)

  private static func points(_ metadata: SoundFileMetadata) -> [Point] {
    var points: [Point] = metadata.markers.map { ($0.position.frames, 0, $0.name) }
    points += metadata.regions.map { region -> Point in
      let frames = region.frames
      return (frames.lowerBound, frames.upperBound - frames.lowerBound, region.name)
    }
    let limit: Int64 = 1 << 32
    let held = points.filter { $0.frame >= 0 && $0.frame < limit && $0.length < limit }
    return Array(held.prefix(countLimit))
  }

  private static func cues(_ points: [Point]) -> [UInt8] {
    var bytes = word(points.count)
    for (index, point) in points.enumerated() {
      bytes += word(index + 1) + word(Int(point.frame)) + Array("data".utf8)
      bytes += word(0) + word(0) + word(Int(point.frame))
    }
    return bytes
  }

  private static func labels(_ identifier: Int, _ point: Point) -> [UInt8] {
    var bytes: [UInt8] = []
    if !point.name.isEmpty {
      bytes += chunk("labl", word(identifier) + point.name.utf8.filter { $0 != 0 } + [0])
    }
    if point.length > 0 {
      // The purpose, country, language, dialect and code page.
      bytes += chunk(
        "ltxt",
        word(identifier) + word(Int(point.length)) + Array("rgn ".utf8)
          + [UInt8](repeating: 0, count: 8))
    }
    return bytes
  }

  private static func sampler(
    _ instrument: SoundFileMetadata.Instrument, _ rate: SampleRate
  ) -> [UInt8] {
    let loops = instrument.loops.filter { $0.frames.upperBound <= 1 << 32 }.prefix(16)
    // The fraction is above the key.
    let isBelow = instrument.detune < 0 && instrument.baseKey > 0
    let cents = max(0, Int(instrument.detune) + (isBelow ? 100 : 0))
    let key = Int(instrument.baseKey) - (isBelow ? 1 : 0)
    let fraction = cents * 4_294_967_296 / 100
    var words: [Int] = [0, 0, 1_000_000_000 / Int(rate.hertz), key, fraction, 0, 0]
    words += [loops.count, 0]
    for (index, loop) in loops.enumerated() {
      let last = Int(max(loop.frames.lowerBound, loop.frames.upperBound - 1))
      let way = [.forward: 0, .alternating: 1, .backward: 2][loop.direction] ?? 0
      words += [index, way, Int(loop.frames.lowerBound), last, 0, loop.count]
    }
    return words.flatMap(word)
  }

  private static func own(_ instrument: SoundFileMetadata.Instrument) -> [UInt8] {
    [
      instrument.baseKey, UInt8(bitPattern: instrument.detune),
      UInt8(bitPattern: Int8(clamping: instrument.gain)), instrument.keys.lowerBound,
      instrument.keys.upperBound, instrument.velocities.lowerBound,
      instrument.velocities.upperBound,
    ]
  }

  private static func acid(_ tempo: SoundFileMetadata.Tempo) -> [UInt8] {
    // Stretched with the tempo, with a key if there is one.
    var bytes = word(tempo.key == nil ? 4 : 6) + half(Int(tempo.key ?? 60)) + half(0x8000)
    bytes += word(0) + word(tempo.beatCount) + half(tempo.signature.1) + half(tempo.signature.0)
    return bytes + word(Int(tempo.beatsPerMinute.bitPattern))
  }

  /// The bytes of a chunk, padded to an even number.
  static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
    Array(name.utf8) + word(content.count) + content + (content.count % 2 == 1 ? [0] : [])
  }

  static func word(_ value: Int) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  private static func half(_ value: Int) -> [UInt8] { Array(word(value).prefix(2)) }
}
