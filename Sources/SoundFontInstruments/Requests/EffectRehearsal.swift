// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages

/// Finds the effects that a song requests by SysEx messages.
///
/// A type may be sent in two messages, so only the settings at the time of a note count.
struct EffectRehearsal: Sendable {
  private var state = EffectState()
  /// One bit for each channel whose part is routed through GS's insertion effect.
  private var inserted: UInt16 = 0
  /// The macro of GS's delay.
  private var delayMacro = 0
  /// True if a message has requested the delay.
  private var hasDelay = false
  /// The settings of reverb, chorus and XG's equaliser; nil without messages.
  private var reverb: RequestedEffect?
  private var chorus: RequestedEffect?
  private var equalizer: RequestedEffect?
  private var isChanged = false
  /// The effects of the notes so far, each once.
  private(set) var effects: [RequestedEffect] = []

  /// The effects that are not supported.
  var missing: [RequestedEffect] { effects.filter { !$0.isAvailable } }

  /// Receives a message without its F0 and F7.
  mutating func take(_ bytes: UnsafePointer<UInt8>, count: Int) {
    guard count >= 4 else { return }
    let order = unsafe SynthOrder(bytes, count: count)
    // A Roland message that cannot be parsed is damaged.
    let isRolands = unsafe bytes[0] == 0x41
    if order != nil || !isRolands { unsafe takeSystem(bytes, count) }
    guard let order else { return }
    switch order {
    case .reset(let mode):
      let known = effects
      self = EffectRehearsal()
      effects = known
      state = EffectState(isXG: mode == .xg)
    case .effects(let isXG, let high, let number, let low, let offset, let length):
      if !isXG, high == 1 {
        hasDelay = true
        if low == 0x50 { delayMacro = unsafe Int(bytes[offset] & 0x7F) }
      }
      for index in 0..<min(length, 128 &- low) {
        let value = unsafe Int(bytes[offset &+ index] & 0x7F)
        _ =
          isXG
          ? state.set(xg: high, number: number, low &+ index, to: value)
          : state.set(gs: high, low &+ index, to: value)
      }
      isChanged = true
    case .gsPart(let channel, 4, let low, let offset, let length):
      let place = 0x22 &- low
      guard place >= 0, place < length else { return }
      let bit = UInt16(1) << UInt16(truncatingIfNeeded: channel)
      inserted = unsafe bytes[offset &+ place] != 0 ? inserted | bit : inserted & ~bit
      isChanged = true
    default: return
    }
  }

  /// Receives a send to the delay or variation effect, 1…127.
  mutating func takeDelaySend() {
    guard !state.isXG, !hasDelay else { return }
    hasDelay = true
    isChanged = true
  }

  /// Receives a note, for which the current settings count.
  mutating func takeNote() {
    guard isChanged else { return }
    isChanged = false
    for effect in [reverb, chorus, equalizer] { if let effect { add(effect) } }
    if state.isXG {
      for number in 0..<EffectState.insertionCount where state.insertions[number].part < 16 {
        add(state.insertions[number].effect, .insertion, 1 << state.insertions[number].part)
      }
      let isInserted = !state.isVariationSystem && state.variationPart < 16
      if state.isVariationSystem || isInserted {
        add(state.variation, .variation, isInserted ? 1 << state.variationPart : 0)
      }
      return
    }
    if hasDelay {
      let isKnown = DelayProgram(macro: delayMacro) != nil
      add(RequestedEffect(kind: .delay, standard: .gs, type: delayMacro, isAvailable: isKnown))
    }
    if state.equalizer.isActive {
      add(RequestedEffect(kind: .equalizer, standard: .gs, type: 0, isAvailable: true))
    }
    if inserted != 0 { add(state.insertion, .insertion, Int(inserted)) }
  }

  private mutating func add(
    _ effect: ModuleEffect, _ kind: RequestedEffect.Kind, _ parts: Int
  ) {
    let isXG = effect.family == .xg
    // Thru, or without an effect.
    guard effect.type != 0, !isXG || effect.type >> 8 != 0x40 else { return }
    var requested = RequestedEffect(
      kind: kind, standard: isXG ? .xg : .gs, type: effect.type,
      isAvailable: effect.plan != nil)
    requested.channels = (0..<16).filter { parts >> $0 & 1 != 0 }
      .map { Channel(index: UInt8($0)) }
    add(requested)
  }

  private mutating func add(_ effect: RequestedEffect) {
    guard let known = effects.firstIndex(where: { $0.isSame(as: effect) }) else {
      effects.append(effect)
      return
    }
    let channels = Set(effects[known].channels).union(effect.channels)
    effects[known].channels = channels.sorted { $0.index < $1.index }
    for words in effect.parameters where !effects[known].parameters.contains(words) {
      effects[known].parameters.append(words)
    }
    for words in effect.unplayed where !effects[known].unplayed.contains(words) {
      effects[known].unplayed.append(words)
    }
  }
}

extension EffectRehearsal {
  /// Receives the type or a parameter of a reverb or chorus, or of XG's equaliser.
  private mutating func takeSystem(_ bytes: UnsafePointer<UInt8>, _ count: Int) {
    switch unsafe (bytes[0], bytes[2]) {
    case (0x41, 0x42) where count >= 9: unsafe takeGS(bytes, count)
    case (0x43, 0x4C) where count >= 7: unsafe takeXG(bytes, count)
    case (0x7F, 0x04) where count >= 11: unsafe takeGlobal(bytes, count)
    default: break
    }
  }

  private mutating func takeGS(_ bytes: UnsafePointer<UInt8>, _ count: Int) {
    guard unsafe bytes[4] == 0x40, unsafe bytes[5] == 1 else { return }
    for index in 7..<count &- 1 {
      let value = unsafe Int(bytes[index] & 0x7F)
      let address = unsafe Int(bytes[6]) &+ index &- 7
      switch address {
      case 0x30: reverb = Self.system(.reverb, .gs, value, ReverbProgram(gs: value) != nil)
      case 0x38: chorus = Self.system(.chorus, .gs, value, ChorusProgram(gs: value) != nil)
      default:
        take(isXG: false, address)
        if address == 0x31, ReverbProgram(gs: value) != nil { reverb?.type = value }
      }
      isChanged = true
    }
  }

  private mutating func takeXG(_ bytes: UnsafePointer<UInt8>, _ count: Int) {
    guard unsafe bytes[3] == 2 else { return }
    guard unsafe bytes[4] == 1 else {
      unsafe takeEqualizer(bytes)
      return
    }
    for index in 6..<count {
      let value = unsafe Int(bytes[index] & 0x7F)
      let address = unsafe Int(bytes[5]) &+ index &- 6
      switch address {
      case 0x00: reverb = Self.system(.reverb, .xg, value << 8, ReverbProgram(xg: value) != nil)
      case 0x01: if let upper = reverb?.type { reverb?.type = upper & 0x7F00 | value }
      case 0x20: chorus = Self.system(.chorus, .xg, value << 8, ChorusProgram(xg: value) != nil)
      case 0x21: if let upper = chorus?.type { chorus?.type = upper & 0x7F00 | value }
      default: take(isXG: true, address)
      }
      isChanged = true
    }
  }

  /// Receives a parameter of a reverb or chorus.
  ///
  /// If a type was not set, the type after a reset counts as requested.
  private mutating func take(isXG: Bool, _ address: Int) {
    guard let parameter = SystemParameter(isXG: isXG, address: address) else { return }
    if parameter.kind == .reverb {
      if reverb == nil { reverb = Self.system(.reverb, isXG ? .xg : .gs, isXG ? 0x0100 : 4, true) }
      reverb?.add(parameter)
    } else {
      if chorus == nil { chorus = Self.system(.chorus, isXG ? .xg : .gs, isXG ? 0x4100 : 2, true) }
      chorus?.add(parameter)
    }
  }

  private mutating func takeEqualizer(_ bytes: UnsafePointer<UInt8>) {
    let value = unsafe Int(bytes[6] & 0x7F)
    switch unsafe (bytes[4], bytes[5]) {
    case (0x40, 0) where value != 0, (0x40, 1) where value != 64, (0x40, 5) where value != 64,
      (0x40, 9) where value != 64, (0x40, 0x0D) where value != 64,
      (0x40, 0x11) where value != 64:
      equalizer = RequestedEffect(
        kind: .equalizer, standard: .xg, type: 0, isAvailable: false)
      isChanged = true
    default: break
    }
  }

  private mutating func takeGlobal(_ bytes: UnsafePointer<UInt8>, _ count: Int) {
    guard unsafe bytes[3] == 5, unsafe bytes[9] == 0 else { return }
    let value = unsafe Int(bytes[10] & 0x7F)
    switch unsafe bytes[8] {
    case 1:
      reverb = Self.system(.reverb, .gm2, value, ReverbProgram(gm2: value) != nil)
    case 2: chorus = Self.system(.chorus, .gm2, value, value < 6)
    default: return
    }
    isChanged = true
  }

  /// A reverb or chorus; nil for XG's type 0, which is off.
  private static func system(
    _ kind: RequestedEffect.Kind, _ standard: RequestedEffect.Standard, _ type: Int,
    _ isAvailable: Bool
  ) -> RequestedEffect? {
    guard standard != .xg || type >> 8 != 0 else { return nil }
    return RequestedEffect(kind: kind, standard: standard, type: type, isAvailable: isAvailable)
  }
}
