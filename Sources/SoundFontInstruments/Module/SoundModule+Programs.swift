// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages

/// Bank select and program change.
extension SoundModule {
  /// Receives a program change.
  @_noAllocation @_noLocks
  func selectProgram(_ program: UInt8, _ channel: Int) {
    guard !isMT32 else { return selectMT32(program, channel) }
    let wasDrums = unsafe channels[channel].isDrums
    unsafe channels[channel].choice.select(program, in: bankMode)
    reachOwnPreset(channel)
    sendPreset(channel)
    // Concert pitch and master tuning do not apply to drums.
    if unsafe channels[channel].isDrums != wasDrums { retune() }
  }

  /// Selects a preset of the song's own bank by a controller that the bank mode ignores.
  @_noAllocation @_noLocks
  private func reachOwnPreset(_ channel: Int) {
    guard unsafe ownPresets != nil else { return }
    let choice = unsafe channels[channel].choice
    // The preset that the mode selects, and the one of bank 0, have precedence.
    for place in 0..<2 {
      let (bank, program) = choice.candidate(place)
      if isOwn(bank, program) { return }
    }
    for place in 0..<(hasLowerBanks ? 2 : 1) {
      guard let bank = choice.ignoredBank(isUpper: place == 0), isOwn(bank, Int(choice.program))
      else { continue }
      unsafe channels[channel].choice.choose(bank: bank)
      return
    }
  }

  /// Returns true for a melodic preset of the song's own bank.
  @_noAllocation @_noLocks
  private func isOwn(_ bank: Int, _ program: Int) -> Bool {
    guard let own = unsafe ownPresets, bank < 128 else { return false }
    return unsafe own[bank << 7 | program]
  }

  /// Sets the preset that a channel plays in the synthesiser: the first candidate that a soundfont
  /// has.
  @_noAllocation @_noLocks
  func sendPreset(_ channel: Int) {
    let choice = unsafe channels[channel].choice
    unsafe channels[channel].candidate = nil
    for place in 0..<ProgramChoice.candidateCount {
      let (bank, program) = choice.candidate(place)
      guard synth.hasPreset(bank: bank, program: program) else { continue }
      unsafe channels[channel].candidate = place
      synth.choose(channel, bank: bank, program: program, isDrums: choice.isDrums)
      return
    }
    let (bank, program) = choice.candidate(0)
    synth.choose(channel, bank: bank, program: program, isDrums: choice.isDrums)
  }

  /// The preset that a channel has selected, if the soundfonts do not have it; otherwise nil.
  func missingPreset(on channel: Channel) -> MissingPreset? {
    let state = unsafe channels[Int(channel.index)]
    let (bank, program) = state.choice.candidate(0)
    guard let place = state.candidate else {
      return MissingPreset(channel: channel, bank: bank, program: program, replacement: nil)
    }
    let played = state.choice.candidate(place)
    guard played != (bank, program) else { return nil }
    return MissingPreset(
      channel: channel, bank: bank, program: program,
      replacement: MissingPreset.Replacement(bank: played.bank, program: played.program))
  }

  /// Sets the initial programs and bend range of an MT-32 on all channels.
  @_noAllocation @_noLocks
  mutating func beMT32() {
    isMT32 = true
    for channel in 0..<Self.channelCount {
      unsafe channels[channel].bendRange = MT32Programs.bendRange
      sendBendRange(channel)
      if let program = MT32Programs.initial(ofChannel: channel) { selectMT32(program, channel) }
      if unsafe channels[channel].isDrums { selectMT32(0, channel) }
    }
  }

  @_noAllocation @_noLocks
  private func selectMT32(_ program: UInt8, _ channel: Int) {
    let isDrums = unsafe channels[channel].isDrums
    let (bank, number): (UInt8, UInt8) =
      if isDrums {
        (128, hasMT32Kit ? 127 : 0)
      } else if hasMT32Bank {
        (MT32Programs.bank, program)
      } else {
        (0, unsafe nearest[Int(program)])
      }
    unsafe channels[channel].choice = ProgramChoice(
      bank: bank, program: number, isDrums: isDrums)
    sendPreset(channel)
  }
}
