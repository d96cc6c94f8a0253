// SPDX-License-Identifier: Apache-2.0

/// A rule of a `ControlMap` that changes a controller or a parameter.
public struct ControlChange: Hashable, Sendable {
  /// A controller or parameter, on all channels.
  public enum Control: Hashable, Sendable {
    /// A controller, 0…127.
    case controller(UInt8)
    /// A registered parameter, 0…16383.
    case registered(UInt16)
    /// A non-registered parameter, 0…16383.
    case nonRegistered(UInt16)
  }

  /// The change that a rule makes.
  public enum Effect: Hashable, Sendable {
    /// Changes the number.
    ///
    /// Later rules see the new number.
    case renumber(UInt16)
    /// Changes the value, or drops the message.
    case alter(ValueTransform)
  }

  /// The control that is changed.
  public let control: Control
  /// True for a 14-bit value, which is sent in two messages.
  ///
  /// If false, the upper byte is changed alone.
  public let isFine: Bool
  /// The change that the rule makes.
  public let effect: Effect

  /// Creates a rule.
  ///
  /// - Precondition: The numbers are in range. Only controllers 0…31 can be fine.
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

  /// The valid numbers of this kind of control.
  public func numbers(isFine: Bool) -> ClosedRange<UInt16> {
    if isParameter { return 0...16383 }
    return isFine ? 0...31 : 0...127
  }

  var isParameter: Bool {
    if case .controller = self { false } else { true }
  }

  /// The same kind of control with another number.
  ///
  /// Controllers use the low seven bits.
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
