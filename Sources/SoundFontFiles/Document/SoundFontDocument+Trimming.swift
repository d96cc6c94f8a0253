// SPDX-License-Identifier: Apache-2.0

extension SoundFontDocument {
  /// The font with no more than some notes need.
  ///
  /// It keeps the presets of the notes, and the zones, instruments, modulators and samples that the notes
  /// use, in their order. Texts, version, default modulators and the 46 frames behind each sample stay
  /// as they are, so Downbeat's voices play the notes as with the whole font, to the bit. Of two presets
  /// with one number the last is kept. A preset whose notes are all silent stays without zones: if it was
  /// missing, a player would choose another. Unknown chunks outside of `INFO` are left out. Half of a stereo
  /// sample that is kept alone becomes mono.
  ///
  /// - Parameters:
  ///   - notes: the notes.
  ///   - tool: the name of the program that changes the font, for `ISFT`.
  /// - Returns: the smaller font, without presets if it has none of the notes.
  /// - Complexity: O(n) in the number of zones.
  public func trimmed(to notes: PlayedNotes, tool: String = "Downbeat") -> SoundFontDocument {
    var trimmed = self
    trimmed.trimPresets(notes)
    trimmed.removeUnused()
    trimmed.leaveOthers()
    trimmed.setTool(tool)
    return trimmed
  }

  /// A preset's notes in a part of an instrument.
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

  /// The presets that can be selected: of those with one number the last.
  private func lastPresets() -> [Int: PresetNumber] {
    var last: [PresetNumber: Int] = [:]
    for (index, preset) in presets.enumerated() {
      last[PresetNumber(bank: Int(preset.bank), program: Int(preset.program))] = index
    }
    return Dictionary(uniqueKeysWithValues: last.map { ($1, $0) })
  }

  /// Leaves each instrument the zones that notes strike; without such it loses all.
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

  /// The zones that are kept: a global one, and those that are struck.
  ///
  /// - Parameters:
  ///   - zones: the zones of a preset or an instrument.
  ///   - kind: the generator that is a zone's link.
  ///   - isStruck: whether the target of a link is struck in a range; nil if it cannot be played. Then the
  ///     first zone is global, and others are ignored.
  /// - Returns: the zones; the link of a zone is its last generator.
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

  /// Leaves out unknown chunks and the gaps between samples.
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
  /// It is not in ROM, is compressed in a known way or not at all, and lies within the sample data.
  var isUsable: Bool {
    guard kind & ~0x1F == 0, rate > 0, start >= 0, start < end - 1 else { return false }
    if isCompressed { return end - 1 <= data.bytes.count }
    return data.bytes.count % 2 == 0 && end - 1 <= data.frameCount
  }
}

extension SoundFontDocument.Zone {
  /// The index that its first link has; nil without one.
  func link(_ kind: UInt16) -> Int? {
    generators.first { $0.kind == kind }.map { Int($0.amount) }
  }
}
