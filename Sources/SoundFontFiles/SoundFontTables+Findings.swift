// SPDX-License-Identifier: Apache-2.0

extension SoundFontTables {
  /// A fault in a readable font that makes a preset, instrument or sample silent or wrong.
  public struct Finding: Hashable, Sendable, CustomStringConvertible {
    /// The preset, instrument or sample, with its name.
    public let place: String
    /// The description of the fault.
    public let reason: String

    /// The message for the user.
    public var description: String { "\(place): \(reason)" }
  }

  /// Finds faults in presets, samples and loops, in the order of the tables.
  ///
  /// - Parameters:
  ///   - bytes: The bytes of the font, from which compressed samples are read.
  ///   - codecs: The codecs that can be decoded; all by default.
  /// - Returns: The faults; empty for an undamaged font.
  /// - Throws: `SoundFontError.unreadable` if the bytes cannot be read.
  /// - Complexity: O(n) in the number of zones and the bytes of compressed samples.
  public func findings(
    in bytes: FontBytes, codecs: Set<SampleCodec> = Set(SampleCodec.allCases)
  ) throws(SoundFontError) -> [Finding] {
    let instruments = (0..<instrumentCount).map(zones(ofInstrument:))
    let samples = samples
    var findings = conversionFindings + presetFindings(instruments)
    let used = Set(instruments.joined().map(\.sample))
    // Samples can share bytes, so the total number of bytes read is limited.
    var unread = (64 << 20) + 4 * sampleData.count
    for (index, sample) in samples.enumerated() where used.contains(index) {
      let place = "sample \(index + 1) '\(sample.name)'"
      if sample.isCompressed {
        unread -= min(sample.place.count, sampleData.count)
        guard unread >= 0 else {
          findings.append(
            Finding(
              place: place, reason: "not checked: too many samples share the same data"))
          break
        }
      }
      if let reason = try fault(of: sample, bytes, codecs) {
        findings.append(Finding(place: place, reason: reason))
      }
    }
    return findings + loopFindings(instruments, samples)
  }

  private func presetFindings(_ instruments: [[Zone]]) -> [Finding] {
    // If several presets have the same number, synthesisers use the last one in the font.
    var last: [[Int]: Int] = [:]
    for (index, preset) in hydra.presets.enumerated() {
      last[[preset.bank, preset.program]] = index
    }
    let order = hydra.presets.enumerated().sorted {
      ($0.element.bank, $0.element.program, $0.offset)
        < ($1.element.bank, $1.element.program, $1.offset)
    }
    return order.compactMap { index, preset in
      let place = "preset \(preset.bank):\(preset.program) '\(preset.name)'"
      if last[[preset.bank, preset.program]] != index {
        return Finding(
          place: place, reason: "never used: a later preset has the same number")
      }
      if !(0...128).contains(preset.bank) || !(0...127).contains(preset.program) {
        return Finding(place: place, reason: "MIDI cannot select this number")
      }
      let isSilent = preset.instruments.allSatisfy { instruments[$0].isEmpty }
      return isSilent ? Finding(place: place, reason: "silent: it lacks samples") : nil
    }
  }

  /// The reason why a sample is silent; nil if it can be played.
  private func fault(
    of sample: Sample, _ bytes: FontBytes, _ codecs: Set<SampleCodec>
  ) throws(SoundFontError) -> String? {
    if sample.isInROM { return "is in the ROM of a sound chip, not in this file" }
    if sample.place.isEmpty { return "is empty" }
    let limit = sample.isCompressed ? sampleData.count : sampleData.count / 2
    guard sample.place.upperBound <= limit else {
      return "ends at frame \(sample.place.upperBound), but the sample data ends at \(limit)"
    }
    guard (400...192_000).contains(sample.rate) else {
      return "its sample rate is \(sample.rate) Hz (valid: 400…192000 Hz)"
    }
    guard sample.isCompressed else { return nil }
    let start = sampleData.lowerBound
    let stream = try EncodedStream(
      bytes.bytes(start + sample.place.lowerBound..<start + sample.place.upperBound))
    return stream.fault(
      loopEnd: sample.loop.isEmpty ? 0 : sample.loop.upperBound, codecs: codecs)
  }

  /// The faults of loops that are played and are not within their sample.
  private func loopFindings(_ instruments: [[Zone]], _ samples: [Sample]) -> [Finding] {
    var looped: Set<Int> = []
    for zone in instruments.joined() where (zone.generators[54] ?? 0) & 1 == 1 {
      looped.insert(zone.sample)
    }
    return looped.sorted().compactMap { index in
      let sample = samples[index]
      guard !sample.isCompressed, !sample.isInROM, !sample.place.isEmpty else { return nil }
      let isInside =
        sample.loop.lowerBound >= sample.place.lowerBound && !sample.loop.isEmpty
        && sample.loop.upperBound <= sample.place.upperBound
      return isInside
        ? nil
        : Finding(
          place: "sample \(index + 1) '\(sample.name)'",
          reason: "its loop \(sample.loop) is outside its frames \(sample.place)")
    }
  }
}
