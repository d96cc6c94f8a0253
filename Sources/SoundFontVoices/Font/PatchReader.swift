// SPDX-License-Identifier: Apache-2.0
internal import SoundFontFiles

/// Reads the presets of fonts into regions, one font after another.
///
/// Source: SoundFont 2.04, sections 7, 8 and 9.4.
struct PatchReader {
  /// A preset as regions.
  struct Patch {
    let bank: Int
    let program: Int
    let regions: Range<Int>
  }

  /// The maximum number of regions of all fonts, ten times those of a large one.
  ///
  /// Two tables of 65 535 zones each could produce four billion.
  private static let regionLimit = 100_000
  /// The maximum number of regions of one font for each of its zone records.
  private static let regionsPerRecord = 64
  /// The bytes that samples may read in addition to four times the sample data: 64 MiB.
  private static let sharedByteLimit = 64 << 20
  /// The frames that all compressed samples of a font may have in addition to 64 for each byte:
  /// 2²⁵.
  private static let decodedFrameLimit = 1 << 25
  /// The frames for each byte of Opus at its lowest rate, 6 kbit/s.
  private static let framesPerByte = 64
  /// The maximum number of modulators in all lists, 24 MB.
  private static let modulatorLimit = 1 << 21

  private(set) var patches: [Patch] = []
  private(set) var regions: [Region] = []
  /// The sample of each region.
  private(set) var regionSamples: [Int] = []
  private(set) var samples: [FontSample] = []
  /// The number of frames of the samples and the gaps between them.
  private(set) var frameCount = 0
  let modulators = ModulatorLists()
  private var seen: Set<Int> = []

  /// Reads the presets of a font that earlier fonts do not have.
  ///
  /// - Parameters:
  ///   - layer: the font.
  ///   - source: its sample data.
  ///   - number: its index among the layers.
  ///   - attenuation: the attenuation of all its sounds, in centibels.
  ///   - programs: the program numbers to read, in addition to 0. All programs are read if this is
  ///     nil, or if the font does not have any of them.
  /// - Throws: `SoundFontVoicesError.tooLarge`, `.tooDense`, `.tooManySamples` or
  ///   `.tooManyRegions`.
  mutating func read(
    _ layer: PatchBank.Layer, _ source: FontSamples.Source, number: Int, attenuation: Float,
    programs: Set<Int>?
  ) throws(SoundFontVoicesError) {
    let level = layer.tables.hydra.presetLevel
    let headers = level.headers
    let all = 0..<headers.count - 1
    let wanted = programs.map { programs in
      all.filter { programs.contains(headers.word($0, at: 20)) || headers.word($0, at: 20) == 0 }
    }
    var font = FontReading(
      path: layer.path, tables: layer.tables, source: source, number: number,
      attenuation: attenuation)
    let records = level.bags.count + layer.tables.hydra.instrumentLevel.bags.count
    font.regionLimit = min(
      Self.regionLimit, regions.count + Self.regionsPerRecord * records)
    // If two presets have the same number, FluidSynth uses the last.
    for index in (wanted.flatMap { $0.isEmpty ? nil : $0 } ?? Array(all)).reversed() {
      let program = headers.word(index, at: 20)
      guard program < 128, let bank = layer.bank(of: headers.word(index, at: 22)),
        seen.insert(bank << 7 | program).inserted
      else { continue }
      let start = regions.count
      for zone in FontZone.list(level, of: index, where: { $0 < level.linkCount }) {
        try append(zone, of: &font)
      }
      patches.append(Patch(bank: bank, program: program, regions: start..<regions.count))
    }
  }

  /// Appends the regions of a preset's zone that notes can play.
  private mutating func append(
    _ preset: FontZone, of font: inout FontReading
  ) throws(SoundFontVoicesError) {
    guard let link = preset.link else { return }
    let instrument = font.instrument(link)
    for number in instrument.index.matches(preset.keys, preset.velocities) {
      let zone = instrument.zones[number]
      let keys = zone.keys.and(preset.keys)
      let velocities = zone.velocities.and(preset.velocities)
      guard let sample = zone.link, let place = try place(of: sample, in: &font) else { continue }
      guard regions.count < font.regionLimit, modulators.total < Self.modulatorLimit else {
        throw .tooManyRegions(path: font.path)
      }
      regionSamples.append(place)
      unsafe regions.append(
        Region(
          zone, preset, keys: keys, velocities: velocities, samples[place],
          attenuation: font.attenuation,
          modulators.list(
            standard: font.standard, instrument: zone.modulators, preset: preset.modulators)))
    }
  }

  /// The index of a sample among all samples, assigned at the first request; nil if the sample is
  /// empty.
  private mutating func place(
    of sample: Int, in font: inout FontReading
  ) throws(SoundFontVoicesError) -> Int? {
    if let place = font.places[sample] { return place }
    var found = font.sample(sample)
    // Finding that a compressed sample is empty reads its first and last page.
    font.storedByteCount +=
      found.map { $0.stored.count * ($0.isCompressed ? 1 : 2) } ?? EncodedSample.headCost
    // Samples may share bytes; a font with small tables could request each byte 65 535 times.
    guard font.storedByteCount <= Self.sharedByteLimit + 4 * font.tables.sampleData.count else {
      throw .tooManySamples(path: font.path)
    }
    if let found, found.isCompressed { font.decodedFrameCount += found.frameCount }
    let limit = Self.decodedFrameLimit + Self.framesPerByte * font.tables.sampleData.count
    guard font.decodedFrameCount <= limit else { throw .tooDense(path: font.path) }
    let end = frameCount + (found?.frameCount ?? 0) + FontSamples.gap
    guard end <= FontSamples.limit else { throw .tooLarge(path: font.path, frameCount: end) }
    found?.start = frameCount
    if let found {
      frameCount = end
      samples.append(found)
    }
    let place = found.map { _ in samples.count - 1 }
    font.places[sample] = .some(place)
    return place
  }
}

/// A font while its presets are read.
///
/// Shared parts are read once.
private struct FontReading {
  let path: String
  let tables: SoundFontTables
  let source: FontSamples.Source
  let number: Int
  let attenuation: Float
  /// The modulators of every note.
  let standard: [Modulator]
  /// The indices of its samples among those of all fonts; nil for empty samples.
  var places: [Int: Int?] = [:]
  /// The number of bytes from which its samples so far are read.
  var storedByteCount = 0
  /// The number of frames of its compressed samples so far.
  var decodedFrameCount = 0
  /// The number of regions at which the font is refused.
  var regionLimit = 0
  private var instruments: [Int: (zones: [FontZone], index: ZoneIndex)] = [:]

  init(
    path: String, tables: SoundFontTables, source: FontSamples.Source, number: Int,
    attenuation: Float
  ) {
    (self.path, self.tables, self.source) = (path, tables, source)
    (self.number, self.attenuation) = (number, attenuation)
    standard = tables.defaultModulators.map { Modulator.list($0) } ?? Modulator.standard
  }

  /// The zones of an instrument, read at the first use by a preset.
  mutating func instrument(_ index: Int) -> (zones: [FontZone], index: ZoneIndex) {
    if let known = instruments[index] { return known }
    let tables = tables
    let zones = FontZone.list(tables.hydra.instrumentLevel, of: index) {
      FontSample.isUsable(tables, $0)
    }
    let instrument = (zones: zones, index: ZoneIndex(zones))
    instruments[index] = instrument
    return instrument
  }

  /// A usable sample; nil if it is empty.
  func sample(_ index: Int) -> FontSample? {
    FontSample(tables, index, layer: number) { stored in
      EncodedStream.frameCount(
        head: source.bytes(stored.prefix(EncodedHead.length)),
        tail: source.bytes(stored.suffix(EncodedStream.tailLength)), byteCount: stored.count)
    }
  }
}

extension Region {
  /// Combines two zones, with an additional attenuation in centibels.
  fileprivate init(
    _ zone: FontZone, _ preset: FontZone, keys: FontZone.Range, velocities: FontZone.Range,
    _ sample: FontSample, attenuation: Float,
    _ modulators: (start: UnsafePointer<Modulator>, count: Int)
  ) {
    var generators = Generator.defaults
    for kind in zone.setKinds { generators[kind] = Float(zone.amounts[kind]) }
    for kind in preset.setKinds { generators[kind] += Float(preset.amounts[kind]) }
    // The EMU8000 uses two fifths of a font's attenuation; FluidSynth rounds the product of each
    // level.
    let taken = [zone, preset].reduce(Double(attenuation)) {
      $0 + Double(Float($1.amounts[48]) * 0.4)
    }
    // Voices use whole centibels, so rounding must not raise the value to the next.
    generators[48] = Float(taken)
    if Double(generators[48]) > taken { generators[48] = generators[48].nextDown }
    unsafe self.init(
      lowKey: keys.low, highKey: keys.high, lowVelocity: velocities.low,
      highVelocity: velocities.high, generators: generators, start: Int32(sample.start),
      end: Int32(sample.start + sample.frameCount),
      loopStart: Int32(sample.start + sample.loop.lowerBound),
      loopEnd: Int32(sample.start + sample.loop.upperBound),
      soundEnd: Int32(sample.start + sample.soundCount), loopExcess: Int32(sample.loopExcess),
      rate: Float(sample.rate), key: sample.key, correction: sample.correction, noiseFloor: 0,
      modulators: modulators.start, modulatorCount: Int32(modulators.count))
  }
}
