// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages
internal import SoundFontVoices

/// Parameters of parts and drum notes.
extension SoundModule {
  /// Applies an order for a part or for drum notes, with the bytes of its message.
  @_noAllocation @_noLocks
  mutating func applyPart(_ order: SynthOrder, _ bytes: UnsafePointer<UInt8>) {
    switch order {
    case .gsPart(let channel, let group, let low, let offset, let count):
      for index in 0..<min(count, 128 &- low) {
        guard let parameter = PartParameter(gs: group, low &+ index) else { continue }
        unsafe set(parameter, to: bytes[offset &+ index] & 0x7F, on: channel)
      }
      if group == 1, low &+ count > 0x40 { retune() }
    case .xgPart(let channel, let low, let offset, let count):
      for index in 0..<min(count, 128 &- low) {
        guard let parameter = PartParameter(xg: low &+ index) else { continue }
        unsafe set(parameter, to: bytes[offset &+ index] & 0x7F, on: channel)
      }
      if low &+ count > 0x41 { retune() }
    case .gsNotes(let map, let kind, let key, let offset, let count):
      guard let parameter = NoteParameter(gs: kind) else { return }
      for index in 0..<min(count, 128 &- key) {
        unsafe synth.set(parameter, to: bytes[offset &+ index], of: key &+ index, inMap: map)
      }
    case .xgNotes(let map, let key, let low, let offset, let count):
      for index in 0..<min(count, 128 &- low) {
        guard let parameter = NoteParameter(xg: low &+ index) else { continue }
        unsafe synth.set(parameter, to: bytes[offset &+ index], of: key, inMap: map)
      }
    case .forgetNotes(let map): synth.forgetNotes(ofMap: map)
    case .destinations(let channel, let source, let controller, let offset, let count):
      if case .first = source { synth.set(.firstController, to: controller, on: channel) }
      for index in 0..<count {
        let place = offset &+ 2 &* index
        guard let parameter = unsafe PartParameter(source, Int(bytes[place])) else { continue }
        unsafe synth.set(parameter, to: bytes[place &+ 1], on: channel)
      }
    case .keyControls(let channel, let key, let offset, let count):
      let map = Int(synth.part(channel)?.drumMap ?? 0)
      for index in 0..<count {
        let place = offset &+ 2 &* index
        let value = unsafe bytes[place &+ 1] & 0x7F
        // Except for pan, 64 is the kit's own value.
        let scaled = UInt8(truncatingIfNeeded: min(127, Int(value) &* 127 / 64))
        switch unsafe bytes[place] {
        case 7: synth.set(.level, to: scaled, of: key, inMap: map)
        case 10: synth.set(.pan, to: max(1, value), of: key, inMap: map)
        case 91: synth.set(.reverb, to: scaled, of: key, inMap: map)
        case 93: synth.set(.chorus, to: scaled, of: key, inMap: map)
        default: break
        }
      }
    default: break
    }
  }

  /// Sets a parameter of a part.
  ///
  /// The tuning of keys changes with the next `retune`.
  @_noAllocation @_noLocks
  private mutating func set(_ parameter: PartParameter, to value: UInt8, on channel: Int) {
    switch parameter {
    case .controller(let number): send(number, value, channel)
    case .pan:
      send(10, value, channel)
      synth.set(parameter, to: value, on: channel)
    case .delaySend: send(94, value, channel)
    case .program: selectProgram(value, channel)
    case .bendRange:
      unsafe channels[channel].bendRange =
        UInt16(truncatingIfNeeded: abs(max(-24, min(24, Int(value) &- 64))) &* 100)
      sendBendRange(channel)
    case .rhythm:
      synth.setDrumMap(value == 2 ? 1 : 0, on: channel)
      setDrums(value > 0, on: channel)
    case .partMode:
      synth.setDrumMap(Int(value) &- 2, on: channel)
      setDrums(value > 0, on: channel)
    case .scale(let pitch): unsafe channels[channel].scale[pitch] = Float(Int(value) &- 64)
    case .receiveChannel, .receives:
      synth.set(parameter, to: value, on: channel)
      isRouted = false
      for index in 0..<Self.channelCount {
        guard let part = synth.part(index) else { continue }
        if Int(part.receiveChannel) != index || part.receives != .max { isRouted = true }
      }
    default: synth.set(parameter, to: value, on: channel)
    }
  }

  @_noAllocation @_noLocks
  private mutating func setDrums(_ isDrums: Bool, on channel: Int) {
    unsafe channels[channel].choice.setDrums(isDrums)
    sendPreset(channel)
    retune()
  }

  @_noAllocation @_noLocks
  private mutating func send(_ controller: UInt8, _ value: UInt8, _ channel: Int) {
    control(
      Message(
        status: 0xB0 | UInt8(truncatingIfNeeded: channel), data1: controller, data2: value),
      channel, 0)
  }

  /// Enters the upper byte of a non-registered parameter of GS or XG, for the part or for a drum
  /// note.
  @_noAllocation @_noLocks
  mutating func enterPart(_ channel: Int, _ value: UInt8) {
    let number = unsafe Int(channels[channel].parameter)
    let (coarse, fine) = (number >> 7, number & 0x7F)
    if coarse == 1 {
      guard let parameter = PartParameter(nonRegistered: fine) else { return }
      synth.set(parameter, to: value, on: channel)
    } else if unsafe channels[channel].isDrums,
      let parameter = NoteParameter(nonRegistered: coarse)
    {
      let map = Int(synth.part(channel)?.drumMap ?? 0)
      synth.set(parameter, to: value, of: fine, inMap: map)
    }
  }

  // MARK: Routing

  /// The parts that receive a channel; usually the one with the same number.
  ///
  /// Not for the render thread.
  func parts(receiving channel: Channel) -> [Int] {
    guard isRouted else { return [Int(channel.index)] }
    return (0..<Self.channelCount).filter { synth.part($0)?.receiveChannel == channel.index }
  }

  /// Passes a message to all parts that receive its channel and its kind.
  @_noAllocation @_noLocks
  mutating func routeToParts(_ message: Message, at frame: Int) {
    let channel = message.status & 0x0F
    for index in 0..<Self.channelCount {
      guard let part = synth.part(index), part.receiveChannel == channel,
        takes(message, part, index)
      else { continue }
      let own = Message(
        status: message.status & 0xF0 | UInt8(truncatingIfNeeded: index), data1: message.data1,
        data2: message.data2)
      apply(own, toPart: index, at: frame)
    }
  }

  @_noAllocation @_noLocks
  private func takes(_ message: Message, _ part: PartState, _ index: Int) -> Bool {
    switch message.status & 0xF0 {
    case 0x80, 0x90: return part.receives(.notes)
    case 0xA0: return part.receives(.keyPressure)
    case 0xC0: return part.receives(.program)
    case 0xD0: return part.receives(.pressure)
    case 0xE0: return part.receives(.bend)
    default: break
    }
    let number = message.data1
    guard number < 120 else { return true }
    guard part.receives(.controllers) else { return false }
    switch number {
    case 0: return part.receives(.bank)
    case 32: return part.receives(.bank) && part.receives(.fineBank)
    case 1: return part.receives(.modulation)
    case 7: return part.receives(.volume)
    case 10: return part.receives(.pan)
    case 11: return part.receives(.expression)
    case 64: return part.receives(.hold)
    case 5, 65, 84: return part.receives(.portamento)
    case 66: return part.receives(.sostenuto)
    case 67: return part.receives(.soft)
    case 98, 99: return part.receives(.nonRegistered)
    case 100, 101: return part.receives(.registered)
    case 6, 38, 96, 97:
      return unsafe part.receives(channels[index].isRegistered ? .registered : .nonRegistered)
    default: return true
    }
  }
}
