// SPDX-License-Identifier: Apache-2.0
@testable import SoundFontFiles

/// A document as text with its complete content, so that two can be compared, also by Python.
enum DocumentListing {
  static func lines(_ document: SoundFontDocument) throws -> [String] {
    var lines = document.information.map { "info \($0.name) \(hex($0.content))" }
    for preset in document.presets {
      lines.append(
        "preset \(hex(preset.name.bytes)) \(preset.bank) \(preset.program) \(preset.library)"
          + " \(preset.genre) \(preset.morphology)")
      lines += preset.zones.flatMap(zone)
    }
    for instrument in document.instruments {
      lines.append("instrument \(hex(instrument.name.bytes))")
      lines += instrument.zones.flatMap(zone)
    }
    return try lines + document.samples.map(sample)
  }

  private static func zone(_ zone: SoundFontDocument.Zone) -> [String] {
    ["zone"] + zone.generators.map { "generator \($0.kind) \($0.amount)" }
      + zone.modulators.map {
        "modulator \($0.source) \($0.destination) \($0.amount) \($0.amountSource) \($0.transform)"
      }
  }

  private static func sample(_ sample: SoundFontDocument.Sample) throws -> String {
    let length = sample.end - sample.start
    // The loop of an empty sample is not significant.
    let loop = length > 0 ? "\(sample.loopStart) \(sample.loopEnd)" : "-"
    var line =
      "sample \(hex(sample.name.bytes)) \(sample.rate) \(sample.key) \(sample.correction)"
      + " \(sample.link) \(sample.kind) \(length) \(loop) "
    let size = sample.isCompressed ? 1 : 2
    line += hex(try sample.data.bytes.bytes(size * sample.start..<size * sample.end))
    if let low = sample.data.lowBytes, !sample.isCompressed {
      let bytes = try low.bytes(sample.start..<sample.end)
      if bytes.contains(where: { $0 != 0 }) { line += " " + hex(bytes) }
    }
    return line
  }

  private static func hex(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
