// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages
internal import SoundFontVoices

/// Controllers, registered and non-registered parameters, and bends.
extension SoundModule {
  /// Receives a controller, including data entry for the selected parameter.
  @_noAllocation @_noLocks
  mutating func control(_ message: Message, _ channel: Int, _ frame: Int) {
    let value = UInt16(message.data2 & 0x7F)
    switch message.data1 {
    case 0:
      unsafe channels[channel].choice.receive(upper: message.data2)
      return
    case 32:
      unsafe channels[channel].choice.receive(lower: message.data2)
      return
    case 10: synth.set(.pan, to: max(1, message.data2), on: channel)
    case 67, 71...78, 94:
      if let parameter = PartParameter(controller: message.data1) {
        synth.set(parameter, to: message.data2, on: channel)
      }
    case 98, 100: select(channel, fine: value, isRegistered: message.data1 == 100)
    case 99, 101: select(channel, coarse: value, isRegistered: message.data1 == 101)
    case 6:
      unsafe channels[channel].entry = value << 7
      if enter(channel) { return }
    case 38:
      unsafe channels[channel].entry = channels[channel].entry & 0x3F80 | value
      if enter(channel) { return }
      synth.apply(message, at: frame)
      repeatFineTuning(channel)
      return
    case 96, 97:
      step(channel, isUp: message.data1 == 96, at: frame)
      return
    case 121:
      synth.set(.softPedal, to: 0, on: channel)
      unsafe channels[channel].parameter = ChannelState.noParameter
      unsafe channels[channel].bend = 8192
    default: break
    }
    synth.apply(message, at: frame)
  }

  @_noAllocation @_noLocks
  private func select(
    _ channel: Int, coarse: UInt16? = nil, fine: UInt16? = nil, isRegistered: Bool
  ) {
    let old = unsafe channels[channel].parameter
    unsafe channels[channel].parameter = (coarse ?? old >> 7) << 7 | (fine ?? old & 0x7F)
    unsafe channels[channel].isRegistered = isRegistered
  }

  /// Enters a value for a parameter that is stored here; returns false if FluidSynth must receive
  /// it.
  @_noAllocation @_noLocks
  private mutating func enter(_ channel: Int) -> Bool {
    let entry = unsafe channels[channel].entry
    guard unsafe channels[channel].isRegistered else {
      enterPart(channel, UInt8(truncatingIfNeeded: entry >> 7))
      return false
    }
    switch unsafe channels[channel].parameter {
    case 0:
      unsafe channels[channel].bendRange = min(2400, entry >> 7 &* 100 &+ min(99, entry & 0x7F))
      sendBendRange(channel)
    case 3:
      unsafe channels[channel].tuningProgram = Int(entry >> 7)
      retune()
    case 4: break  // Banks of tuning programs are one and the same.
    case 1:
      unsafe channels[channel].fineTuning = entry
      return false
    case 2:
      unsafe channels[channel].coarseTuning = entry >> 7
      return false
    default: return false
    }
    return true
  }

  /// Changes the selected registered parameter by one step: data increment and decrement.
  ///
  /// RP-018 changes the bend range by a cent. Modules and other synthesisers change it by a
  /// semitone, and so does Downbeat. The value of the controller is ignored.
  @_noAllocation @_noLocks
  private mutating func step(_ channel: Int, isUp: Bool, at frame: Int) {
    guard unsafe channels[channel].isRegistered else { return }
    func moved(_ value: UInt16, by step: UInt16, upTo most: UInt16) -> UInt16 {
      isUp ? min(most, value &+ step) : value < step ? 0 : value &- step
    }
    switch unsafe channels[channel].parameter {
    case 0:
      unsafe channels[channel].bendRange = moved(channels[channel].bendRange, by: 100, upTo: 2400)
      sendBendRange(channel)
    case 1:
      let value = unsafe moved(channels[channel].fineTuning, by: 1, upTo: 0x3FFF)
      enter(value, channel, frame)
    case 2:
      let value = unsafe moved(channels[channel].coarseTuning, by: 1, upTo: 127)
      enter(value << 7, channel, frame)
    case 3:
      let value = unsafe UInt16(truncatingIfNeeded: channels[channel].tuningProgram)
      unsafe channels[channel].tuningProgram = Int(moved(value, by: 1, upTo: 127))
      retune()
    default: break
    }
  }

  /// Enters a 14-bit value for the selected parameter, as two controllers.
  @_noAllocation @_noLocks
  private mutating func enter(_ value: UInt16, _ channel: Int, _ frame: Int) {
    let status = 0xB0 | UInt8(truncatingIfNeeded: channel)
    control(Message(status: status, data1: 6, data2: UInt8(value >> 7)), channel, frame)
    control(Message(status: status, data1: 38, data2: UInt8(value & 0x7F)), channel, frame)
  }

  /// FluidSynth applies a tuning when the upper byte arrives, which is usually sent first.
  @_noAllocation @_noLocks
  private func repeatFineTuning(_ channel: Int) {
    guard unsafe channels[channel].isRegistered, unsafe channels[channel].parameter == 1 else {
      return
    }
    let coarse = unsafe UInt8(truncatingIfNeeded: channels[channel].entry >> 7)
    synth.apply(
      Message(status: 0xB0 | UInt8(truncatingIfNeeded: channel), data1: 6, data2: coarse))
  }

  @_noAllocation @_noLocks
  func sendBendRange(_ channel: Int) {
    unsafe synth.setBendRange(channel, semitones: channels[channel].bendSemitones)
    unsafe synth.setBendScale(channels[channel].bendScale, on: channel)
    sendBend(channel)
  }

  @_noAllocation @_noLocks
  func sendBend(_ channel: Int, at frame: Int = 0) {
    let bend = unsafe channels[channel].scaledBend
    synth.apply(
      Message(
        status: 0xE0 | UInt8(truncatingIfNeeded: channel),
        data1: UInt8(truncatingIfNeeded: bend & 0x7F),
        data2: UInt8(truncatingIfNeeded: bend >> 7)), at: frame)
  }
}
