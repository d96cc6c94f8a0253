// SPDX-License-Identifier: Apache-2.0

// The parameters of parts and drum notes, as a sound module hands them over.
extension VoiceSynth {
  /// Sets a parameter of a part; parameters that a sound module keeps have no effect.
  ///
  /// Filter, vibrato, pitch and level change in voices that sound, envelopes in those that follow.
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

  /// The generators that a parameter of a part changes in voices that sound, by bits.
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

  /// Sets a parameter of a drum note, for notes that follow.
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

  /// Forgets the drum notes of a map, 0…3.
  @_noAllocation @_noLocks
  package mutating func forgetNotes(ofMap map: Int) {
    guard (0..<NoteEdit.mapCount).contains(map),
      editedMaps >> UInt8(truncatingIfNeeded: map) & 1 != 0
    else { return }
    for key in 0..<128 { unsafe noteEdits[map &* 128 &+ key] = NoteEdit() }
    editedMaps &= ~(1 << UInt8(truncatingIfNeeded: map))
    delayedMaps &= editedMaps
  }

  /// Lets a drum part use another map, 0…3.
  @_noAllocation @_noLocks
  package mutating func setDrumMap(_ map: Int, on channel: Int) {
    unsafe parts[channel].drumMap =
      UInt8(truncatingIfNeeded: max(0, min(NoteEdit.mapCount &- 1, map)))
  }

  /// What a full bend of a part is of a bend that is applied, so that depths by the bend are right.
  @_noAllocation @_noLocks
  package mutating func setBendScale(_ scale: Float, on channel: Int) {
    unsafe parts[channel].bendScale = scale
  }

  /// Makes slides take a time, as in XG, or a time for each semitone.
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

  /// What drum notes add on a channel; nil if it plays none, or none is edited.
  @_noAllocation @_noLocks
  package func noteEdit(_ channel: Int, key: Int) -> NoteEdit? {
    guard editedMaps != 0, unsafe channels[channel].isDrums else { return nil }
    let map = unsafe parts[channel].drumMap
    guard editedMaps >> map & 1 != 0 else { return nil }
    return unsafe noteEdits[Int(map) &* 128 &+ key & 127]
  }

  /// Whether drum notes of a channel have delay sends of their own, so that its notes are sent one by one.
  @_noAllocation @_noLocks
  package func hasDelaySends(_ channel: Int) -> Bool {
    guard delayedMaps != 0, unsafe channels[channel & 15].isDrums else { return false }
    return unsafe delayedMaps >> parts[channel & 15].drumMap & 1 != 0
  }

  /// Puts parts and drum notes into the state that a reset leaves.
  @_noAllocation @_noLocks
  mutating func forgetParts() {
    for channel in 0..<16 { unsafe parts[channel] = PartState(channel: channel) }
    for map in 0..<NoteEdit.mapCount { forgetNotes(ofMap: map) }
    randomState = Self.randomSeed
  }

  /// Lets a part play one note at a time, or many.
  @_noAllocation @_noLocks
  mutating func setPolyphony(_ isPoly: Bool, _ channel: Int) {
    guard unsafe channels[channel].isPolyOff == isPoly else { return }
    releaseAll(channel)
    unsafe channels[channel].isPolyOff = !isPoly
    unsafe channels[channel].keys = HeldKeys()
  }

  /// Sets what a part does when a key that sounds is struck again: 0 single, 1 usual, 2 full.
  ///
  /// Drums keep the way of the soundfont, because GS and XG number the values differently.
  @_noAllocation @_noLocks
  private mutating func setAssignment(_ value: UInt8, _ channel: Int) {
    let isDrums = unsafe channels[channel].isDrums
    unsafe parts[channel].assignment =
      isDrums || value == 1 ? .usual : value == 0 ? .single : .full
  }

  /// The wheel's vibrato: 10 is that of the soundfont.
  @_noAllocation @_noLocks
  private mutating func setWheelDepth(_ value: UInt8, _ channel: Int) {
    unsafe channels[channel].wheelRange =
      value == 10 ? SynthChannel.usualWheelRange : ControlDestination.vibrato.amount(value)
    modulate(channel, controller: 1)
  }

  /// The next place between left and right by chance, −500…500; the same after each reset.
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
