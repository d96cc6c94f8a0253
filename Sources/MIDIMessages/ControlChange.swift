// SPDX-License-Identifier: Apache-2.0

/// A rule of a `ControlMap` that renumbers, changes or drops a controller or parameter.
public struct ControlChange: Hashable, Sendable {
  /// A controller or parameter; a rule applies to it on all channels.
  public enum Control: Hashable, Sendable {
    /// A controller, 0…127.
    case controller(UInt8)
    /// A registered parameter (RPN), 0…16383.
    case registered(UInt16)
    /// A non-registered parameter (NRPN), 0…16383.
    case nonRegistered(UInt16)
  }

  /// The change that a rule makes.
  public enum Effect: Hashable, Sendable {
    /// Changes the number of the control.
    ///
    /// Later rules apply to the new number.
    case renumber(UInt16)
    /// Changes the value, or drops the message.
    case alter(ValueTransform)
  }

  /// The control that the rule changes.
  public let control: Control
  /// True if the control has a 14-bit value, which is sent in two messages.
  ///
  /// If false, only the upper byte is changed.
  public let isFine: Bool
  /// The change that the rule makes.
  public let effect: Effect

  /// Creates a rule.
  ///
  /// - Precondition: The numbers are in range. If `isFine` is true, a controller is 0…31.
  public init(_ control: Control, isFine: Bool = false, _ effect: Effect) {
    let range = control.numbers(isFine: isFine)
    precondition(range.contains(control.number), "controller number out of range")
    if case .renumber(let number) = effect {
      precondition(range.contains(number), "controller number out of range")
    }
    self.control = control
    self.isFine = isFine
    self.effect = effect
  }
}

extension ControlChange.Control {
  /// The number of the controller or parameter.
  public var number: UInt16 {
    switch self {
    case .controller(let number): UInt16(number)
    case .registered(let number), .nonRegistered(let number): number
    }
  }

  /// Returns the valid numbers of this kind of control.
  public func numbers(isFine: Bool) -> ClosedRange<UInt16> {
    if isParameter { return 0...16383 }
    return isFine ? 0...31 : 0...127
  }

  var isParameter: Bool {
    if case .controller = self { false } else { true }
  }

  /// Returns the same kind of control with another number.
  ///
  /// For a controller, only the low seven bits of the number are used.
  public func renumbered(_ number: UInt16) -> Self {
    switch self {
    case .controller: .controller(UInt8(truncatingIfNeeded: number & 127))
    case .registered: .registered(number)
    case .nonRegistered: .nonRegistered(number)
    }
  }

  /// The controllers and values that select the parameter.
  var selection: [(number: UInt8, value: UInt8)] {
    let bytes = (UInt8(number >> 7 & 127), UInt8(number & 127))
    switch self {
    case .controller: return []
    case .registered: return [(101, bytes.0), (100, bytes.1)]
    case .nonRegistered: return [(99, bytes.0), (98, bytes.1)]
    }
  }
}
