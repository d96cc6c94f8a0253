// SPDX-License-Identifier: Apache-2.0

/// A list of rules that change controllers and parameters, with the state that they need for each
/// channel.
///
/// A control is a controller, or a parameter that is selected by its number (RPN, NRPN). For rules
/// with `isFine`, two messages form a 14-bit value. A message with the upper byte sets the lower
/// byte to 0, and the result is sent as an upper byte and a lower byte. A message with the lower
/// byte passes unchanged until an upper byte has been received. If a rule changes parameters, the
/// messages that select a parameter are held back until its first data entry.
///
/// Source: MIDI 1.0 Detailed Specification 4.2.1, Control Change; RP-018.
public struct ControlMap: Sendable {
  /// The rules, in order.
  ///
  /// Each rule is applied to the result of the rules before it.
  public let changes: [ControlChange]

  private let hasParameters: Bool
  /// The fine controllers in 0…31; bit n is controller n.
  private let fineControllers: UInt32
  private var channels = [ChannelControls](repeating: ChannelControls(), count: 16)

  /// Creates a map from rules; without rules, messages pass unchanged.
  public init(_ changes: [ControlChange] = []) {
    self.changes = changes
    hasParameters = changes.contains { $0.control.isParameter }
    fineControllers = changes.reduce(0) { mask, change in
      guard change.isFine, case .controller(let number) = change.control else { return mask }
      return mask | 1 << UInt32(number)
    }
  }

  /// Applies the rules to a message, and calls `emit` with each resulting message: none, one or
  /// several.
  public mutating func apply(_ message: Message, _ emit: (Message) -> Void) {
    guard !changes.isEmpty, case .control(let channel, let controller, let value) = message.kind
    else { return emit(message) }
    let number = controller.number
    func control(_ number: UInt8, _ value: UInt8) {
      emit(.control(channel, Controller(number), value: value))
    }
    if hasParameters, channels[Int(channel.index)].select(number, value) { return }
    if hasParameters, [6, 38, 96, 97].contains(number) {
      enter(number, value, on: Int(channel.index), control)
    } else if number < 64, fineControllers & 1 << UInt32(number & 31) != 0 {
      move(number, value, on: Int(channel.index), control)
    } else if let (new, value) = changed(.controller(number), UInt16(value) << 7),
      case .controller(let number) = new
    {
      control(number, UInt8(value >> 7))
    }
  }

  /// Processes one of the two messages of a fine controller.
  private mutating func move(
    _ number: UInt8, _ value: UInt8, on channel: Int, _ emit: (UInt8, UInt8) -> Void
  ) {
    let place = Int(number & 31)
    let fine = channels[channel].values[place].take(value, isLower: number >= 32)
    guard let (control, result) = changed(.controller(number & 31), fine ?? 0),
      case .controller(let target) = control
    else { return }
    if fine == nil { return emit(target + 32, value) }
    channels[channel].values[place].send(result, isLower: number >= 32) { isLower, byte in
      emit(isLower ? target + 32 : target, byte)
    }
  }

  /// Processes data entry, increment or decrement for the selected parameter.
  private mutating func enter(
    _ number: UInt8, _ value: UInt8, on channel: Int, _ emit: (UInt8, UInt8) -> Void
  ) {
    guard let selected = channels[channel].selection else { return emit(number, value) }
    channels[channel].enter(selected)
    let place = ChannelControls.dataEntry
    let isLower = number == 38
    let isStep = number >= 96
    let fine = isStep ? nil : channels[channel].values[place].take(value, isLower: isLower)
    guard let (control, result) = changed(selected, fine ?? 0) else { return }
    if channels[channel].announce(control) {
      for (number, byte) in control.selection { emit(number, byte) }
    }
    // An increment or decrement does not have a value, and a lower byte alone does not determine
    // one.
    if fine == nil { return emit(number, value) }
    channels[channel].values[place].send(result, isLower: isLower) { isLower, byte in
      emit(isLower ? 38 : 6, byte)
    }
  }

  /// The changed control and its 14-bit value; nil if it is dropped.
  private func changed(
    _ control: ControlChange.Control, _ value: UInt16
  ) -> (ControlChange.Control, UInt16)? {
    var (control, value) = (control, value)
    for change in changes where change.control == control {
      switch change.effect {
      case .renumber(let number):
        control = control.renumbered(number)
      case .alter(let transform) where change.isFine:
        guard let new = transform.apply(fine: value) else { return nil }
        value = new
      case .alter(let transform):
        guard let new = transform.apply(UInt8(value >> 7)) else { return nil }
        value = UInt16(new) << 7 | value & 127
      }
    }
    return (control, value)
  }
}
