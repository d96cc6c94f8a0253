// SPDX-License-Identifier: Apache-2.0
import Foundation
import SoundFontFiles
import TestSupport
import Testing

/// The committed font, zone by zone; `Soundfonts/Generator` holds the sounds to more.
@Suite struct SoundfontTests {
  private let font: SoundFontTables
  private let bytes: FontBytes
  private let frames: [Int16]

  init() throws {
    let path = ToolRun.packageFolder.appendingPathComponent("Soundfonts/Downbeat.sf2")
    let file = [UInt8](try Data(contentsOf: path))
    bytes = FontBytes(file)
    font = try SoundFontTables(bytes)
    let samples = font.sampleData
    frames = stride(from: samples.lowerBound, to: samples.upperBound - 1, by: 2).map {
      Int16(bitPattern: UInt16(file[$0]) | UInt16(file[$0 + 1]) << 8)
    }
  }

  private func zones(_ preset: SoundFontTables.Preset) -> [SoundFontTables.Zone] {
    preset.instruments.flatMap(font.zones(ofInstrument:))
  }

  private var looped: [SoundFontTables.Sample] {
    let all = (0..<font.instrumentCount).flatMap(font.zones(ofInstrument:))
    let samples = font.samples
    return Set(all.filter { $0.generators[54] == 1 }.map(\.sample)).map { samples[$0] }
  }

  @Test func `it is without faults, and at most twelve megabytes large`() throws {
    #expect(try font.findings(in: bytes).isEmpty)
    #expect(bytes.count <= 12_000_000)
  }

  @Test func `all General MIDI programs and the kits of General MIDI 2 are there`() {
    let programs = font.presets.filter { $0.bank == 0 }.map(\.program)
    #expect(programs == Array(0...127))
    let kits = font.presets.filter { $0.bank == 128 }.map(\.program)
    #expect(kits == [0, 8, 16, 24, 25, 32, 40, 48])
    #expect(Set(font.presets.map(\.name)).count == font.presets.count)
    #expect(!font.presets.contains { $0.name.isEmpty })
  }

  @Test func `every kit answers on every General MIDI percussion key and no key twice`() {
    for kit in font.presets where kit.bank == 128 {
      let keys = zones(kit).map(\.keys)
      #expect(keys.allSatisfy { $0.count == 1 })
      let single = keys.map(\.lowerBound)
      #expect(Set(single).count == single.count, "\(kit.name)")
      #expect(Set(single).isSuperset(of: 35...81), "\(kit.name)")
    }
  }

  @Test func `every program answers on every key at every velocity`() {
    for preset in font.presets where preset.bank < 128 {
      let zones = zones(preset)
      for key in 0...127 {
        for velocity in [1, 60, 67, 68, 74, 75, 76, 100, 127] {
          let sounds = zones.contains {
            $0.keys.contains(key) && $0.velocities.contains(velocity)
          }
          #expect(sounds, "\(preset.name), key \(key), velocity \(velocity)")
        }
      }
    }
  }

  @Test func `samples have silence between them, and room for interpolation about their loops`() {
    for sample in font.samples {
      let after = frames[sample.place.upperBound..<sample.place.upperBound + 46]
      #expect(after.allSatisfy { $0 == 0 }, "\(sample.name)")
    }
    for sample in looped {
      #expect(sample.loop.count > 31, "\(sample.name)")
      #expect(sample.loop.upperBound + 8 <= sample.place.upperBound, "\(sample.name)")
    }
  }

  @Test func `every looped zone of a program sounds its key within two cents`() {
    let samples = font.samples
    for preset in font.presets where preset.bank < 128 && preset.program < 119 {
      for zone in zones(preset) where zone.generators[54] == 1 && zone.generators[56] != 0 {
        let sample = samples[zone.sample]
        let root = zone.generators[58] ?? sample.key
        let wanted = 440 * pow(2, Double(root - 69) / 12)
        let periods = (wanted * Double(sample.loop.count) / Double(sample.rate)).rounded()
        let sounding = periods * Double(sample.rate) / Double(sample.loop.count)
        #expect(abs(1200 * log2(sounding / wanted)) < 2, "\(preset.name), \(sample.name)")
      }
    }
  }

  @Test func `the samples after a loop's end are those after its start`() {
    for sample in looped {
      for offset in 0..<8 {
        let difference =
          Int(frames[sample.loop.lowerBound + offset])
          - Int(frames[sample.loop.upperBound + offset])
        #expect(abs(difference) <= 1, "\(sample.name)")
      }
    }
  }

  @Test func `the seam of a loop is as smooth as the loop`() {
    for sample in looped {
      let loop = frames[sample.loop].map { Int($0) }
      // The second difference shows a step or a corner; turning the seam inside must not stand out.
      var inside = 0
      for index in 1..<loop.count - 1 {
        inside = max(inside, abs(loop[index - 1] - 2 * loop[index] + loop[index + 1]))
      }
      let (last, first) = (loop.count - 1, loop[0])
      let seam = max(
        abs(loop[last - 1] - 2 * loop[last] + first), abs(loop[last] - 2 * first + loop[1]))
      #expect(Double(seam) <= Double(inside) * 1.1 + 4, "\(sample.name)")
    }
  }

  @Test func `no sample is silent and none is clipped`() {
    for sample in font.samples {
      let peak = frames[sample.place].reduce(0) { max($0, abs(Int($1))) }
      #expect((2500...32_100).contains(peak), "\(sample.name)")
    }
  }

  @Test func `the hi-hats choke each other in every kit`() {
    for kit in font.presets where kit.bank == 128 {
      // The orchestra's are below its other drums.
      let hats = kit.program == 48 ? [27, 28, 29] : [42, 44, 46]
      let classes = hats.map { key in
        zones(kit).first { $0.keys == key...key }?.generators[57]
      }
      #expect(classes == [1, 1, 1], "\(kit.name)")
    }
  }
}
