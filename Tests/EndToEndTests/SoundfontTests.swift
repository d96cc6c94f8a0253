// SPDX-License-Identifier: Apache-2.0
import Glibc
import Testing

@Suite struct SoundfontTests {
  let font: SoundfontFile

  init() throws { font = try SoundfontFile.committed() }

  @Test func `all General MIDI programs and a drum kit are there, in order`() {
    let expected = (0...127).map { SoundfontFile.Address(bank: 0, program: $0) }
    #expect(font.presets.map(\.address) == expected + [.init(bank: 128, program: 0)])
    #expect(Set(font.presets.map(\.name)).count == 129)
    #expect(!font.presets.contains { $0.name.isEmpty })
  }

  @Test func `the kit answers on every General MIDI percussion key and no key twice`() {
    let keys = font.zones(ofPreset: 128).map(\.keys)
    #expect(keys.allSatisfy { $0.count == 1 })
    let single = keys.map(\.lowerBound)
    #expect(Set(single).count == single.count)
    #expect(Set(single).isSuperset(of: 35...81))
  }

  @Test func `every program answers on every key at every velocity`() {
    for preset in 0..<128 {
      let zones = font.zones(ofPreset: preset)
      for key in 0...127 {
        for velocity in [1, 60, 67, 68, 75, 76, 100, 127] {
          let sounds = zones.contains {
            $0.keys.contains(key) && $0.velocities.contains(velocity)
          }
          #expect(sounds, "program \(preset), key \(key), velocity \(velocity)")
        }
      }
    }
  }

  @Test func `samples and loops lie inside the frames, with silence between them`() {
    #expect(font.samples.count > 100)
    for sample in font.samples {
      #expect(sample.start < sample.end)
      #expect(sample.end + 46 <= font.frames.count, "\(sample.name)")
      #expect(font.frames[sample.end..<sample.end + 46].allSatisfy { $0 == 0 }, "\(sample.name)")
      #expect((8000...48000).contains(sample.rate), "\(sample.name)")
    }
    for zone in (0..<129).flatMap({ font.zones(ofPreset: $0) }) where zone.isLooped {
      let sample = font.samples[zone.sample]
      #expect(sample.start <= sample.loopStart, "\(sample.name)")
      #expect(sample.loopStart + 31 < sample.loopEnd, "\(sample.name)")
      #expect(sample.loopEnd + 8 <= sample.end, "\(sample.name)")
    }
  }

  @Test func `what follows a loop's end is what follows its start`() {
    let looped = Set(
      (0..<129).flatMap { font.zones(ofPreset: $0) }.filter(\.isLooped).map(\.sample))
    for sample in looped.map({ font.samples[$0] }) {
      for offset in 0..<8 {
        let difference =
          Int(font.frames[sample.loopStart + offset]) - Int(font.frames[sample.loopEnd + offset])
        #expect(abs(difference) <= 1, "\(sample.name)")
      }
    }
  }

  @Test func `a loop's seam is no rougher than the loop`() {
    let looped = Set(
      (0..<129).flatMap { font.zones(ofPreset: $0) }.filter(\.isLooped).map(\.sample))
    for sample in looped.map({ font.samples[$0] }) {
      let loop = font.frames[sample.loopStart..<sample.loopEnd].map { Int($0) }
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
      let peak = font.frames[sample.start..<sample.end].map { abs(Int($0)) }.max() ?? 0
      #expect((2500...32100).contains(peak), "\(sample.name)")
    }
  }

  @Test func `the hi-hats choke each other`() {
    let classes = [42, 44, 46].map { key in
      font.zones(ofPreset: 128).first { $0.keys == key...key }?.exclusiveClass
    }
    #expect(classes == [1, 1, 1])
  }
}
