// SPDX-License-Identifier: Apache-2.0

/// A parameter of a part, set by any kind of message; its value is a byte, 0…127.
package enum PartParameter: BitwiseCopyable, Sendable {
  case sound(PartState.Sound)
  case depth(ControlSource, ControlDestination)
  case delaySend, dryLevel, insertion, equalizer
  /// The channel that the part receives; above 15 for none.
  case receiveChannel
  case receives(PartSwitch)
  case lowKey, highKey, lowVelocity, highVelocity
  /// Key shift in semitones, with an offset of 64.
  case keyShift
  case velocityDepth, velocityOffset
  /// 0 for mono, 1 for poly.
  case polyphony
  /// The handling of a repeated key: 0 single, 1 normal, 2 full (all voices continue).
  case assignment
  case firstController, secondController
  case softPedal
  /// The upper and the lower four bits of the pitch offset.
  case upperPitchOffset, lowerPitchOffset
  /// The upper and the lower seven bits of the fine tuning.
  case upperFineTuning, lowerFineTuning
  /// 0 is random; otherwise controller 10.
  case pan

  // Parameters that the sound module stores.

  /// A controller of the channel.
  case controller(UInt8)
  case program
  /// Bend range in semitones, with an offset of 64, as in the messages.
  case bendRange
  /// Drum mode and drum map, as numbered by GS and by XG.
  case rhythm, partMode
  /// Scale tuning of one pitch class (0 for C) in cents, with an offset of 64.
  case scale(Int)
}

extension PartParameter {
  /// The parameter at a GS address 40 gx ll; nil if it is not supported.
  ///
  /// Source: Roland SC-88Pro owner's manual, parameter address map.
  ///
  /// - Parameters:
  ///   - group: g, 1, 2 or 4.
  ///   - low: ll.
  @_noAllocation @_noLocks
  package init?(gs group: Int, _ low: Int) {
    switch (group, low) {
    case (1, let low): self.init(gsPart: low)
    case (2, let low):
      guard let source = ControlSource(rawValue: low >> 4),
        let destination = ControlDestination(rawValue: low & 0x0F)
      else { return nil }
      self = low == 0x10 ? .bendRange : .depth(source, destination)
    case (4, 0x20): self = .equalizer
    case (4, 0x22): self = .insertion
    default: return nil
    }
  }

  @_noAllocation @_noLocks
  private init?(gsPart low: Int) {
    switch low {
    case 0x00: self = .controller(0)
    case 0x01: self = .program
    case 0x02: self = .receiveChannel
    case 0x03...0x12:
      guard let kind = PartSwitch(rawValue: UInt32(truncatingIfNeeded: low &- 3)) else {
        return nil
      }
      self = .receives(kind)
    case 0x13: self = .polyphony
    case 0x14: self = .assignment
    case 0x15: self = .rhythm
    case 0x16: self = .keyShift
    case 0x17: self = .upperPitchOffset
    case 0x18: self = .lowerPitchOffset
    case 0x19: self = .controller(7)
    case 0x1A: self = .velocityDepth
    case 0x1B: self = .velocityOffset
    case 0x1C: self = .pan
    case 0x1D: self = .lowKey
    case 0x1E: self = .highKey
    case 0x1F: self = .firstController
    case 0x20: self = .secondController
    case 0x21: self = .controller(93)
    case 0x22: self = .controller(91)
    case 0x23: self = .receives(.bank)
    case 0x24: self = .receives(.fineBank)
    case 0x2A: self = .upperFineTuning
    case 0x2B: self = .lowerFineTuning
    case 0x2C: self = .delaySend
    case 0x30...0x37:
      guard let sound = PartState.Sound(rawValue: low &- 0x30) else { return nil }
      self = .sound(sound)
    case 0x40...0x4B: self = .scale(low &- 0x40)
    default: return nil
    }
  }

  /// The parameter at an XG address 08 pp ll; nil if it is not supported.
  ///
  /// Source: Yamaha MU80 owner's manual, multi part parameters.
  @_noAllocation @_noLocks
  package init?(xg low: Int) {
    switch low {
    case 0x01: self = .controller(0)
    case 0x02: self = .controller(32)
    case 0x03: self = .program
    case 0x04: self = .receiveChannel
    case 0x05: self = .polyphony
    case 0x06: self = .assignment
    case 0x07: self = .partMode
    case 0x08: self = .keyShift
    case 0x09: self = .upperPitchOffset
    case 0x0A: self = .lowerPitchOffset
    case 0x0B: self = .controller(7)
    case 0x0C: self = .velocityDepth
    case 0x0D: self = .velocityOffset
    case 0x0E: self = .pan
    case 0x0F: self = .lowKey
    case 0x10: self = .highKey
    case 0x11: self = .dryLevel
    case 0x12: self = .controller(93)
    case 0x13: self = .controller(91)
    case 0x14: self = .delaySend
    case 0x15: self = .sound(.vibratoRate)
    case 0x16: self = .sound(.vibratoDepth)
    case 0x17: self = .sound(.vibratoDelay)
    case 0x18: self = .sound(.cutoff)
    case 0x19: self = .sound(.resonance)
    case 0x1A: self = .sound(.attack)
    case 0x1B: self = .sound(.decay)
    case 0x1C: self = .sound(.release)
    case 0x23: self = .bendRange
    case 0x1D...0x22: self.init(.modulation, low &- 0x1D)
    case 0x24...0x28: self.init(.bend, low &- 0x23)
    case 0x30...0x40: self.init(xgSwitch: low)
    case 0x41...0x4C: self = .scale(low &- 0x41)
    case 0x4D...0x52: self.init(.pressure, low &- 0x4D)
    case 0x53...0x58: self.init(.keyPressure, low &- 0x53)
    case 0x59: self = .firstController
    case 0x5A...0x5F: self.init(.first, low &- 0x5A)
    case 0x60: self = .secondController
    case 0x61...0x66: self.init(.second, low &- 0x61)
    case 0x67: self = .controller(65)
    case 0x68: self = .controller(5)
    case 0x6D: self = .lowVelocity
    case 0x6E: self = .highVelocity
    default: return nil
    }
  }

  /// A depth by its index in XG and GM2: pitch, filter, amplitude, then the oscillator's depth for
  /// each.
  @_noAllocation @_noLocks
  package init?(_ source: ControlSource, _ place: Int) {
    switch place {
    case 0: self = .depth(source, .pitch)
    case 1: self = .depth(source, .cutoff)
    case 2: self = .depth(source, .amplitude)
    case 3: self = .depth(source, .vibrato)
    case 4: self = .depth(source, .filterDepth)
    case 5: self = .depth(source, .amplitudeDepth)
    default: return nil
    }
  }

  @_noAllocation @_noLocks
  private init?(xgSwitch low: Int) {
    let kind: PartSwitch? =
      switch low {
      case 0x30: .bend
      case 0x31: .pressure
      case 0x32: .program
      case 0x33: .controllers
      case 0x34: .keyPressure
      case 0x35: .notes
      case 0x40: .bank
      // From the registered parameters, the order is that of GS.
      default: PartSwitch(rawValue: UInt32(truncatingIfNeeded: low &- 0x30))
      }
    guard let kind else { return nil }
    self = .receives(kind)
  }

  /// The parameter of a non-registered parameter 1 nn; nil for other numbers.
  @_noAllocation @_noLocks
  package init?(nonRegistered number: Int) {
    switch number {
    case 0x08: self = .sound(.vibratoRate)
    case 0x09: self = .sound(.vibratoDepth)
    case 0x0A: self = .sound(.vibratoDelay)
    case 0x20: self = .sound(.cutoff)
    case 0x21: self = .sound(.resonance)
    case 0x63: self = .sound(.attack)
    case 0x64: self = .sound(.decay)
    case 0x66: self = .sound(.release)
    default: return nil
    }
  }

  /// The part parameter that a controller sets; nil for other controllers.
  @_noAllocation @_noLocks
  package init?(controller number: UInt8) {
    switch number {
    case 67: self = .softPedal
    case 71: self = .sound(.resonance)
    case 72: self = .sound(.release)
    case 73: self = .sound(.attack)
    case 74: self = .sound(.cutoff)
    case 75: self = .sound(.decay)
    case 76: self = .sound(.vibratoRate)
    case 77: self = .sound(.vibratoDepth)
    case 78: self = .sound(.vibratoDelay)
    case 94: self = .delaySend
    default: return nil
    }
  }
}
