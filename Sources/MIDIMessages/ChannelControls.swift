// SPDX-License-Identifier: Apache-2.0

/// The state of a control map for one channel.
struct ChannelControls: Sendable {
  /// The index of data entry in `values`, after controllers 0…31.
  static let dataEntry = 32

  /// The 14-bit values of controllers 0…31 and of data entry.
  var values = [FineValue](repeating: FineValue(), count: 33)
  private var registered: UInt16 = 0x3FFF
  private var nonRegistered: UInt16 = 0x3FFF
  private var isRegistered: Bool?
  private var announced: ControlChange.Control?
  private var entered: ControlChange.Control?

  /// The parameter that is selected at the input; nil before the first selection.
  var selection: ControlChange.Control? {
    isRegistered.map { $0 ? .registered(registered) : .nonRegistered(nonRegistered) }
  }

  /// Processes half of a parameter's number.
  ///
  /// - Returns: False if the controller does not select a parameter.
  mutating func select(_ controller: UInt8, _ value: UInt8) -> Bool {
    switch controller {
    case 98: nonRegistered = nonRegistered & 0x3F80 | UInt16(value)
    case 99: nonRegistered = nonRegistered & 0x7F | UInt16(value) << 7
    case 100: registered = registered & 0x3F80 | UInt16(value)
    case 101: registered = registered & 0x7F | UInt16(value) << 7
    default: return false
    }
    isRegistered = controller >= 100
    return true
  }

  /// Records the parameter that is selected at the output.
  ///
  /// - Returns: True if it was not selected before.
  mutating func announce(_ control: ControlChange.Control) -> Bool {
    defer { announced = control }
    return control != announced
  }

  /// Records the parameter of data entry.
  ///
  /// If it changes, known bytes of the value are discarded.
  mutating func enter(_ control: ControlChange.Control) {
    if control != entered { values[Self.dataEntry] = FineValue() }
    entered = control
  }
}

/// A 14-bit value that is sent in two messages.
struct FineValue: BitwiseCopyable, Sendable {
  private var upper: UInt8?
  private var sentUpper: UInt8?

  /// Processes a byte, and returns the new value or nil if the upper byte is not known.
  ///
  /// An upper byte sets the lower byte to 0.
  mutating func take(_ byte: UInt8, isLower: Bool) -> UInt16? {
    guard isLower else {
      upper = byte
      return UInt16(byte) << 7
    }
    return upper.map { UInt16($0) << 7 | UInt16(byte) }
  }

  /// Calls `emit` with the bytes to send after one byte of a value was received.
  ///
  /// The received byte is sent; the other byte is sent too if it has changed.
  mutating func send(
    _ value: UInt16, isLower: Bool, _ emit: (_ isLower: Bool, UInt8) -> Void
  ) {
    let (new, lower) = (UInt8(value >> 7), UInt8(value & 127))
    if !isLower || new != sentUpper { emit(false, new) }
    sentUpper = new
    if isLower || lower != 0 { emit(true, lower) }
  }
}
