// SPDX-License-Identifier: Apache-2.0
import AudioProcessing
import MusicalTime
import TestSupport
import Testing

@testable import SoundFontInstruments

/// The units that make up the effect types of GS and XG.
@Suite struct EffectPlanTests {
  private static let gsTypes =
    [0, 0x0100, 0x0101, 0x0102] + [0x0110, 0x0111] + Array(0x0120...0x0126) + [0x0130, 0x0131]
    + Array(0x0140...0x0144) + Array(0x0150...0x0154) + [0x0157, 0x0160, 0x0161, 0x0172, 0x0173]
    + Array(0x0200...0x020B)

  private static let xgTypes =
    ([0, 0x40] + Array(0x05...0x08) + Array(0x41...0x4E) + [0x50, 0x51, 0x52, 0x53, 0x5E]).map {
      $0 << 8
    }

  private func plan(_ type: Int, _ values: [Int: Int] = [:]) throws -> EffectPlan {
    var effect = ModuleEffect(.gs, type: type)
    for (parameter, value) in values { effect[parameter] = value }
    return try #require(effect.plan)
  }

  @Test func `every supported type exists, and others do not`() {
    for type in Self.gsTypes { #expect(ModuleEffect(.gs, type: type).plan != nil, "\(type)") }
    for type in Self.xgTypes { #expect(ModuleEffect(.xg, type: type).plan != nil, "\(type)") }
    for type in [0x0103, 0x0155, 0x0156, 0x0170, 0x0300, 0x0400, 0x1100, 0x7F7F] {
      #expect(ModuleEffect(.gs, type: type).plan == nil, "\(type)")
    }
    for type in [0x0100, 0x0A00, 0x5400, 0x7F00] {
      #expect(ModuleEffect(.xg, type: type).plan == nil, "\(type)")
    }
  }

  @Test func `a phaser has its manual, rate and depth`() throws {
    let plan = try plan(0x0120, [1: 55, 2: 19, 3: 127])
    #expect(plan.value(.phaser, PhaserUnit.Setting.frequency.rawValue) == 1000)
    #expect(plan.value(.phaser, PhaserUnit.Setting.rate.rawValue) == 1)
    #expect(plan.value(.phaser, PhaserUnit.Setting.depth.rawValue) == 1)
  }

  @Test func `three taps have separate times, left and right`() throws {
    let plan = try plan(0x0152, [1: 0, 2: 70, 3: 115, 4: 0x71])
    let times = (0..<3).map { plan.value(.tapDelay, $0 * 3) }
    #expect(times == [0.2, 0.55, 1])
    #expect(plan.value(.tapDelay, 5) == -1 && plan.value(.tapDelay, 8) == 1)
    let feedback = plan.value(.tapDelay, TapDelayUnit.Setting.feedback.rawValue) ?? 0
    #expect(abs(feedback - 0.98) < 1e-5)
  }

  @Test func `an amplifier with a chorus has its pan before its type and its switch`() throws {
    let plain = try plan(0x0200)
    #expect(plain.pan == 0 && plain.value(.overdrive, 1) == 12_000)
    let on = try plan(0x0200, [2: 1, 3: 2, 4: 1])
    #expect(on.pan == -1 && on.value(.overdrive, 1) == 5000)
  }

  @Test func `a delay after another effect has times up to 500 milliseconds`() throws {
    for type in [0x0202, 0x0205, 0x0208, 0x0209, 0x020A] {
      #expect(try plan(type).value(.tapDelay, 0) == 0.25, "\(type)")
    }
  }

  @Test func `direct sound and effect are both full in the middle of the balance`() throws {
    let middle = try plan(0x0142, [16: 64, 20: 127])
    #expect(middle.value(.chorus, 5) == 0.5 && middle.level == 2)
    let dry = try plan(0x0142, [16: 0, 20: 127])
    #expect(dry.value(.chorus, 5) == 0 && dry.level == 1)
    let wet = try plan(0x0142, [16: 127, 20: 127])
    #expect(wet.value(.chorus, 5) == 1 && wet.level == 1)
  }

  @Test func `an equaliser has the manual's frequencies and gains`() throws {
    let plan = try plan(0x0100, [1: 1, 2: 0x4C, 3: 0, 4: 0x34, 5: 0x38, 6: 4, 7: 0x43])
    #expect(plan.value(.equalizer, 0) == 400 && plan.value(.equalizer, 1) == 12)
    #expect(plan.value(.equalizer, 9) == 4000 && plan.value(.equalizer, 10) == -12)
    #expect(plan.value(.equalizer, 3) == 1000 && plan.value(.equalizer, 5) == 9)
  }

  @Test func `a compressor of XG has its threshold and ratio`() throws {
    var effect = ModuleEffect(.xg, type: 0x5300)
    (effect[3], effect[4]) = (97, 7)
    let plan = try #require(effect.plan)
    #expect(plan.value(.compressor, 0) == -30 && plan.value(.compressor, 1) == 20)
  }

  @Test func `a delay of XG counts tenths of a millisecond in two bytes`() {
    var state = EffectState()
    for (low, value) in [(0x40, 5), (0x41, 0), (0x42, 26), (0x43, 5)] {
      let isSet = state.set(xg: 2, number: 0, low, to: value)
      #expect(isSet)
    }
    #expect(state.variation[1] == 26 * 128 + 5)
    #expect(state.variation.plan?.value(.tapDelay, 3) == 0.3333)
  }

  @Test func `a controller moves its parameter by its depth`() throws {
    var state = EffectState()
    for (low, value) in [(0, 1), (1, 0x20), (3, 20), (0x1B, 1), (0x1C, 127)] {
      let isSet = state.set(gs: 3, low, to: value)
      #expect(isSet)
    }
    state.first.value = 127
    let moved = 20 + 127 * 63 / 64
    let plan = try #require(state.insertionPlan(0))
    #expect(plan.value(.phaser, 2) == EffectValue.manual(min(127, moved)))
  }

  @Test(arguments: [ModuleEffect.Family.gs, .xg])
  func `any values give finite settings and samples`(family: ModuleEffect.Family) {
    var random = SplitMix(seed: 88)
    var slot = EffectSlot(ModuleUnit.allCases, rate: .hertz48000)
    let (left, right) = ([Float](repeating: 0.3, count: 64), [Float](repeating: -0.2, count: 64))
    let types = family == .gs ? Self.gsTypes : Self.xgTypes
    for round in 0..<2000 {
      var effect = ModuleEffect(family, type: types[Int(random.next() % UInt64(types.count))])
      let limit: UInt64 = round % 2 == 0 ? 128 : 16_384
      for parameter in 1...20 { effect[parameter] = Int(random.next() % limit) }
      guard let plan = effect.plan else { continue }
      for place in 0..<plan.settingCount {
        let value = plan.settings[place].value
        #expect(value.isFinite && abs(value) <= 44_100)
      }
      slot.take(plan)
      for _ in 0..<4 {
        var (first, second) = (left, right)
        unsafe first.withUnsafeMutableBufferPointer { one in
          unsafe second.withUnsafeMutableBufferPointer { other in
            guard let one = one.baseAddress, let other = other.baseAddress else { return }
            unsafe slot.render(one, other)
          }
        }
        #expect((first + second).allSatisfy { $0.isFinite && abs($0) < 1000 }, "\(effect.type)")
      }
    }
  }
}
