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

  private(set) var patches: [Patch] = []
  private(set) var regions: [Region] = []
  /// The sample of each region.
  private(set) var regionSamples: [Int] = []
  private(set) var samples: [FontSample] = []
  /// The frames that the samples and what is between them take.
  private(set) var frameCount = 0
  let modulators = ModulatorLists()
  private var seen: Set<Int> = []

  /// Reads those presets of a font that no font before it has.
  ///
  /// - Parameters:
  ///   - attenuation: what is taken from all its sounds, in centibels.
  ///   - programs: the numbers that are wanted, besides 0; of a font that has none, or where it is
  ///     nil, all.
  mutating func read(
    _ layer: PatchBank.Layer, _ file: FontSamples.File, number: Int, attenuation: Float,
    programs: Set<Int>?
  ) throws(SoundFontVoicesError) {
    let level = layer.tables.hydra.presetLevel
    let headers = level.headers
    let all = 0..<headers.count - 1
    let wanted = programs.map { programs in
      all.filter { programs.contains(headers.word($0, at: 20)) || headers.word($0, at: 20) == 0 }
    }
    var font = FontReading(layer.tables, file, number: number, attenuation: attenuation)
    // Of two presets of a number FluidSynth finds the last.
    for index in (wanted.flatMap { $0.isEmpty ? nil : $0 } ?? Array(all)).reversed() {
      let program = headers.word(index, at: 20)
      let bank = headers.word(index, at: 22) + layer.bankOffset
      guard program < 128, bank >= 0, seen.insert(bank << 7 | program).inserted else { continue }
      let start = regions.count
      for zone in FontZone.list(level, of: index, where: { $0 < level.linkCount }) {
        append(zone, of: &font)
      }
      patches.append(Patch(bank: bank, program: program, regions: start..<regions.count))
      guard frameCount <= FontSamples.limit else {
        throw .tooLarge(path: layer.path, frameCount: frameCount)
      }
    }
  }

  /// Appends the regions of a preset's zone.
  private mutating func append(_ preset: FontZone, of font: inout FontReading) {
    guard let link = preset.link else { return }
    for zone in font.zones(ofInstrument: link) {
      guard let sample = zone.link, let place = place(of: sample, in: &font) else { continue }
      regionSamples.append(place)
      unsafe regions.append(
        Region(
          zone, preset, samples[place], attenuation: font.attenuation,
          modulators.list(instrument: zone.modulators, preset: preset.modulators)))
    }
  }

  /// The number of a sample among all, which it is given when it is first asked for.
  private mutating func place(of sample: Int, in font: inout FontReading) -> Int? {
    if let place = font.places[sample] { return place < 0 ? nil : place }
    font.places[sample] = -1
    // What has no number is told of when the preset is read.
    guard var found = font.sample(sample), frameCount <= FontSamples.limit else { return nil }
    found.start = frameCount
    frameCount += found.frameCount + FontSamples.gap
    if frameCount > FontSamples.limit { return nil }
    samples.append(found)
    font.places[sample] = samples.count - 1
    return samples.count - 1
  }
}

/// A font while its presets are read: what they share is read once.
private struct FontReading {
  let tables: SoundFontTables
  let file: FontSamples.File
  let number: Int
  let attenuation: Float
  /// The numbers of its samples among those of all fonts; below 0 where they have no frames.
  var places: [Int: Int] = [:]
  private var instruments: [Int: [FontZone]] = [:]

  init(_ tables: SoundFontTables, _ file: FontSamples.File, number: Int, attenuation: Float) {
    self.tables = tables
    self.file = file
    self.number = number
    self.attenuation = attenuation
  }

  mutating func zones(ofInstrument index: Int) -> [FontZone] {
    if let zones = instruments[index] { return zones }
    let tables = tables
    let zones = FontZone.list(tables.hydra.instrumentLevel, of: index) {
      FontSample.isUsable(tables, $0)
    }
    instruments[index] = zones
    return zones
  }

  /// A usable sample; nil where it has no frames.
  func sample(_ index: Int) -> FontSample? {
    FontSample(tables, index, layer: number) { stored in
      let tail = stored.suffix(EncodedSample.longestPage)
      return EncodedSample(
        file.bytes(file.data.lowerBound + tail.lowerBound, count: tail.count)
      ).frameCount
    }
  }
}

extension Region {
  /// Takes two zones together.
  ///
  /// - Parameter attenuation: what is taken besides, in centibels.
  fileprivate init(
    _ zone: FontZone, _ preset: FontZone, _ sample: FontSample, attenuation: Float,
    _ modulators: (start: UnsafePointer<Modulator>, count: Int)
  ) {
    let keys = zone.keys.and(preset.keys)
    let velocities = zone.velocities.and(preset.velocities)
    var generators = Generator.defaults
    for kind in 0..<59 {
      if zone.isSet & 1 << kind != 0 { generators[kind] = Float(zone.amounts[kind]) }
      if preset.isSet & 1 << kind != 0 { generators[kind] += Float(preset.amounts[kind]) }
    }
    // The EMU8000 takes two fifths of what fonts say; FluidSynth rounds the product of each level.
    let taken = [zone, preset].reduce(Double(attenuation)) {
      $0 + Double(Float($1.amounts[48]) * 0.4)
    }
    // Voices take it in whole centibels, so that rounding must not lift it to the next.
    generators[48] = Float(taken)
    if Double(generators[48]) > taken { generators[48] = generators[48].nextDown }
    unsafe self.init(
      lowKey: keys.low, highKey: keys.high, lowVelocity: velocities.low,
      highVelocity: velocities.high, generators: generators, start: Int32(sample.start),
      end: Int32(sample.start + sample.frameCount),
      loopStart: Int32(sample.start + sample.loop.lowerBound),
      loopEnd: Int32(sample.start + sample.loop.upperBound), rate: Float(sample.rate),
      key: sample.key, correction: sample.correction, noiseFloor: 0,
      modulators: modulators.start, modulatorCount: Int32(modulators.count))
  }
}
