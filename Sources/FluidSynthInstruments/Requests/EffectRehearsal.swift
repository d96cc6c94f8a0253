// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages

/// Finds the effects that a song asks for and we do not have, by its SysEx messages.
struct EffectRehearsal {
  private var state = EffectState()
  /// Bits: the channels of parts that go through GS's insertion effect.
  private var inserted: UInt16 = 0
  /// What is missing, each once, in the order of the song.
  private(set) var missing: [MissingEffect] = []

  /// Takes in a message without its F0 and F7.
  mutating func take(_ bytes: UnsafePointer<UInt8>, count: Int) {
    guard let order = unsafe SynthOrder(bytes, count: count) else { return }
    switch order {
    case .reset(let mode):
      state = EffectState()
      state.isXG = mode == .xg
      inserted = 0
    case .effects(let isXG, let high, let low, let offset, let length):
      for index in 0..<min(length, 128 &- low) {
        let value = unsafe Int(bytes[offset &+ index] & 0x7F)
        _ =
          isXG
          ? state.set(xg: high, low &+ index, to: value)
          : state.set(gs: high, low &+ index, to: value)
      }
    case .gsPart(let channel, 4, let low, let offset, let length):
      let place = 0x22 &- low
      guard place >= 0, place < length else { return }
      let bit = UInt16(1) << UInt16(truncatingIfNeeded: channel)
      inserted = unsafe bytes[offset &+ place] != 0 ? inserted | bit : inserted & ~bit
    default: return
    }
    note()
  }

  private mutating func note() {
    if state.isXG {
      if state.insertionPart < 16 { note(state.insertion) }
      if state.isVariationSystem || state.variationPart < 16 { note(state.variation) }
    } else if inserted != 0 {
      note(state.insertion)
    }
  }

  private mutating func note(_ effect: ModuleEffect) {
    guard effect.plan == nil else { return }
    let one = MissingEffect(type: effect.type, isXG: effect.family == .xg)
    if !missing.contains(one) { missing.append(one) }
  }
}
