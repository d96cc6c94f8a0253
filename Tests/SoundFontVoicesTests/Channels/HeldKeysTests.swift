// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import SoundFontVoices

@Suite struct HeldKeysTests {
  @Test func `releasing the newest key returns to the one before`() {
    var keys = HeldKeys()
    keys.add(60, velocity: 90)
    #expect(!keys.isLegato)
    keys.add(64, velocity: 80)
    #expect(keys.isLegato)
    #expect(keys.former == 60)
    let next = keys.release(64)
    #expect(next?.key == 60)
    #expect(next?.velocity == 90)
    #expect(keys.former == 64)
    #expect(keys.release(60) == nil)
    #expect(keys.count == 0)
    #expect(!keys.isLegato)
  }

  @Test func `the previous key is known after its release`() {
    var keys = HeldKeys()
    keys.replace(by: 57, velocity: 90)
    #expect(keys.former == HeldKeys.none)
    keys.clear()
    keys.replace(by: 69, velocity: 90)
    #expect(keys.former == 57)
  }

  @Test func `releasing a key that is not the newest changes no note`() {
    var keys = HeldKeys()
    for key: UInt8 in [60, 62, 64] { keys.add(key, velocity: 90) }
    #expect(keys.release(62) == nil)
    #expect(keys.count == 2)
    #expect(keys.release(64)?.key == 60)
  }

  @Test func `of more than ten keys the oldest are dropped`() {
    var keys = HeldKeys()
    for key in UInt8(40)..<55 { keys.add(key, velocity: 90) }
    #expect(keys.count == 10)
    #expect(!keys.contains(44))
    #expect(keys.contains(45))
  }
}
