// SPDX-License-Identifier: Apache-2.0

/// What a control map remembers of one channel.
struct ChannelControls: Sendable {
  /// The place of data entry among the values, after the controllers 0…31.
  static let dataEntry = 32

  /// The values of two bytes.
  var values = [FineValue](repeating: FineValue(), count: 33)
  private var registered: UInt16 = 0x3FFF
  private var nonRegistered: UInt16 = 0x3FFF
  private var isRegistered: Bool?
  private var announced: ControlChange.Control?
  private var entered: ControlChange.Control?

  /// The parameter that is selected, as it came in; nil where none was.
  var selection: ControlChange.Control? {
    isRegistered.map { $0 ? .registered(registered) : .nonRegistered(nonRegistered) }
  }

  /// Takes half of a parameter's number; returns whether it was one.
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

  /// Notes which parameter is selected at the other end; returns whether that is news.
  mutating func announce(_ control: ControlChange.Control) -> Bool {
    defer { announced = control }
    return control != announced
  }

  /// Notes for which parameter data entry comes: of another one no byte is known.
  mutating func enter(_ control: ControlChange.Control) {
    if control != entered { values[Self.dataEntry] = FineValue() }
    entered = control
  }
}

/// A value of 14 bits in two messages: the upper byte as it came in, and as it went out.
struct FineValue: BitwiseCopyable, Sendable {
  private var upper: UInt8?
  private var sentUpper: UInt8?

  /// Takes a byte, and returns the value now, or nil where its upper byte is not known.
  ///
  /// An upper byte puts the lower to zero.
  mutating func take(_ byte: UInt8, isLower: Bool) -> UInt16? {
    guard isLower else {
      upper = byte
      return UInt16(byte) << 7
    }
    return upper.map { UInt16($0) << 7 | UInt16(byte) }
  }

  /// Calls `emit` with the bytes that tell a value where one byte of it has come.
  ///
  /// What came goes on; the other byte goes with it where it has changed.
  mutating func send(
    _ value: UInt16, isLower: Bool, _ emit: (_ isLower: Bool, UInt8) -> Void
  ) {
    let (new, lower) = (UInt8(value >> 7), UInt8(value & 127))
    if !isLower || new != sentUpper { emit(false, new) }
    sentUpper = new
    if isLower || lower != 0 { emit(true, lower) }
  }
}
