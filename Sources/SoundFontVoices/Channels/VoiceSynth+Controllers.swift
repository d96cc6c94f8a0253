// SPDX-License-Identifier: Apache-2.0

// Controllers, and parameters that are entered with them.
extension VoiceSynth {
  /// Sets the range of a full bend in semitones, 0…72; other values are ignored.
  @_noAllocation @_noLocks
  package mutating func setBendRange(_ channel: Int, semitones: Int) {
    guard semitones >= 0, semitones <= 72 else { return }
    unsafe channels[channel].bendRange = UInt8(truncatingIfNeeded: semitones)
    modulate(channel, SourceIndex.bendRange)
  }

  /// Receives a controller.
  @_noAllocation @_noLocks
  mutating func receive(_ number: UInt8, _ value: UInt8, _ channel: Int) {
    unsafe channels[channel].controllers[Int(number)] = value
    switch number {
    case 0, 32, 65, 122: break
    case 6: enter(value, channel)
    case 38: enterFine(channel)
    case 64: if value < 64 { releasePedalled(channel, isSostenuto: false) }
    case 66:
      if value < 64 {
        releasePedalled(channel, isSostenuto: true)
      } else {
        unsafe channels[channel].sostenutoNote = nextNote
      }
    case 68:
      if value < 64, unsafe !channels[channel].isPolyOff {
        unsafe channels[channel].keys.keepNewest()
      }
    case 98, 99: selectGenerator(number, value, channel)
    case 100, 101:
      unsafe channels[channel].isSelectingGenerator = false
      forgetEntry(channel)
    case 120: silence(channel)
    case 121:
      unsafe channels[channel].resetControllers(all: false)
      releasePedalled(channel, isSostenuto: false)
      releasePedalled(channel, isSostenuto: true)
      for place in 0..<table.bound where isOn(channel, place) {
        modulate(place, isController: false, -1)
      }
      if unsafe parts[channel].isEdited { refresh(channel, Self.allGenerators) }
    case 123...127: setMode(number, channel)
    default:
      modulate(channel, controller: number)
      refresh(channel, controller: number)
    }
  }

  /// Selects a generator by its number, in several steps (SoundFont 2.04, 9.6.2).
  @_noAllocation @_noLocks
  private mutating func selectGenerator(_ number: UInt8, _ value: UInt8, _ channel: Int) {
    unsafe channels[channel].isSelectingGenerator = true
    forgetEntry(channel)
    if number == 99 {
      unsafe channels[channel].controllers[98] = 0
      unsafe channels[channel].selectedGenerator = 0
      return
    }
    guard unsafe channels[channel].controllers[99] == 120 else { return }
    let step: Int32 =
      switch value {
      case 0..<100: Int32(value)
      case 100: 100
      case 101: 1000
      case 102: 10_000
      default: 0
      }
    // A long sum saturates at the first number without a generator.
    let sum = unsafe channels[channel].selectedGenerator &+ step
    unsafe channels[channel].selectedGenerator =
      min(sum, Int32(truncatingIfNeeded: Generator.count))
  }

  /// Resets data entry, so that an upper byte alone is not combined with the lower byte of another
  /// parameter.
  @_noAllocation @_noLocks
  private mutating func forgetEntry(_ channel: Int) {
    unsafe channels[channel].controllers[6] = 0
    unsafe channels[channel].controllers[38] = 0
  }

  /// Enters the lower byte of a value.
  ///
  /// Parameters of the AWE32 and the wheel's range do not wait for the upper byte.
  @_noAllocation @_noLocks
  private mutating func enterFine(_ channel: Int) {
    if unsafe channels[channel].isSelectingGenerator {
      if unsafe channels[channel].controllers[99] == AWEParameter.group { enterAWE(channel) }
      return
    }
    let number = unsafe (channels[channel].controllers[101], channels[channel].controllers[100])
    if number == (0, 5) { setWheelRange(channel) }
  }

  /// Sets the range of the wheel's vibrato, in semitones and 128ths of a semitone; drums are not
  /// affected.
  ///
  /// Source: MIDI 1.0 CA-026.
  @_noAllocation @_noLocks
  private mutating func setWheelRange(_ channel: Int) {
    guard unsafe !channels[channel].isDrums else { return }
    unsafe channels[channel].wheelRange =
      Float(Int(channels[channel].controllers[6]) * 128 + Int(channels[channel].controllers[38]))
      * 100 / 128
    modulate(channel, controller: 1)
  }

  /// Enters a value for a generator, the bend range, the channel's tuning, or the wheel's range.
  @_noAllocation @_noLocks
  private mutating func enter(_ value: UInt8, _ channel: Int) {
    let data = unsafe Int(value) << 7 | Int(channels[channel].controllers[38])
    if unsafe channels[channel].isSelectingGenerator {
      if unsafe channels[channel].controllers[99] == AWEParameter.group {
        enterAWE(channel)
        return
      }
      guard unsafe channels[channel].controllers[99] == 120,
        unsafe channels[channel].controllers[98] < 100
      else { return }
      let generator = unsafe Int(channels[channel].selectedGenerator)
      unsafe channels[channel].selectedGenerator = 0
      guard (0..<Generator.count).contains(generator) else { return }
      let amount = (data &- 8192) &* Self.scale(of: generator)
      setOffset(channel, generator, Float(amount))
      return
    }
    guard unsafe channels[channel].controllers[101] == 0 else { return }
    switch unsafe channels[channel].controllers[100] {
    case 0:
      unsafe channels[channel].bendRange = value
      modulate(channel, SourceIndex.bendRange)
    case 1: setOffset(channel, Generator.fineTune, Float(data &- 8192) * (100 / 8192))
    case 2: setOffset(channel, Generator.coarseTune, Float(Int(value) &- 64))
    case 5: setWheelRange(channel)
    default: break
    }
  }

  @_noAllocation @_noLocks
  mutating func setOffset(_ channel: Int, _ generator: Int, _ amount: Float) {
    unsafe channels[channel].offsets[generator] = amount
    for place in 0..<table.bound where isOn(channel, place) {
      unsafe table.voices[place].offsets[generator] = amount
      update(place, generator)
    }
  }

  /// The factor for an entered value of a generator.
  ///
  /// Source: SoundFont 2.04, section 9.6.3.
  @_noAllocation @_noLocks
  private static func scale(of generator: Int) -> Int {
    switch generator {
    case 5...8, 10, 11, 21, 23, 25...28, 30, 33...36, 38: 2
    case 22, 24: 4
    case 14, 18...20, 41...44, 46, 49, 53...55, 57...60: 0
    default: 1
    }
  }

  // MARK: Modes

  /// All notes off, and the modes of a channel: mono (126) and poly (127).
  ///
  /// Each channel is a separate basic channel, so omni (124, 125) does not have an effect, and mono
  /// applies to one channel whatever its value.
  ///
  /// Sources: MIDI 1.0, table 4; General MIDI 2; Roland SC-88Pro and Yamaha MU80 owner's manuals.
  @_noAllocation @_noLocks
  private mutating func setMode(_ number: UInt8, _ channel: Int) {
    releaseAll(channel)
    if number >= 126 { setPolyphony(number == 127, channel) }
  }
}
