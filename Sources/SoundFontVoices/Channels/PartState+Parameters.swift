// SPDX-License-Identifier: Apache-2.0

// Parameters of a part from a sound module.
extension PartState {
  /// Stores the value of a parameter, except `polyphony` and `assignment`, which the synth sets.
  ///
  /// - Parameters:
  ///   - parameter: The parameter.
  ///   - value: Its value, 0…127.
  /// - Returns: False for a parameter that the sound module stores.
  @_noAllocation @_noLocks
  mutating func store(_ parameter: PartParameter, _ value: UInt8) -> Bool {
    switch parameter {
    case .sound(let sound): sounds[sound.rawValue] = value
    case .depth(let source, let destination): setDepth(source, destination, to: value)
    case .delaySend: delaySend = value
    case .dryLevel: dryLevel = value
    case .insertion: isInserted = value != 0
    case .equalizer: isEqualized = value != 0
    case .receiveChannel: receiveChannel = value < 16 ? value : Self.noChannel
    case .receives(let kind):
      let bit = UInt32(1) << kind.rawValue
      receives = receives & ~bit | (value != 0 ? bit : 0)
    case .lowKey: lowKey = value
    case .highKey: highKey = value
    case .lowVelocity: lowVelocity = value
    case .highVelocity: highVelocity = value
    case .keyShift: keyShift = Int8(truncatingIfNeeded: max(-24, min(24, Int(value) &- 64)))
    case .velocityDepth: velocityDepth = value
    case .velocityOffset: velocityOffset = value
    case .firstController: firstController = value
    case .secondController: secondController = value
    case .softPedal: isSoft = value >= 64
    case .upperPitchOffset: pitchOffset = value << 4 | pitchOffset & 0x0F
    case .lowerPitchOffset: pitchOffset = pitchOffset & 0xF0 | value & 0x0F
    case .upperFineTuning: fineTuning = UInt16(value) << 7 | fineTuning & 0x7F
    case .lowerFineTuning: fineTuning = fineTuning & 0x3F80 | UInt16(value)
    case .pan: isPanRandom = value == 0
    case .polyphony, .assignment: break
    case .controller, .program, .bendRange, .rhythm, .partMode, .scale: return false
    }
    return true
  }
}
