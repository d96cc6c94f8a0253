// SPDX-License-Identifier: Apache-2.0

/// The bags, generators and modulators of presets or of instruments.
struct ZoneTable {
  private var bags = ByteBuffer()
  private var generators = ByteBuffer()
  private var modulators = ByteBuffer()

  /// The number of zones so far.
  var count: Int { bags.bytes.count / 4 }

  mutating func append(_ settings: Settings) {
    appendBag()
    for (generator, value) in settings.generators.sorted(by: { $0.key < $1.key }) {
      generators.append(generator.rawValue)
      generators.append(UInt16(truncatingIfNeeded: value))
    }
    for modulator in settings.modulators {
      modulators.append(modulator.source)
      modulators.append(modulator.target.rawValue)
      modulators.append(Int16(modulator.amount))
      modulators.append(UInt32(0))
    }
  }

  /// One global zone, then the zones with their samples.
  mutating func append(_ layer: Layer, _ samples: [Sample]) {
    let common = layer.voice.settings.merging(layer.settings)
    let tremolo = common.generators[.modLFOToVolume, default: 0]
    append(common.levelled(tremolo: tremolo))
    for zone in layer.voice.zones {
      // What the program sets wins over what the voice gives each zone.
      var settings = zone.settings
      for (generator, value) in layer.settings.generators
      where settings.generators[generator] != nil {
        settings = settings.with(generator, value)
      }
      settings = settings.with(.keyRange, zone.keys.lowerBound | zone.keys.upperBound << 8)
        .with(.rootKey, zone.rootKey - 12 * samples[zone.sample].octaves).with(.sample, zone.sample)
      if zone.velocities != 0...127 {
        let range = zone.velocities
        settings = settings.with(.velocityRange, range.lowerBound | range.upperBound << 8)
      }
      if settings.generators[.attenuation] != nil {
        settings = settings.levelled(
          tremolo: settings.generators[.modLFOToVolume, default: tremolo])
      }
      if zone.looped { settings = settings.with(.sampleModes, 1) }
      append(settings)
    }
  }

  private mutating func appendBag() {
    bags.append(UInt16(generators.bytes.count / 4))
    bags.append(UInt16(modulators.bytes.count / 10))
  }

  /// Writes the three chunks with their closing records.
  func append(to result: inout ByteBuffer, prefix: String) {
    var table = self
    table.appendBag()
    table.generators.append(UInt32(0))
    for _ in 0..<5 { table.modulators.append(UInt16(0)) }
    result.append(chunk: prefix + "bag", table.bags.bytes)
    result.append(chunk: prefix + "mod", table.modulators.bytes)
    result.append(chunk: prefix + "gen", table.generators.bytes)
  }
}
