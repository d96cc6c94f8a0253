// SPDX-License-Identifier: Apache-2.0

/// A parameter of a drum note, set by any kind of message; its value is a byte, 0…127.
package enum NoteParameter: BitwiseCopyable, Sendable {
  /// Pitch in semitones, with an offset of 64.
  case pitch
  /// The key whose pitch is played; 60 is the sound's own pitch.
  case playKey
  /// Fine pitch in cents, with an offset of 64.
  case finePitch
  case level, pan, reverb, chorus, delay
  case cutoff, resonance, attack, decay
  case group, receivesOn, receivesOff

  /// The parameter of the non-registered parameter number `coarse` rr; nil for other numbers.
  ///
  /// Sources: Roland SC-88Pro and Yamaha MU80 owner's manuals.
  @_noAllocation @_noLocks
  package init?(nonRegistered coarse: Int) {
    switch coarse {
    case 0x14: self = .cutoff
    case 0x15: self = .resonance
    case 0x16: self = .attack
    case 0x17: self = .decay
    case 0x18: self = .pitch
    case 0x19: self = .finePitch
    case 0x1A: self = .level
    case 0x1C: self = .pan
    case 0x1D: self = .reverb
    case 0x1E: self = .chorus
    case 0x1F: self = .delay
    default: return nil
    }
  }

  /// The parameter at a GS address 41 mx rr; nil if it is not supported.
  @_noAllocation @_noLocks
  package init?(gs kind: Int) {
    switch kind {
    case 1: self = .playKey
    case 2: self = .level
    case 3: self = .group
    case 4: self = .pan
    case 5: self = .reverb
    case 6: self = .chorus
    case 7: self = .receivesOff
    case 8: self = .receivesOn
    case 9: self = .delay
    default: return nil
    }
  }

  /// The parameter at an XG address 3n rr ll; nil if it is not supported.
  @_noAllocation @_noLocks
  package init?(xg low: Int) {
    switch low {
    case 0x00: self = .pitch
    case 0x01: self = .finePitch
    case 0x02: self = .level
    case 0x03: self = .group
    case 0x04: self = .pan
    case 0x05: self = .reverb
    case 0x06: self = .chorus
    case 0x07: self = .delay
    case 0x09: self = .receivesOff
    case 0x0A: self = .receivesOn
    case 0x0B: self = .cutoff
    case 0x0C: self = .resonance
    case 0x0D: self = .attack
    case 0x0E: self = .decay
    default: return nil
    }
  }
}

extension NoteEdit {
  @_noAllocation @_noLocks
  mutating func set(_ parameter: NoteParameter, to value: UInt8) {
    let value = value & 0x7F
    switch parameter {
    case .pitch: pitch = Int8(truncatingIfNeeded: Int(value) &- 64)
    case .playKey: pitch = Int8(truncatingIfNeeded: Int(value) &- 60)
    case .finePitch: finePitch = Int8(truncatingIfNeeded: Int(value) &- 64)
    case .level: level = value
    case .pan: pan = value
    case .reverb: reverb = value
    case .chorus: chorus = value
    case .delay: delay = value
    case .cutoff: cutoff = value
    case .resonance: resonance = value
    case .attack: attack = value
    case .decay: decay = value
    case .group: group = value
    case .receivesOn: receivesOn = value != 0
    case .receivesOff: receivesOff = value != 0
    }
  }
}
