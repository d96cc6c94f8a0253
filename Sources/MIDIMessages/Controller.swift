// SPDX-License-Identifier: Apache-2.0

/// A controller number, 0…127, with names from the standard.
///
/// Source: MIDI 1.0 Detailed Specification 4.2.1, table III.
public struct Controller: Hashable, BitwiseCopyable, Sendable {
  /// The controller number, 0…127.
  public let number: UInt8

  /// Creates a controller from its number; only the low seven bits are used.
  @inlinable
  public init(_ number: UInt8) {
    self.number = number & 0x7F
  }

  /// Bank select, upper byte (controller 0).
  @inlinable public static var bankSelect: Controller { Controller(0) }
  /// Modulation wheel.
  @inlinable public static var modulation: Controller { Controller(1) }
  /// Channel volume.
  @inlinable public static var volume: Controller { Controller(7) }
  /// Pan: the position between left and right.
  @inlinable public static var pan: Controller { Controller(10) }
  /// Expression: a temporary change of the volume.
  @inlinable public static var expression: Controller { Controller(11) }
  /// Bank select, lower byte (controller 32).
  @inlinable public static var bankSelectFine: Controller { Controller(32) }
  /// The sustain pedal (damper); it is down from value 64 on.
  @inlinable public static var sustain: Controller { Controller(64) }
  /// The sostenuto pedal, which sustains only the keys that are already pressed.
  @inlinable public static var sostenuto: Controller { Controller(66) }
  /// The soft pedal.
  @inlinable public static var soft: Controller { Controller(67) }
  /// The second hold pedal.
  @inlinable public static var hold2: Controller { Controller(69) }
  /// Cuts off all sound of a channel.
  @inlinable public static var allSoundOff: Controller { Controller(120) }
  /// Resets most controllers of a channel; see `survivesReset`.
  @inlinable public static var resetAll: Controller { Controller(121) }
  /// Releases all notes of a channel.
  @inlinable public static var allNotesOff: Controller { Controller(123) }

  /// The pedals that sustain or change sounding notes; they are released when sound must end.
  ///
  /// Portamento (65) and legato (68) are not included, because they do not sustain notes.
  public static let pedals: [Controller] = [.sustain, .sostenuto, .soft, .hold2]

  /// The controller's index in `pedals`, or nil if the controller is not a pedal.
  public var pedalIndex: Int? {
    switch number {
    case 64: 0
    case 66: 1
    case 67: 2
    case 69: 3
    default: nil
    }
  }

  /// Returns true if a pedal with this value is down, which it is from 64 on.
  @inlinable
  public static func isDown(_ value: UInt8) -> Bool { value >= 64 }

  /// True for channel mode messages, which are controllers 120…127.
  @inlinable public var isMode: Bool { number >= 120 }

  /// True if Reset All Controllers does not change the controller.
  ///
  /// This applies to bank, volume, pan, effects and sound controllers. All others, including
  /// pedals, return to their `restValue`.
  ///
  /// Source: Response to Reset All Controllers (RP-015).
  public var survivesReset: Bool {
    switch number {
    case 0, 7, 10, 32, 70...79, 91...95, 120...127: true
    default: false
    }
  }

  /// The value that the controller has before the first message, or nil if the standard does not
  /// define it.
  ///
  /// Source: Response to Reset All Controllers (RP-015); General MIDI (RP-003) for volume and pan.
  public var restValue: UInt8? {
    switch number {
    case 7: 100
    case 10: 64
    case 11: 127
    case 1, 65: 0
    default: pedalIndex == nil ? nil : 0
    }
  }
}
