// SPDX-License-Identifier: Apache-2.0

// Parameters of parts and drum notes from a sound module.
extension VoiceSynth {
  /// Sets a parameter of a part; parameters that the sound module stores are ignored.
  ///
  /// Filter, vibrato, pitch and level also change in sounding voices; envelopes only in later ones.
  @_noAllocation @_noLocks
  package mutating func set(_ parameter: PartParameter, to value: UInt8, on channel: Int) {
    let value = value & 0x7F
    let part = unsafe parts + channel
    if case .pan = parameter, unsafe part.pointee.isPanRandom == (value == 0) { return }
    guard unsafe part.pointee.store(parameter, value) else { return }
    switch parameter {
    case .depth(.modulation, .vibrato): setWheelDepth(value, channel)
    case .polyphony: setPolyphony(value != 0, channel)
    case .assignment: setAssignment(value, channel)
    default: break
    }
    let wasEdited = unsafe part.pointee.isEdited
    unsafe part.pointee.compareToInitial()
    let isEdited = unsafe part.pointee.isEdited
    let changed = Self.generators(of: parameter)
    guard changed != 0, wasEdited || isEdited else { return }
    refresh(channel, changed)
  }

  /// The generators that a part parameter changes in sounding voices, one bit for each.
  @_noAllocation @_noLocks
  private static func generators(of parameter: PartParameter) -> Int {
    switch parameter {
    case .sound(let sound): generator(of: sound)
    case .depth(_, let destination): generator(of: destination)
    case .firstController, .secondController: allGenerators
    case .upperPitchOffset, .lowerPitchOffset, .upperFineTuning, .lowerFineTuning:
      1 << Generator.coarseTune
    default: 0
    }
  }

  /// Sets a parameter of a drum note, for later notes.
  @_noAllocation @_noLocks
  package mutating func set(
    _ parameter: NoteParameter, to value: UInt8, of key: Int, inMap map: Int
  ) {
    guard (0..<128).contains(key), (0..<NoteEdit.mapCount).contains(map) else { return }
    unsafe noteEdits[map &* 128 &+ key].set(parameter, to: value)
    let bit = UInt8(1) << UInt8(truncatingIfNeeded: map)
    editedMaps |= bit
    if case .delay = parameter, value & 0x7F != 127 { delayedMaps |= bit }
  }

  /// Resets the drum notes of a map, 0…3.
  @_noAllocation @_noLocks
  package mutating func forgetNotes(ofMap map: Int) {
    guard (0..<NoteEdit.mapCount).contains(map),
      editedMaps >> UInt8(truncatingIfNeeded: map) & 1 != 0
    else { return }
    for key in 0..<128 { unsafe noteEdits[map &* 128 &+ key] = NoteEdit() }
    editedMaps &= ~(1 << UInt8(truncatingIfNeeded: map))
    delayedMaps &= editedMaps
  }

  /// Selects the drum map of a drum part, 0…3.
  @_noAllocation @_noLocks
  package mutating func setDrumMap(_ map: Int, on channel: Int) {
    unsafe parts[channel].drumMap =
      UInt8(truncatingIfNeeded: max(0, min(NoteEdit.mapCount &- 1, map)))
  }

  /// Sets the ratio of a part's bend range to the applied one, for depths of the bend.
  @_noAllocation @_noLocks
  package mutating func setBendScale(_ scale: Float, on channel: Int) {
    unsafe parts[channel].bendScale = scale
  }

  /// Selects the portamento time: for the whole slide, as in XG, or for each semitone.
  @_noAllocation @_noLocks
  package mutating func setSlidesByTime(_ isTime: Bool) {
    for channel in 0..<16 { unsafe parts[channel].slidesByTime = isTime }
  }

  /// The state of a part.
  @_noAllocation @_noLocks
  package func part(_ channel: Int) -> PartState { unsafe parts[channel & 15] }

  /// The sends of a channel to reverb and chorus, 0…127.
  @_noAllocation @_noLocks
  package func sends(_ channel: Int) -> (reverb: UInt8, chorus: UInt8) {
    unsafe (channels[channel & 15].controllers[91], channels[channel & 15].controllers[93])
  }

  /// The numbers of the two assigned controllers of a channel's part.
  @_noAllocation @_noLocks
  package func assignedControllers(_ channel: Int) -> (UInt8, UInt8) {
    unsafe (parts[channel & 15].firstController, parts[channel & 15].secondController)
  }

  /// The edited drum note of a channel; nil if the channel does not play drums, or if drum notes
  /// are not edited.
  @_noAllocation @_noLocks
  package func noteEdit(_ channel: Int, key: Int) -> NoteEdit? {
    guard editedMaps != 0, unsafe channels[channel].isDrums else { return nil }
    let map = unsafe parts[channel].drumMap
    guard editedMaps >> map & 1 != 0 else { return nil }
    return unsafe noteEdits[Int(map) &* 128 &+ key & 127]
  }

  /// True if drum notes of a channel have individual delay sends, so that its notes are sent one by
  /// one.
  @_noAllocation @_noLocks
  package func hasDelaySends(_ channel: Int) -> Bool {
    guard delayedMaps != 0, unsafe channels[channel & 15].isDrums else { return false }
    return unsafe delayedMaps >> parts[channel & 15].drumMap & 1 != 0
  }

  /// Resets parts and drum notes.
  @_noAllocation @_noLocks
  mutating func forgetParts() {
    for channel in 0..<16 { unsafe parts[channel] = PartState(channel: channel) }
    for map in 0..<NoteEdit.mapCount { forgetNotes(ofMap: map) }
    randomState = Self.randomSeed
  }

  /// Selects mono or poly mode for a part.
  @_noAllocation @_noLocks
  mutating func setPolyphony(_ isPoly: Bool, _ channel: Int) {
    guard unsafe channels[channel].isPolyOff == isPoly else { return }
    releaseAll(channel)
    unsafe channels[channel].isPolyOff = !isPoly
    unsafe channels[channel].keys = HeldKeys()
  }

  /// Sets the handling of a repeated key: 0 single, 1 normal, 2 full.
  ///
  /// Drums keep the soundfont's handling, because GS and XG number the values differently.
  @_noAllocation @_noLocks
  private mutating func setAssignment(_ value: UInt8, _ channel: Int) {
    let isDrums = unsafe channels[channel].isDrums
    unsafe parts[channel].assignment =
      isDrums || value == 1 ? .usual : value == 0 ? .single : .full
  }

  /// Sets the depth of the wheel's vibrato; 10 is that of the soundfont.
  @_noAllocation @_noLocks
  private mutating func setWheelDepth(_ value: UInt8, _ channel: Int) {
    unsafe channels[channel].wheelRange =
      value == 10 ? SynthChannel.usualWheelRange : ControlDestination.vibrato.amount(value)
    modulate(channel, controller: 1)
  }

  /// The next random pan, −500…500; the sequence restarts with each reset.
  @_noAllocation @_noLocks
  mutating func randomPan() -> Float {
    randomState = randomState &* 1_664_525 &+ 1_013_904_223
    return Float(randomState >> 16) * (1000.0 / 65_535) - 500
  }

  static var randomSeed: UInt32 {
    @_noAllocation @_noLocks
    get { 0x1234_5678 }
  }
}
