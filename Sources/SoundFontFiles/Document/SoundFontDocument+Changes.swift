// SPDX-License-Identifier: Apache-2.0

extension SoundFontDocument {
  /// Removes presets, and the instruments and samples that no other preset uses.
  ///
  /// - Parameter isRemoved: Returns true for the presets to remove.
  public mutating func removePresets(where isRemoved: (Preset) -> Bool) {
    presets.removeAll(where: isRemoved)
    removeUnused()
  }

  /// Removes instruments that no preset uses, samples that no instrument uses, and their sample
  /// data.
  ///
  /// The indices that refer to instruments and samples are updated. If only half of a stereo sample
  /// is kept, it becomes mono.
  public mutating func removeUnused() {
    let instrumentNumbers = Self.numbers(
      presets.flatMap(\.zones), Generator.instrumentKind, count: instruments.count)
    if instrumentNumbers.count < instruments.count {
      instruments = instrumentNumbers.keys.sorted().map { instruments[$0] }
      for index in presets.indices {
        Self.renumber(&presets[index].zones, Generator.instrumentKind, instrumentNumbers)
      }
    }
    let sampleNumbers = Self.numbers(
      instruments.flatMap(\.zones), Generator.sampleKind, count: samples.count)
    guard sampleNumbers.count < samples.count else { return }
    samples = sampleNumbers.keys.sorted().map { samples[$0].linked(by: sampleNumbers) }
    for index in instruments.indices {
      Self.renumber(&instruments[index].zones, Generator.sampleKind, sampleNumbers)
    }
    closeGaps()
  }

  /// Removes unused data between samples when the font is written.
  ///
  /// The 46 frames after each sample are kept.
  public mutating func closeGaps() { frame.wholeData = [] }

  /// Replaces the sound of a sample; its name, pitch and links stay the same.
  ///
  /// The old sound is omitted from the file if no other sample uses it.
  ///
  /// - Parameters:
  ///   - index: The index of the sample.
  ///   - data: The new sound, which the sample contains completely.
  ///   - isCompressed: True if `data` is a compressed stream.
  ///   - loop: The loop, in frames.
  ///   - rate: The sample rate in hertz; nil to keep the old rate.
  public mutating func replaceSound(
    ofSample index: Int, with data: SampleData, isCompressed: Bool = false, loop: Range<Int>,
    rate: UInt32? = nil
  ) {
    let old = samples[index]
    var new = Sample(
      name: "", data: data, isCompressed: isCompressed, loop: loop, rate: rate ?? old.rate,
      key: old.key, correction: old.correction)
    (new.name, new.link) = (old.name, old.link)
    // The new sound is in the file, even if the old one was in ROM.
    new.kind = old.kind & 0xF | (isCompressed ? 0x10 : 0)
    samples[index] = new
    closeGaps()
  }

  /// Sets the name of the program that changed the font last, in the chunk `ISFT`.
  ///
  /// The chunk consists of the name of the program that created the font, a colon, and the name of
  /// the program that changed the font last.
  ///
  /// Source: SoundFont 2.04, section 5.12.
  ///
  /// - Parameter tool: The name of the program, such as "Downbeat 1.2". Colons are removed, and the
  ///   name is cut to 100 characters.
  public mutating func setTool(_ tool: String) {
    let tool = String(tool.filter { $0 != ":" }.prefix(100))
    let old = text("ISFT") ?? ""
    let creator = String(old.prefix { $0 != ":" })
    let room = 254 - tool.utf8.count
    let kept = String(decoding: Self.prefix(of: creator, limit: room), as: UTF8.self)
    setText("ISFT", "\(kept.isEmpty ? tool : kept):\(tool)")
  }

  /// New indices for the targets of links, in the same order.
  private static func numbers(_ zones: [Zone], _ kind: UInt16, count: Int) -> [Int: Int] {
    var used: Set<Int> = []
    for generator in zones.lazy.flatMap(\.generators) where generator.kind == kind {
      if generator.amount < count { used.insert(Int(generator.amount)) }
    }
    return Dictionary(uniqueKeysWithValues: zip(used.sorted(), 0...))
  }

  private static func renumber(_ zones: inout [Zone], _ kind: UInt16, _ numbers: [Int: Int]) {
    for zone in zones.indices {
      for place in zones[zone].generators.indices
      where zones[zone].generators[place].kind == kind {
        if let number = numbers[Int(zones[zone].generators[place].amount)] {
          zones[zone].generators[place].amount = UInt16(clamping: number)
        }
      }
    }
  }
}

extension SoundFontDocument.Sample {
  /// The sample with the new index of its other half; mono if the other half was removed.
  fileprivate func linked(by numbers: [Int: Int]) -> Self {
    var sample = self
    let isStereo = isLinked
    if let number = numbers[Int(link)], isStereo || link != 0 {
      sample.link = UInt16(clamping: number)
    } else {
      sample.link = 0
      if isStereo { sample.kind = kind & ~0xF | 1 }
    }
    return sample
  }
}
