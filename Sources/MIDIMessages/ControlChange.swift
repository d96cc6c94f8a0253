// SPDX-License-Identifier: Apache-2.0

/// One change to a controller or a parameter on its way.
public struct ControlChange: Hashable, Sendable {
  /// What is changed, on every channel.
  public enum Control: Hashable, Sendable {
    /// A controller, 0…127.
    case controller(UInt8)
    /// A registered parameter, 0…16383.
    case registered(UInt16)
    /// A parameter that is not registered, 0…16383.
    case nonRegistered(UInt16)
  }

  /// What becomes of it.
  public enum Effect: Hashable, Sendable {
    /// It takes another number of the same kind; later changes know it by that.
    case renumber(UInt16)
    /// Its value changes, or all of it is dropped.
    case alter(ValueTransform)
  }

  /// The control.
  public let control: Control
  /// Whether its value is one of 14 bits; if not, the upper byte is altered alone.
  public let isFine: Bool
  /// What becomes of it.
  public let effect: Effect

  /// Creates a change.
  ///
  /// - Precondition: numbers are in range; of controllers only 0…31 are fine.
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
  /// The number.
  public var number: UInt16 {
    switch self {
    case .controller(let number): UInt16(number)
    case .registered(let number), .nonRegistered(let number): number
    }
  }

  /// The numbers that controls of this kind have.
  public func numbers(isFine: Bool) -> ClosedRange<UInt16> {
    if isParameter { return 0...16383 }
    return isFine ? 0...31 : 0...127
  }

  var isParameter: Bool {
    if case .controller = self { false } else { true }
  }

  /// The control of the same kind with another number; of controllers the low seven bits count.
  public func renumbered(_ number: UInt16) -> Self {
    switch self {
    case .controller: .controller(UInt8(truncatingIfNeeded: number & 127))
    case .registered: .registered(number)
    case .nonRegistered: .nonRegistered(number)
    }
  }

  /// The controllers and values that select a parameter.
  var selection: [(number: UInt8, value: UInt8)] {
    let bytes = (UInt8(number >> 7 & 127), UInt8(number & 127))
    switch self {
    case .controller: return []
    case .registered: return [(101, bytes.0), (100, bytes.1)]
    case .nonRegistered: return [(99, bytes.0), (98, bytes.1)]
    }
  }
}
