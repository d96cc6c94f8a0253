// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages

/// The state of one channel as sent or received, with the last packet that changed each value.
///
/// Sender and receiver keep the same history, so the sender can describe what the receiver must
/// repair.
struct ChannelHistory: Sendable {
  struct Control: Sendable {
    var number: UInt8
    var value: UInt8
    var at: UInt64
  }

  struct Parameter: Sendable {
    var number: ParameterNumber
    var entryHigh: UInt8?
    var entryLow: UInt8?
    var steps: Int?
    var at: UInt64
  }

  struct Note: Sendable {
    /// The number of note-ons without a note-off.
    var count: UInt8 = 0
    /// The velocity of the note-on or, after the end, of the note-off.
    var velocity: UInt8 = 64
    /// The time of the note-on, in units of 100 µs.
    var time: UInt32 = 0
    /// The last packet that changed the note; 0 if none did.
    var at: UInt64 = 0
  }

  enum Choice: Hashable, Sendable {
    case none
    case pending(PendingParameter)
    case parameter(ParameterNumber)
  }

  /// The most note-ons that are counted for one note, which limits repairs.
  static let mostBegun: UInt8 = 8
  static let mostParameters = 64

  var lastChange: UInt64 = 0
  var program: (program: UInt8, bank: ChannelJournal.Bank?, at: UInt64)?
  /// The controllers, from least to most recently received.
  var controls: [Control] = []
  /// Controllers that a reset may have changed since they were received.
  var unsure: UInt128 = 0
  var counts = [UInt8](repeating: 0, count: 128)
  var toggles = [UInt8](repeating: 0, count: 128)
  var choice = Choice.none
  var chosenAt: UInt64 = 0
  var parameters: [Parameter] = []
  var bend: (low: UInt8, high: UInt8, at: UInt64)?
  var pressure: (value: UInt8, at: UInt64)?
  var keyPressures: [UInt8: (value: UInt8, at: UInt64)] = [:]
  var notes = [Note](repeating: Note(), count: 128)
  /// True if the history is empty, so that a datagram full of resets does not examine every note
  /// for each reset.
  private var isForgotten = true

  /// True for trigger controllers, which are counted instead of valued.
  static func isCounted(_ number: UInt8) -> Bool { number >= 120 && number != 122 }

  func value(of number: UInt8) -> UInt8? { controls.last { $0.number == number }?.value }

  mutating func record(_ message: Message, at packet: UInt64, time: UInt32) {
    (lastChange, isForgotten) = (packet, false)
    let (data1, data2) = (message.data1 & 0x7F, message.data2 & 0x7F)
    switch message.status & 0xF0 {
    case 0x90 where data2 > 0:
      let count = min(notes[Int(data1)].count + 1, Self.mostBegun)
      notes[Int(data1)] = Note(count: count, velocity: data2, time: time, at: packet)
    case 0x80, 0x90:
      let old = notes[Int(data1)]
      let count = old.count == 0 ? 0 : old.count - 1
      let release: UInt8 = message.status >= 0x90 ? 64 : data2
      notes[Int(data1)] = Note(
        count: count, velocity: count == 0 ? release : old.velocity, time: old.time, at: packet)
    case 0xA0: keyPressures[data1] = (data2, packet)
    case 0xB0: control(data1, data2, at: packet)
    case 0xC0:
      let (high, low) = (value(of: 0), value(of: 32))
      let bank =
        high == nil && low == nil ? nil : ChannelJournal.Bank(high: high ?? 0, low: low ?? 0)
      program = (data1, bank, packet)
    case 0xD0: pressure = (data1, packet)
    default: bend = (data1, data2, packet)
    }
  }

  /// Clears the history, because the instrument was reset.
  mutating func forget(at packet: UInt64) {
    (lastChange, chosenAt) = (packet, packet)
    guard !isForgotten else { return }
    isForgotten = true
    endNotes(at: packet)
    (program, bend, pressure, keyPressures) = (nil, nil, nil, [:])
    controls.removeAll { !Self.isCounted($0.number) }
    (parameters, choice, unsure) = ([], .none, 0)
  }

  private mutating func control(_ number: UInt8, _ value: UInt8, at packet: UInt64) {
    switch number {
    case 98...101: choose(number, value, at: packet)
    case 6, 38, 96, 97: enter(number, value, at: packet)
    default:
      let old = self.value(of: number) ?? 0
      if (old >= 64) != (value >= 64) { toggles[Int(number)] = (toggles[Int(number)] + 1) & 0x3F }
      counts[Int(number)] = (counts[Int(number)] + 1) & 0x3F
      controls.removeAll { $0.number == number }
      controls.append(Control(number: number, value: value, at: packet))
      unsure &= ~(1 << UInt128(number))
      if number == 121 { reset(at: packet) }
      if number == 120 || number >= 123 { endNotes(at: packet) }
    }
  }

  /// Processes Reset All Controllers: the values that RP-015 resets are removed, others are marked
  /// as unsure.
  private mutating func reset(at packet: UInt64) {
    (bend, pressure, keyPressures) = (nil, nil, [:])
    for control in controls where control.number < 120 {
      // Bank, volume, pan, sound controllers and effects are not reset.
      switch control.number {
      case 0, 7, 10, 32, 39, 42, 70...79, 91...95: continue
      default: unsure |= 1 << UInt128(control.number)
      }
    }
    (choice, chosenAt) = (.none, packet)
  }

  private mutating func endNotes(at packet: UInt64) {
    for key in notes.indices where notes[key].count > 0 {
      notes[key] = Note(count: 0, velocity: 64, time: notes[key].time, at: packet)
    }
  }

  private mutating func choose(_ number: UInt8, _ value: UInt8, at packet: UInt64) {
    let isUnregistered = number < 100
    chosenAt = packet
    if number == 99 || number == 101 {
      choice = .pending(PendingParameter(isUnregistered: isUnregistered, high: value))
      return
    }
    var high: UInt8 = 0
    switch choice {
    case .pending(let pending) where pending.isUnregistered == isUnregistered: high = pending.high
    case .parameter(let old) where old.isUnregistered == isUnregistered: high = old.high
    default: break
    }
    let chosen = ParameterNumber(isUnregistered: isUnregistered, high: high, low: value)
    choice = chosen.isNull ? .none : .parameter(chosen)
    if !chosen.isNull { touch(chosen, at: packet) { _ in } }
  }

  /// Processes data entry; ignored without a selected parameter.
  private mutating func enter(_ number: UInt8, _ value: UInt8, at packet: UInt64) {
    guard case .parameter(let chosen) = choice else { return }
    touch(chosen, at: packet) { parameter in
      switch number {
      case 6: (parameter.entryHigh, parameter.steps) = (value, nil)
      case 38: (parameter.entryLow, parameter.steps) = (value, nil)
      case 96: parameter.steps = min((parameter.steps ?? 0) + 1, Self.mostSteps)
      default: parameter.steps = max((parameter.steps ?? 0) - 1, -Self.mostSteps)
      }
    }
  }

  mutating func touch(
    _ number: ParameterNumber, at packet: UInt64, _ change: (inout Parameter) -> Void
  ) {
    var parameter = Parameter(number: number, at: packet)
    if let place = parameters.firstIndex(where: { $0.number == number }) {
      parameter = parameters.remove(at: place)
    } else if parameters.count == Self.mostParameters {
      parameters.removeFirst()
    }
    parameter.at = packet
    change(&parameter)
    parameters.append(parameter)
  }
}
