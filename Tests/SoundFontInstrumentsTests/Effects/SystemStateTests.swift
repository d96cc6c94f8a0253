// SPDX-License-Identifier: Apache-2.0
import MIDIMessages
import MusicSequences
import MusicalTime
import TestSupport
import Testing

@testable import SoundFontInstruments

/// Restoring the system reverb and chorus at a loop, a seek and the next song.
@Suite struct SystemStateTests {
  private static let gsReset: [UInt8] = [0x41, 0x10, 0x42, 0x12, 0x40, 0, 0x7F, 0, 0x41]
  private static let xgReset: [UInt8] = [0x43, 0x10, 0x4C, 0, 0, 0x7E, 0]

  private static func gs(_ address: UInt8, _ value: UInt8) -> [UInt8] {
    let body = [0x40, 1, address, value]
    let sum = body.reduce(0) { $0 + Int($1) }
    return [0x41, 0x10, 0x42, 0x12] + body + [UInt8((128 - sum % 128) % 128)]
  }

  private static func xg(_ address: UInt8, _ value: UInt8) -> [UInt8] {
    [0x43, 0x10, 0x4C, 2, 1, address] + (address & 0x1F == 0 ? [value, 0] : [value])
  }

  /// All values that affect the sound.
  private static func figures(_ effects: SystemEffects) -> [Double] {
    let (reverb, chorus) = (effects.reverb, effects.chorus)
    var figures = [
      reverb.program.roomSize, reverb.program.damping, reverb.program.width, reverb.returnLevel,
      reverb.preDelay, reverb.lowPass, reverb.highPass, Double(reverb.pan), reverb.seconds ?? -1,
      Double(chorus.program.voiceCount), chorus.program.hertz, chorus.program.depth,
      chorus.program.level, chorus.lowPass, Double(chorus.pan), Double(chorus.toReverb),
      Double(chorus.toDelay), reverb.isOwn ? 1 : 0, chorus.isOwn ? 1 : 0,
    ]
    for plan in [reverb.plan, chorus.plan] {
      figures.append(Double(plan.level))
      for place in 0..<plan.settingCount { figures.append(Double(plan.settings[place].value)) }
    }
    return figures
  }

  private static func take(_ message: [UInt8], _ effects: inout SystemEffects) {
    unsafe message.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress,
        let order = unsafe SynthOrder(base, count: buffer.count)
      else { return }
      if case .reset = order { effects = SystemEffects() }
      unsafe effects.take(order, base)
    }
  }

  private static func effects(_ messages: [[UInt8]]) -> SystemEffects {
    var effects = SystemEffects()
    for message in messages { take(message, &effects) }
    return effects
  }

  /// A reset and random messages, with macros and types among them.
  private static func messages(isXG: Bool, _ random: inout SplitMix) -> [[UInt8]] {
    (0..<30).map { place in
      guard place > 0 else { return isXG ? xgReset : gsReset }
      let value = UInt8.random(in: 0...127, using: &random)
      guard isXG else {
        let address = UInt8.random(in: 0x30...0x40, using: &random)
        return gs(address, [0x30, 0x31, 0x38].contains(address) ? value & 7 : value)
      }
      let address = UInt8.random(in: 0...0x35, using: &random)
      return xg(address, address == 0 ? value & 3 : address == 0x20 ? 0x41 + value & 3 : value)
    }
  }

  private static func index(_ messages: [[UInt8]]) throws -> ChaseIndex {
    var track = MusicTrack()
    for (place, message) in messages.enumerated() {
      try track.insert(.sysEx(message + [0xF7]), at: Tick(Int64(place)))
    }
    var sequence = MusicSequence()
    sequence.tracks = [track]
    return ChaseIndex(sequence)
  }

  @Test(arguments: 1...40)
  func `a loop and a seek restore the settings of that place`(
    seed: UInt64
  ) throws {
    var random = SplitMix(seed: seed)
    let messages = Self.messages(isXG: seed % 2 == 0, &random)
    let half = 15
    let index = try Self.index(messages)
    let expected = Self.figures(Self.effects(Array(messages[..<half])))
    let state = index.state(at: Tick(Int64(half)))
    var looped = Self.effects(messages)
    for message in state.restoration(after: index.state(at: 1000), on: .synthesizer).sysExes {
      Self.take(message.bytes, &looped)
    }
    #expect(Self.figures(looped) == expected)
    var sought = SystemEffects()
    for message in state.restoration.sysExes { Self.take(message.bytes, &sought) }
    #expect(Self.figures(sought) == expected)
  }

  @Test(arguments: 1...20)
  func `the next song starts with the settings after a reset`(seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    let messages = Self.messages(isXG: seed % 2 == 0, &random)
    let end = try Self.index(messages).state(at: 1000)
    let next = try Self.index([]).state(at: 0)
    var effects = Self.effects(messages)
    for message in next.restoration(after: end, on: .synthesizer).sysExes {
      Self.take(message.bytes, &effects)
    }
    #expect(Self.figures(effects) == Self.figures(SystemEffects()))
  }
}
