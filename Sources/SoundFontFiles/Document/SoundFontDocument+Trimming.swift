// SPDX-License-Identifier: Apache-2.0

extension SoundFontDocument {
  /// Returns a smaller font with only the presets, zones and samples that the given notes need.
  ///
  /// The order of presets, instruments and samples stays the same. Texts, version, default
  /// modulators and the 46 frames after each sample are kept, so Downbeat's voices play the notes
  /// with exactly the same samples. If two presets have the same number, the last one is kept. A
  /// preset whose notes are all silent is kept without zones, because without it a player would
  /// select another preset. Unknown chunks outside `INFO` are removed. If only half of a stereo
  /// sample is kept, it becomes mono.
  ///
  /// - Parameters:
  ///   - notes: The notes that the font must be able to play.
  ///   - tool: The name of the program that changes the font, for `ISFT`.
  /// - Returns: The smaller font, without presets if it does not contain any of the notes.
  /// - Complexity: O(n) in the number of zones.
  public func trimmed(to notes: PlayedNotes, tool: String = "Downbeat") -> SoundFontDocument {
    var trimmed = self
    trimmed.trimPresets(notes)
    trimmed.removeUnused()
    trimmed.leaveOthers()
    trimmed.setTool(tool)
    return trimmed
  }

  /// The notes of a preset in a part of an instrument.
  private struct Strike {
    let number: PresetNumber
    let range: NoteRange
  }

  private mutating func trimPresets(_ played: PlayedNotes) {
    var strikes: [Int: [Strike]] = [:]
    var kept: [Preset] = []
    for (index, number) in lastPresets().sorted(by: { $0.key < $1.key }) {
      guard let notes = played.notes[number] else { continue }
      var preset = presets[index]
      preset.zones = Self.trimmed(preset.zones, Generator.instrumentKind) { link, range in
        guard link < instruments.count else { return nil }
        guard notes.hasNote(in: range) else { return false }
        strikes[link, default: []].append(Strike(number: number, range: range))
        return true
      }
      kept.append(preset)
    }
    trimInstruments(strikes, played)
    presets = kept.map { preset in
      var preset = preset
      preset.zones.removeAll { zone in
        zone.link(Generator.instrumentKind).map { instruments[$0].zones.isEmpty } ?? false
      }
      let isStruck = preset.zones.contains { $0.link(Generator.instrumentKind) != nil }
      if !isStruck { preset.zones = [] }
      return preset
    }
  }

  /// The presets that can be selected: if several have the same number, the last one.
  private func lastPresets() -> [Int: PresetNumber] {
    var last: [PresetNumber: Int] = [:]
    for (index, preset) in presets.enumerated() {
      last[PresetNumber(bank: Int(preset.bank), program: Int(preset.program))] = index
    }
    return Dictionary(uniqueKeysWithValues: last.map { ($1, $0) })
  }

  /// Keeps only the zones of each instrument that notes use, possibly none.
  private mutating func trimInstruments(_ strikes: [Int: [Strike]], _ played: PlayedNotes) {
    let areUsable = samples.map(\.isUsable)
    for index in instruments.indices {
      guard let struck = strikes[index] else {
        instruments[index].zones = []
        continue
      }
      var notes = NoteSet()
      for strike in struck {
        if let own = played.notes[strike.number] { notes.formUnion(own, in: strike.range) }
      }
      let zones = Self.trimmed(instruments[index].zones, Generator.sampleKind) { link, range in
        guard link < areUsable.count, areUsable[link] else { return nil }
        return notes.hasNote(in: range)
      }
      let isStruck = zones.contains { $0.link(Generator.sampleKind) != nil }
      instruments[index].zones = isStruck ? zones : []
    }
  }

  /// The zones to keep: a global one, and those that are used.
  ///
  /// - Parameters:
  ///   - zones: The zones of a preset or an instrument.
  ///   - kind: The number of the generator that links a zone.
  ///   - isStruck: Returns true if the target of a link is used in a range; nil if it cannot be
  ///     played, in which case the first zone is global, and others are ignored.
  /// - Returns: The zones; the link of a zone is its last generator.
  private static func trimmed(
    _ zones: [Zone], _ kind: UInt16, where isStruck: (Int, NoteRange) -> Bool?
  ) -> [Zone] {
    var kept: [Zone] = []
    for (index, zone) in zones.enumerated() {
      var zone = zone
      let end = zone.generators.firstIndex { $0.kind == kind } ?? zone.generators.count
      let link = end < zone.generators.count ? Int(zone.generators[end].amount) : nil
      switch link.flatMap({ isStruck($0, NoteRange(zone)) }) {
      case true?: zone.generators.removeSubrange((end + 1)...)
      case nil where index == 0: zone.generators.removeSubrange(end...)
      default: continue
      }
      kept.append(zone)
    }
    return kept
  }

  /// Removes unknown chunks and the gaps between samples.
  private mutating func leaveOthers() {
    frame.wholeData = []
    frame.following = []
    frame.sampleChunks = Frame().sampleChunks
    frame.tableChunks = Frame().tableChunks
    // The list `xdta` extends the records of the whole font.
    information.removeAll { $0.name == "LIST" }
  }
}

extension SoundFontDocument.Sample {
  /// True if Downbeat's voices can play it.
  ///
  /// It must not be in ROM, must be uncompressed or compressed with a known codec, and must be
  /// within the sample data.
  var isUsable: Bool {
    guard kind & ~0x1F == 0, rate > 0, start >= 0, start < end - 1 else { return false }
    if isCompressed { return end - 1 <= data.bytes.count }
    return data.bytes.count % 2 == 0 && end - 1 <= data.frameCount
  }
}

extension SoundFontDocument.Zone {
  /// The index in its first link; nil without a link.
  func link(_ kind: UInt16) -> Int? {
    generators.first { $0.kind == kind }.map { Int($0.amount) }
  }
}
