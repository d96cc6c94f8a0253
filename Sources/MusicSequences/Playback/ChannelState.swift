// SPDX-License-Identifier: Apache-2.0
import MIDIMessages

/// What a channel's messages have set, and nothing else.
struct ChannelState {
  /// The values of controllers; nil where nothing set one.
  private var controllers = [UInt8?](repeating: nil, count: 128)
  private var program: UInt8?
  /// The bank in force when the program was selected: a bank alone does nothing until then.
  private var programBank: (coarse: UInt8?, fine: UInt8?) = (nil, nil)
  private var bend: (UInt8, UInt8)?
  private var pressure: UInt8?
  private var keyPressures: [UInt8: UInt8] = [:]
  private var parameters = ParameterState()
  private var wasReset = false

  mutating func apply(_ record: EventRecord) {
    switch record.status & 0xF0 {
    case 0xA0: keyPressures[record.data1] = record.data2
    case 0xB0: applyController(record.data1, record.data2)
    case 0xC0:
      program = record.data1
      programBank = (controllers[0], controllers[32])
    case 0xD0: pressure = record.data1
    case 0xE0: bend = (record.data1, record.data2)
    default: break
    }
  }

  private mutating func applyController(_ number: UInt8, _ value: UInt8) {
    switch number {
    case 6, 38, 96...101: parameters.apply(number, value)
    case Controller.resetAll.number: reset()
    // Silence leaves no state behind.
    case Controller.allSoundOff.number, Controller.allNotesOff.number: break
    // Omni off and on, mono and poly: the last of each pair is in force.
    case 124, 125:
      controllers[124] = nil
      controllers[125] = nil
      controllers[Int(number)] = value
    case 126, 127:
      controllers[126] = nil
      controllers[127] = nil
      controllers[Int(number)] = value
    default: controllers[Int(number)] = value
    }
  }

  /// Reset All Controllers.
  private mutating func reset() {
    wasReset = true
    for number in 0..<128 where !Controller(UInt8(number)).survivesReset {
      controllers[number] = nil
    }
    bend = nil
    pressure = nil
    keyPressures = [:]
    parameters.deselect()
  }

  /// Pedals that were held are up, or every one.
  mutating func raisePedals(all: Bool) {
    for pedal in Controller.pedals {
      let number = Int(pedal.number)
      if let value = controllers[number], all || Controller.isDown(value) {
        controllers[number] = 0
      }
    }
  }

  /// The bend is at rest.
  mutating func centreBend() {
    if bend != nil { bend = (0, 0x40) }
  }

  /// The least messages that bring the state about where another one is in force.
  func messages(after other: ChannelState, on channel: Channel) -> [Message] {
    var target = self
    target.setDefaults(for: other)
    target.wasReset = false
    if other.controllers[0] != nil { target.programBank.coarse = target.programBank.coarse ?? 0 }
    if other.controllers[32] != nil { target.programBank.fine = target.programBank.fine ?? 0 }
    let banks = (target.controllers[0], target.controllers[32])
    for number in 0..<128 where target.controllers[number] == other.controllers[number] {
      target.controllers[number] = nil
    }
    if target.program == other.program, target.programBank == other.programBank {
      target.program = nil
    } else if target.program != nil {
      // The bank that the program was selected under goes with it; one that came later, after it.
      target.controllers[0] = banks.0
      target.controllers[32] = banks.1
    }
    target.parameters.forget(whatIsIn: other.parameters)
    if let bend, let known = other.bend, bend == known { target.bend = nil }
    if target.pressure == other.pressure { target.pressure = nil }
    for (key, value) in other.keyPressures where target.keyPressures[key] == value {
      target.keyPressures[key] = nil
    }
    return target.messages(on: channel)
  }

  /// Gives what another state has set and this one has not its initial value.
  mutating func setDefaults(for later: ChannelState) {
    if program == nil, later.program != nil {
      program = 0
      programBank = (0, 0)
    }
    for number in 0..<120 where controllers[number] == nil && later.controllers[number] != nil {
      controllers[number] = Self.initialValue(number)
    }
    if bend == nil, later.bend != nil || later.wasReset { bend = (0, 0x40) }
    if pressure == nil, later.pressure != nil { pressure = 0 }
    for key in later.keyPressures.keys where keyPressures[key] == nil { keyPressures[key] = 0 }
    parameters.setDefaults(for: later.parameters)
  }

  private static func initialValue(_ number: Int) -> UInt8 {
    switch number {
    case 8, 70...79: 64
    case 91: 40
    default: Controller(UInt8(number)).restValue ?? 0
    }
  }

  /// The messages that bring the state about in a channel that is in its initial state.
  func messages(on channel: Channel) -> [Message] {
    var out: [Message] = []
    func control(_ number: Int, _ value: UInt8) {
      out.append(.control(channel, Controller(UInt8(number)), value: value))
    }
    if wasReset { control(121, 0) }
    if let program {
      if let coarse = programBank.coarse { control(0, coarse) }
      if let fine = programBank.fine { control(32, fine) }
      out.append(.program(channel, program))
    }
    for number in 0..<128 {
      guard let value = controllers[number] else { continue }
      let isSent =
        number == 0 && program != nil && programBank.coarse == value
        || number == 32 && program != nil && programBank.fine == value
      if !isSent { control(number, value) }
    }
    for (number, value) in parameters.controls { control(Int(number), value) }
    if let bend {
      out.append(Message(status: 0xE0 | channel.index, data1: bend.0, data2: bend.1))
    }
    if let pressure { out.append(Message(status: 0xD0 | channel.index, data1: pressure)) }
    for (key, value) in keyPressures.sorted(by: { $0.key < $1.key }) {
      out.append(Message(status: 0xA0 | channel.index, data1: key, data2: value))
    }
    return out
  }
}
