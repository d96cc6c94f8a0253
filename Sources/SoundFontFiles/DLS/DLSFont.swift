// SPDX-License-Identifier: Apache-2.0

/// Converts a DLS collection to the equivalent soundfont.
///
/// An instrument becomes a preset with one instrument, and a region a zone. A wave becomes a sample
/// for each of its channels and for each loop with which it is played. Sound is read when it is
/// needed.
struct DLSFont {
  /// A channel of a wave with one of its loops.
  private struct SampleKey: Hashable {
    let wave: Int
    let channel: Int
    let loop: Range<Int>?
  }

  let collection: DLSCollection
  let file: FontBytes
  private(set) var document: SoundFontDocument
  /// Parts of the file that cannot be played, or only with changes.
  private(set) var findings: [SoundFontTables.Finding]
  private var samples: [SampleKey: Int] = [:]
  /// The sound of each channel of a wave, which samples with different loops share.
  private var sounds: [SampleKey: SoundFontDocument.SampleData] = [:]
  /// The phase groups of the instrument that have a right channel.
  private var rightGroups: Set<Int> = []
  /// The waves whose bytes were counted, and the sum of these as frames of 16 bits.
  private var counted: Set<Int> = []
  private var soundByteCount = 0
  private var reported: Set<SoundFontTables.Finding> = []

  /// The maximum number of bytes of shared waves beyond eight times the size of the file: 64 MiB.
  private static let sharedByteLimit = 64 << 20

  /// Converts a collection.
  ///
  /// - Parameters:
  ///   - collection: The collection.
  ///   - file: The file that it was read from.
  /// - Complexity: O(n) in the number of regions and connections.
  init(_ collection: DLSCollection, file: FontBytes) {
    (self.collection, self.file) = (collection, file)
    findings = collection.findings
    document = SoundFontDocument(name: "DLS")
    setTexts()
    document.defaultModulators = DLSArticulation.standardModulators
    let banks = DLSBanks(collection.instruments)
    for (index, instrument) in collection.instruments.enumerated() {
      append(instrument, bank: banks.numbers[index])
    }
  }

  /// The texts of a soundfont, each with the DLS texts from which it is taken.
  private static let texts = [
    ("INAM", ["INAM"]), ("ICRD", ["ICRD"]), ("IENG", ["IENG", "IART"]),
    ("IPRD", ["IPRD", "ISRC"]), ("ICOP", ["ICOP"]), ("ICMT", ["ICMT", "ISBJ"]),
    ("ISFT", ["ISFT"]),
  ]

  private mutating func setTexts() {
    for (name, sources) in Self.texts {
      let found = sources.compactMap { source in
        collection.information.first { $0.name == source }
      }.first
      if let found { document.setText(name, FontTable.text(found.content[...])) }
    }
  }

  /// The soundfont, which is created while it is read.
  ///
  /// - Throws: `SoundFontError.damaged` if it exceeds the limits of a soundfont's tables.
  func bytes() throws(SoundFontError) -> FontBytes {
    do throws(UnwritableSoundFont) {
      return try SoundFontWriter.bytes(of: document)
    } catch {
      throw .damaged(reason: error.reason)
    }
  }

  private mutating func append(_ instrument: DLSInstrument, bank: Int?) {
    guard let bank else {
      let place = "\(instrument.upperBank):\(instrument.lowerBank)"
      return report(
        "instrument '\(instrument.name)'",
        "is left out: bank \(place), program \(instrument.program) is used too often")
    }
    let shared = DLSArticulation(instrument.connections)
    rightGroups = Set(instrument.regions.lazy.filter { $0.channels == 2 }.map(\.phaseGroup))
    var zones = DLSZones()
    for (number, region) in instrument.regions.enumerated() {
      let articulation = region.connections.map { DLSArticulation($0) } ?? shared
      for zone in self.zones(region, articulation, of: instrument, number: number) {
        zones.append(zone)
      }
    }
    let index = UInt16(document.instruments.count)
    document.instruments.append(
      SoundFontDocument.Instrument(name: instrument.name, zones: zones.list))
    document.presets.append(
      SoundFontDocument.Preset(
        name: instrument.name, bank: UInt16(bank), program: UInt16(instrument.program),
        zones: [SoundFontDocument.Zone(generators: [.instrument(index)])]))
  }

  /// The zones of a region: one for each channel of its wave, or none if it is silent.
  private mutating func zones(
    _ region: DLSRegion, _ articulation: DLSArticulation, of instrument: DLSInstrument, number: Int
  ) -> [DLSZone] {
    guard let index = region.wave, let wave = collection.waves[index], wave.frameCount > 0 else {
      return []
    }
    guard let zone = DLSZone(region, articulation) else {
      report(
        "instrument '\(instrument.name)', region \(number + 1)",
        "is silent: its keys are \(region.keys.low)–\(region.keys.high), its velocities "
          + "\(region.velocities.low)–\(region.velocities.high)")
      return []
    }
    guard hasRoom(for: index, wave) else { return [] }
    var settings = region.sample ?? wave.sample ?? DLSSample()
    settings.loop = loop(of: settings, index, wave)
    let samples = (0..<wave.channelCount).map { sample(index, wave, settings, channel: $0) }
    let pans =
      samples.count == 2 ? [-500, 500] : [phasePan(of: region, articulation)]
    if samples.count == 2 { link(samples[0], samples[1]) }
    return zip(samples, pans).map { number, pan in
      var zone = zone
      zone.play(
        UInt16(truncatingIfNeeded: number), document.samples[number], settings, articulation,
        pan: pan)
      return zone
    }
  }

  /// Links two samples as the left and right half of a stereo sample.
  ///
  /// Indices that are too large are refused when the soundfont is written.
  private mutating func link(_ left: Int, _ right: Int) {
    (document.samples[left].kind, document.samples[left].link) = (
      4, UInt16(truncatingIfNeeded: right)
    )
    (document.samples[right].kind, document.samples[right].link) = (
      2, UInt16(truncatingIfNeeded: left)
    )
  }

  /// The pan of one of two regions that form a stereo sound, −500 or 500; otherwise 0.
  ///
  /// Regions of one phase group are such if they have different channels, unless the file sets
  /// their pan.
  private func phasePan(of region: DLSRegion, _ articulation: DLSArticulation) -> Int {
    guard region.phaseGroup != 0, articulation.amounts[DLSZone.pan] == nil else { return 0 }
    if region.channels == 2 { return 500 }
    return region.channels == 1 && rightGroups.contains(region.phaseGroup) ? -500 : 0
  }

  /// Returns false for a wave that overlaps others so often that the file must be damaged.
  private mutating func hasRoom(for index: Int, _ wave: DLSWave) -> Bool {
    guard counted.insert(index).inserted else { return true }
    soundByteCount += 2 * wave.frameCount * wave.channelCount
    guard soundByteCount > Self.sharedByteLimit + 8 * file.count else { return true }
    report("wave \(index + 1) '\(wave.name)'", "is silent: it overlaps too many waves")
    counted.remove(index)
    return false
  }

  /// The loop within the wave, or nil.
  private mutating func loop(
    of settings: DLSSample, _ index: Int, _ wave: DLSWave
  ) -> Range<Int>? {
    guard let loop = settings.loop else { return nil }
    let cut = loop.clamped(to: 0..<wave.frameCount)
    if cut != loop {
      report(
        "wave \(index + 1) '\(wave.name)'",
        "its loop \(loop.lowerBound)–\(loop.upperBound) is outside its \(wave.frameCount) frames")
    }
    return cut.isEmpty ? nil : cut
  }

  /// The index of a sample, which is created when it is first needed.
  private mutating func sample(
    _ index: Int, _ wave: DLSWave, _ settings: DLSSample, channel: Int
  ) -> Int {
    let key = SampleKey(wave: index, channel: channel, loop: settings.loop)
    if let known = samples[key] { return known }
    let sample = SoundFontDocument.Sample(
      name: wave.name, data: sound(index, wave, channel: channel),
      loop: settings.loop ?? 0..<0, rate: UInt32(wave.rate),
      key: UInt8(settings.key), correction: Int8(clamping: settings.tuning))
    samples[key] = document.samples.count
    document.samples.append(sample)
    return document.samples.count - 1
  }

  private mutating func sound(
    _ index: Int, _ wave: DLSWave, channel: Int
  ) -> SoundFontDocument.SampleData {
    let key = SampleKey(wave: index, channel: channel, loop: nil)
    if let known = sounds[key] { return known }
    let sound = SoundFontDocument.SampleData(
      frames: DLSFrames(file: file, wave: wave, channel: channel).bytes)
    sounds[key] = sound
    return sound
  }

  private mutating func report(_ place: String, _ reason: String) {
    let finding = SoundFontTables.Finding(place: place, reason: reason)
    guard findings.count < 1000, reported.insert(finding).inserted else { return }
    findings.append(finding)
  }
}
