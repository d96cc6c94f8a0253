// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import SoundfontGenerator

@Suite struct SoundTests {
  @Test func `a partial goes on through the loop's end without a step`() {
    var sound = Sound(looping: 220, rate: 32000, lead: 0.05, loop: 0.1)
    for k in 1...20 { sound.add(220 * Double(k), phase: 0.1) { t in 1 / (1 + 9 * t) } }
    let wave = sound.wave
    let inside = zip(wave, wave.dropFirst()).map { abs($0 - $1) }.max() ?? 0
    let seam = abs(wave[wave.count - 1] - wave[sound.loopStart])
    #expect(seam <= inside)
    // One step further the loop's beginning must be what would have come.
    let predicted = 2 * wave[wave.count - 1] - wave[wave.count - 2]
    let bend =
      zip(wave, zip(wave.dropFirst(), wave.dropFirst(2)))
      .map { abs(2 * $1.0 - $0 - $1.1) }.max() ?? 0
    #expect(abs(predicted - wave[sound.loopStart]) <= bend * 1.01)
  }

  @Test func `the stored rate puts the fundamental within a tenth of a cent`() {
    for key in 21...108 {
      let wanted = PortableMath.frequency(key: Double(key))
      let sound = Sound(looping: wanted, rate: 24000, lead: 0.1, loop: 0.03)
      let sounding = sound.fundamental * Double(sound.storedRate) / sound.rate
      #expect(abs(1200 * PortableMath.log2(sounding / wanted)) < 0.1)
    }
  }

  @Test func `a sound is levelled to the loudness asked for`() {
    var sound = Sound(looping: 440, rate: 32000, lead: 0.1, loop: 0.1)
    sound.add(440, phase: 0) { _ in 0.01 }
    #expect(abs(sound.levelled(to: -20).loudness(over: 0.6) + 20) < 0.001)
  }

  @Test func `noise in a loop repeats`() {
    var sound = Sound(looping: 440, rate: 20000, lead: 0.1, loop: 0.2)
    var random = RandomSource(seed: 1)
    sound.addBreath(&random, filters: [.bandPass(2000, q: 1, rate: 20000)]) { _ in 1 }
    // What precedes the loop is what precedes its end, filtered noise included.
    let before = sound.wave[sound.loopStart - 1]
    #expect(abs(before - sound.wave[sound.wave.count - 1]) < 1e-9)
  }
}
