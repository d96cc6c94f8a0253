// SPDX-License-Identifier: Apache-2.0

// Controllers, and the parameters that are entered by them.
extension VoiceSynth {
  /// Receives a controller; on a channel that does not listen, for the group after it where that
  /// plays one note at a time.
  @_noAllocation @_noLocks
  mutating func receive(_ number: UInt8, _ value: UInt8, _ channel: Int) {
    if unsafe channels[channel].isEnabled {
      set(number, value, channel)
      return
    }
    let next = (channel &+ 1) % 16
    guard unsafe channels[next].isBasic, unsafe channels[next].isOmniOff,
      unsafe channels[next].isPolyOff
    else { return }
    let count = unsafe Int(channels[next].groupCount)
    for other in next..<min(16, next &+ count) { set(number, value, other) }
  }

  /// How far a full bend goes, in semitones; 0…72.
  @_noAllocation @_noLocks
  package mutating func setBendRange(_ channel: Int, semitones: Int) {
    guard semitones >= 0, semitones <= 72, unsafe channels[channel].isEnabled else { return }
    unsafe channels[channel].bendRange = UInt8(truncatingIfNeeded: semitones)
    modulate(channel, SourceIndex.bendRange)
  }

  @_noAllocation @_noLocks
  private mutating func set(_ number: UInt8, _ value: UInt8, _ channel: Int) {
    unsafe channels[channel].controllers[Int(number)] = value
    switch number {
    case 0: selectBank(channel, upper: value)
    case 32: selectBank(channel, lower: value)
    case 6: enter(value, channel)
    case 38: enterFine(channel)
    case 122: break
    case 64: if value < 64 { releasePedalled(channel, isSostenuto: false) }
    case 65: break
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
    case 123: releaseAll(channel)
    case 124...127: setMode(number, value, channel)
    default:
      modulate(channel, controller: number)
      refresh(channel, controller: number)
    }
  }

  /// Names a generator by its number in parts (SoundFont 2.04, 9.6.2).
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
    // The sum saturates at the first number that no generator has, however long the run is.
    let sum = unsafe channels[channel].selectedGenerator &+ step
    unsafe channels[channel].selectedGenerator =
      min(sum, Int32(truncatingIfNeeded: Generator.count))
  }

  /// Forgets the data entry of another parameter, so that an upper byte alone is not joined to an
  /// old lower one.
  @_noAllocation @_noLocks
  private mutating func forgetEntry(_ channel: Int) {
    unsafe channels[channel].controllers[6] = 0
    unsafe channels[channel].controllers[38] = 0
  }

  /// Enters the lower byte of a value; those of the AWE32 and of the wheel's range need not wait for
  /// the upper.
  @_noAllocation @_noLocks
  private mutating func enterFine(_ channel: Int) {
    if unsafe channels[channel].isSelectingGenerator {
      if unsafe channels[channel].controllers[99] == AWEParameter.group { enterAWE(channel) }
      return
    }
    let number = unsafe (channels[channel].controllers[101], channels[channel].controllers[100])
    if number == (0, 5) { setWheelRange(channel) }
  }

  /// The wheel's vibrato by semitones and 128ths of a semitone; drums keep theirs.
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

  /// Enters a value: of a generator, the bend range, the channel's tuning, or the wheel's range.
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

  /// What one step of a generator is when it is entered.
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

  /// Omni off and on, mono and poly, with the channels of a group; on its first alone.
  @_noAllocation @_noLocks
  private mutating func setMode(_ number: UInt8, _ value: UInt8, _ channel: Int) {
    guard unsafe channels[channel].isBasic else { return }
    var (isOmniOff, isPolyOff) = unsafe (
      channels[channel].isOmniOff, channels[channel].isPolyOff
    )
    switch number {
    case 124: isOmniOff = true
    case 125: isOmniOff = false
    case 126: isPolyOff = true
    default: isPolyOff = false
    }
    let count = groupCount(channel, Int(value), isSingle: isOmniOff && !isPolyOff)
    guard count > 0 else { return }
    let old = unsafe Int(channels[channel].groupCount)
    for other in channel..<min(16, channel &+ old) {
      unsafe channels[other].isEnabled = false
      unsafe channels[other].isBasic = false
      unsafe channels[other].isOmniOff = false
      unsafe channels[other].isPolyOff = false
      unsafe channels[other].groupCount = 0
    }
    for other in channel..<(channel &+ count) {
      releaseAll(other)
      unsafe channels[other].isEnabled = true
      unsafe channels[other].isBasic = other == channel
      unsafe channels[other].isOmniOff = isOmniOff
      unsafe channels[other].isPolyOff = isPolyOff
      unsafe channels[other].groupCount =
        other == channel ? UInt8(truncatingIfNeeded: count) : 0
    }
  }

  /// The channels of a group that begins at one: as many as are asked for, or, of 0, as there are
  /// until the next; 0 where it would reach into the next.
  @_noAllocation @_noLocks
  private func groupCount(_ channel: Int, _ asked: Int, isSingle: Bool) -> Int {
    if isSingle { return 1 }
    if asked > 0, channel &+ asked > 16 { return 0 }
    let count = asked == 0 ? 16 &- channel : asked
    for other in (channel &+ 1)..<max(channel &+ 1, channel &+ count)
    where unsafe channels[other].isBasic {
      return asked == 0 ? other &- channel : 0
    }
    return count
  }
}
