// SPDX-License-Identifier: Apache-2.0

extension DLSReader {
  /// The maximum number of chunks of a wave that are examined.
  private static let chunkLimit = 64

  /// Reads the headers of the waves that regions use.
  ///
  /// A wave that is missing or damaged is reported, and its regions are silent.
  mutating func readWaves() throws(SoundFontError) {
    let linked = Set(collection.instruments.flatMap { $0.regions.compactMap(\.wave) }).sorted()
    guard !linked.isEmpty else { return }
    guard let pool else { throw .damaged(reason: "the list 'wvpl' is missing") }
    guard let cues else { throw .damaged(reason: "the table 'ptbl' is missing") }
    let head = max(8, try number(cues, at: 0, size: 4))
    let count = min(
      try number(cues, at: 4, size: 4), max(0, cues.content.count - head) / 4)
    var places: [(index: Int, offset: Int)] = []
    for index in linked {
      guard index < count else {
        report("wave \(index + 1)", "is missing: the pool has \(count)")
        continue
      }
      places.append((index, try number(cues, at: head + 4 * index, size: 4)))
    }
    for place in places { try readWave(place.index, at: place.offset, in: pool) }
  }

  private mutating func readWave(
    _ index: Int, at offset: Int, in pool: RIFFChunk
  ) throws(SoundFontError) {
    let start = pool.content.lowerBound + offset
    do throws(SoundFontError) {
      guard let list = try window.chunk(at: start, in: pool), list.kind == "wave" else {
        return report("wave \(index + 1)", "is missing at byte \(start)")
      }
      var (wave, fault) = (try wave(list), String?.none)
      fault = Self.fault(of: wave)
      if fault != nil { wave.data = 0..<0 }
      collection.waves[index] = wave
      if let fault { report("wave \(index + 1) '\(wave.name)'", fault) }
    } catch .damaged {
      report("wave \(index + 1)", "is damaged at byte \(start)")
    }
  }

  private mutating func wave(_ list: RIFFChunk) throws(SoundFontError) -> DLSWave {
    var wave = DLSWave()
    var place = list.content.lowerBound
    for _ in 0..<Self.chunkLimit {
      guard let chunk = try window.chunk(at: place, in: list) else { break }
      switch chunk.label {
      case "fmt ":
        wave.format = try number(chunk, at: 0, size: 2)
        wave.channelCount = try number(chunk, at: 2, size: 2)
        wave.rate = try number(chunk, at: 4, size: 4)
        wave.bits = try number(chunk, at: 14, size: 2)
      case "data": wave.data = chunk.content
      case "wsmp": wave.sample = try sample(chunk)
      case "INFO": wave.name = try name(in: chunk)
      default: break
      }
      place = chunk.end
    }
    return wave
  }

  /// The reason why a wave cannot be played, or nil.
  private static func fault(of wave: DLSWave) -> String? {
    guard let widths = DLSWave.widths[wave.format] else {
      return "is silent: its format is \(wave.format) (supported: 1, 6 and 7; PCM, A-law, µ-law)"
    }
    guard (1...2).contains(wave.channelCount) else {
      return "is silent: it has \(wave.channelCount) channels (supported: 1 or 2)"
    }
    guard widths.contains(wave.bits) else {
      return "is silent: it has \(wave.bits) bits (supported: \(widths))"
    }
    guard (400...192_000).contains(wave.rate) else {
      return "is silent: its sample rate is \(wave.rate) Hz (valid: 400…192000 Hz)"
    }
    return wave.frameCount > 0 ? nil : "is empty"
  }
}
