// SPDX-License-Identifier: Apache-2.0
import AudioProcessing
import MusicalTime
import Testing

@testable import SoundFontInstruments

/// The units of an effect slot, which share the memory of their long lines.
@Suite struct EffectSlotTests {
  @Test func `no effect has two units with long lines`() {
    for type in 0..<0x8000 where type & 0x80 == 0 {
      for family in [ModuleEffect.Family.gs, .xg] {
        guard let plan = ModuleEffect(family, type: type).plan else { continue }
        let count = (0..<plan.chainCount).count { plan.chain[$0].hasLongLine }
        #expect(count <= 1, "\(family) \(type)")
      }
    }
    for macro in 0..<10 {
      guard let plan = DelayProgram(macro: macro)?.plan else { continue }
      #expect((0..<plan.chainCount).count { plan.chain[$0].hasLongLine } == 1)
    }
  }

  /// The slot's response to an impulse, half a second long.
  private static func heard(_ slot: inout EffectSlot) -> [Float] {
    let samples = UnsafeMutablePointer<Float>.allocate(capacity: 128)
    defer { unsafe samples.deallocate() }
    var heard: [Float] = []
    for quantum in 0..<375 {
      unsafe samples.initialize(repeating: 0, count: 128)
      if quantum == 0 { unsafe (samples[0], samples[64]) = (1, 1) }
      unsafe slot.render(samples, samples + 64)
      for frame in 0..<128 { unsafe heard.append(samples[frame]) }
    }
    return heard
  }

  /// Delay L,C,R, Cross Delay and Pitch Change of XG; Delay L,R.
  @Test func `an effect starts in silence, whatever used its memory before`() throws {
    let plans = try [0x0500, 0x0800, 0x5000, 0x0600].map {
      try #require(ModuleEffect(.xg, type: $0).plan)
    }
    var alone: [[Float]] = []
    for plan in plans {
      var slot = EffectSlot(ModuleUnit.inserted, rate: .hertz48000)
      slot.take(plan)
      alone.append(Self.heard(&slot))
      #expect(alone.last?.contains { abs($0) > 0.01 } == true)
    }
    var slot = EffectSlot(ModuleUnit.inserted, rate: .hertz48000)
    for place in [0, 1, 0, 2, 1, 2, 0] {
      slot.take(plans[place])
      #expect(Self.heard(&slot) == alone[place], "\(place)")
    }
  }

  @Test func `a room is silent after it is cleared, and then as at first`() {
    var settings = ReverbSettings()
    settings.set(xg: 0, to: 1)
    settings.set(xg: 2, to: 0)
    var slot = EffectSlot([.reverb, .tapDelay], rate: .hertz48000)
    slot.take(settings.plan)
    let first = Self.heard(&slot)
    #expect(first.contains { abs($0) > 0.001 })
    slot.clear()
    let samples = UnsafeMutablePointer<Float>.allocate(capacity: 128)
    defer { unsafe samples.deallocate() }
    unsafe samples.initialize(repeating: 0, count: 128)
    unsafe slot.render(samples, samples + 64)
    for frame in 0..<128 { #expect(unsafe samples[frame] == 0) }
    slot.clear()
    #expect(zip(Self.heard(&slot), first).allSatisfy { abs($0 - $1) < 1e-6 })
  }
}
