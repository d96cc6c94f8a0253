// SPDX-License-Identifier: Apache-2.0
import MIDIMessages

/// The state that channel messages have set on one channel.
struct ChannelState {
  /// The values of controllers; nil if not set.
  private var controllers = [UInt8?](repeating: nil, count: 128)
  private var program: UInt8?
  /// The bank that was set when the program was selected.
  ///
  /// A bank select alone does nothing.
  private var programBank: (coarse: UInt8?, fine: UInt8?) = (nil, nil)
  /// True for controllers 0 and 32 if they followed the last program change.
  private var bankWaits = (coarse: false, fine: false)
  private var bend: (UInt8, UInt8)?
  private var pressure: UInt8?
  private var keyPressures: [UInt8: UInt8] = [:]
  private var parameters = ParameterState()
  private var wasReset = false

  mutating func apply(_ record: EventRecord) {
    switch record.status & 0xF0 {
    case 0x90: controllers[84] = nil
    case 0xA0: keyPressures[record.data1] = record.data2
    case 0xB0: applyController(record.data1, record.data2)
    case 0xC0:
      program = record.data1
      programBank = (controllers[0], controllers[32])
      bankWaits = (false, false)
    case 0xD0: pressure = record.data1
    case 0xE0: bend = (record.data1, record.data2)
    default: break
    }
  }

  private mutating func applyController(_ number: UInt8, _ value: UInt8) {
    switch number {
    case 6, 38, 96...101: parameters.apply(number, value)
    case Controller.resetAll.number: reset()
    // Sound off and notes off do not change the state.
    case Controller.allSoundOff.number, Controller.allNotesOff.number: break
    // The last of omni off and on applies, and the last of mono and poly.
    case 124, 125:
      controllers[124] = nil
      controllers[125] = nil
      controllers[Int(number)] = value
    case 126, 127:
      controllers[126] = nil
      controllers[127] = nil
      controllers[Int(number)] = value
    default:
      controllers[Int(number)] = value
      if number == 0 { bankWaits.coarse = true }
      if number == 32 { bankWaits.fine = true }
    }
  }

  /// The state after a reset of the device: empty except for a bank select without its program
  /// change (`ProgramChoice`).
  var afterDeviceReset: ChannelState {
    var state = ChannelState()
    if bankWaits.coarse { state.controllers[0] = controllers[0] }
    if bankWaits.fine { state.controllers[32] = controllers[32] }
    state.bankWaits = bankWaits
    return state
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

  /// True if the next note slides from a key that controller 84 selected.
  var hasPortamentoSource: Bool { controllers[84] != nil }

  /// Releases the pedals that are down, or sets all pedals to 0.
  mutating func raisePedals(all: Bool) {
    for pedal in Controller.pedals {
      let number = Int(pedal.number)
      if let value = controllers[number], all || Controller.isDown(value) {
        controllers[number] = 0
      }
    }
  }

  /// The same state with all values unknown: what a device that ignores a reset may still have.
  var touched: ChannelState {
    var state = self
    for number in 0..<128 where state.controllers[number] != nil {
      state.controllers[number] = Self.unknownValue
    }
    if state.program != nil { state.program = Self.unknownValue }
    if state.bend != nil { state.bend = (Self.unknownValue, Self.unknownValue) }
    if state.pressure != nil { state.pressure = Self.unknownValue }
    for key in state.keyPressures.keys { state.keyPressures[key] = Self.unknownValue }
    state.parameters = state.parameters.touched
    return state
  }

  /// A value that cannot occur in a message.
  private static let unknownValue: UInt8 = 0xFF

  /// Centres the bend.
  mutating func centreBend() {
    if bend != nil { bend = (0, 0x40) }
  }

  /// Removes the value of a field, because a SysEx message has set the same thing.
  mutating func forget(_ field: SharedSetting.Field) {
    switch field {
    case .controller(let number): controllers[Int(number)] = nil
    case .program: program = nil
    case .mode: for number in 124...127 { controllers[number] = nil }
    case .parameter(let number): parameters.forget(number)
    }
  }

  /// Removes the values of drum notes, because a message has reset all of them.
  mutating func forgetDrumNotes() { parameters.forgetDrumNotes() }

  /// True if a channel message has set a field.
  func isSet(_ field: SharedSetting.Field) -> Bool {
    switch field {
    case .controller(let number): controllers[Int(number)] != nil
    case .program: program != nil
    case .mode: controllers[126] != nil || controllers[127] != nil
    case .parameter(let number): parameters.isSet(number)
    }
  }

  /// The field that a message sets, or nil for none.
  ///
  /// Call it after `apply`.
  func field(setBy record: EventRecord) -> SharedSetting.Field? {
    switch (record.status & 0xF0, record.data1) {
    case (0xC0, _): .program
    case (0xB0, 6), (0xB0, 38), (0xB0, 96), (0xB0, 97): parameters.current.map { .parameter($0) }
    case (0xB0, 126...127): .mode
    case (0xB0, let number): .controller(number)
    default: nil
    }
  }

  /// The initial values to which a state returns, and the values that SysEx messages set instead.
  struct Defaults {
    var mode: SysExReset?
    var device = StateDevice.published
    /// Returns true if a SysEx message of the state sets the same thing as a field.
    var isCovered: (SharedSetting.Field) -> Bool = { _ in false }
  }

  /// The fewest messages that restore the state on a channel that has another state.
  func messages(
    after other: ChannelState, on channel: Channel, _ defaults: Defaults
  ) -> [Message] {
    var target = self
    target.setDefaults(for: other, on: channel, defaults)
    target.wasReset = false
    let bank = Self.initialBank(on: channel, in: defaults.mode)
    if other.controllers[0] != nil {
      target.programBank.coarse = target.programBank.coarse ?? bank
    }
    if other.controllers[32] != nil { target.programBank.fine = target.programBank.fine ?? 0 }
    let banks = (target.controllers[0], target.controllers[32])
    for number in 0..<128 where target.controllers[number] == other.controllers[number] {
      target.controllers[number] = nil
    }
    if target.program == other.program, target.programBank == other.programBank {
      target.program = nil
    } else if target.program != nil {
      // A program is sent with the bank it was selected with, and then with a later bank select.
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

  /// Sets initial values for everything that another state has set and this one has not.
  mutating func setDefaults(
    for later: ChannelState, on channel: Channel, _ defaults: Defaults
  ) {
    if program == nil, later.program != nil, !defaults.isCovered(.program) {
      program = 0
      programBank = (Self.initialBank(on: channel, in: defaults.mode), 0)
    }
    for number in 0..<120
    where controllers[number] == nil && later.controllers[number] != nil
      && !defaults.isCovered(.controller(UInt8(number)))
    {
      controllers[number] = Self.initialValue(number, on: channel, defaults)
    }
    setDefaultModes(for: later, defaults)
    if bend == nil, later.bend != nil || later.wasReset { bend = (0, 0x40) }
    if pressure == nil, later.pressure != nil { pressure = 0 }
    for key in later.keyPressures.keys where keyPressures[key] == nil { keyPressures[key] = 0 }
    parameters.setDefaults(for: later.parameters, in: defaults.mode) {
      defaults.isCovered(.parameter($0))
    }
  }

  /// Omni on, poly on.
  private mutating func setDefaultModes(for later: ChannelState, _ defaults: Defaults) {
    func isUnset(_ state: ChannelState, _ modes: ClosedRange<Int>) -> Bool {
      modes.allSatisfy { state.controllers[$0] == nil }
    }
    guard !defaults.isCovered(.mode) else { return }
    if isUnset(self, 126...127), !isUnset(later, 126...127) { controllers[127] = 0 }
    if isUnset(self, 124...125), !isUnset(later, 124...125) { controllers[125] = 0 }
  }

  /// The upper byte of the bank after a reset.
  private static func initialBank(on channel: Channel, in mode: SysExReset?) -> UInt8 {
    switch mode {
    case .xg: channel.index == 9 ? 127 : 0
    case .generalMIDI2: channel.index == 9 ? 120 : 121
    default: 0
    }
  }

  private static func initialValue(
    _ number: Int, on channel: Channel, _ defaults: Defaults
  ) -> UInt8? {
    switch number {
    case 0: initialBank(on: channel, in: defaults.mode)
    case 8, 70...79: 64
    case 91: defaults.device.reverbSend(after: defaults.mode)
    // The next note uses it up, and "none" cannot be sent.
    case 84: nil
    default: Controller(UInt8(number)).restValue ?? 0
    }
  }

  /// The messages that set the state on a channel that has its initial state.
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

extension EventRecord {
  /// True for controller 84, which selects the key that the next note slides from.
  var isPortamentoSource: Bool { status & 0xF0 == 0xB0 && data1 == 84 }
}
