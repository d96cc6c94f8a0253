// SPDX-License-Identifier: Apache-2.0
internal import CSoundFontVoices

// Start of a voice.
extension VoiceSynth {
  /// Starts a region in a slot that was reserved for it.
  @_noAllocation @_noLocks
  mutating func begin(
    _ region: UnsafePointer<Region>, in place: Int, key: UInt8, velocity: UInt8, channel: Int,
    at frame: Int
  ) {
    let (group, lane) = unsafe (table.voices[place].group, table.voices[place].lane)
    unsafe table.voices[place] = Voice(region, velocity: Int(velocity), channels + channel)
    unsafe (table.voices[place].group, table.voices[place].lane) = (group, lane)
    let isTaken = unsafe table.marks[place].isTaken
    unsafe table.marks[place] = VoiceMark(
      note: note, struck: time, channel: UInt8(truncatingIfNeeded: channel), key: key)
    unsafe table.marks[place].isTaken = isTaken
    unsafe table.marks[place].isSoft = parts[channel].isSoft
    unsafe table.voices[place].keyShift = parts[channel].keyShift
    edit(place, channel, key)
    let control = unsafe table.controls + place
    unsafe cvoices_begin(control)
    unsafe control.pointee.wait = Int32(truncatingIfNeeded: frame)
    unsafe control.pointee.bus = Int32(truncatingIfNeeded: routes[channel].bus)
    if unsafe routes[channel].send != 0 { setSend(place, channel) }
    unsafe control.pointee.first = region.pointee.start
    unsafe control.pointee.last = region.pointee.end - 1
    let mode = unsafe Int32(region.pointee.generators[Generator.loopMode])
    unsafe control.pointee.loop_mode = mode == 1 || mode == 3 ? mode : 0
    endOthers(of: place)
    for index in 0..<Int(unsafe region.pointee.modulatorCount) {
      let modulator = unsafe region.pointee.modulators[index]
      let target = Int(modulator.generator)
      if target < Generator.count {
        unsafe table.voices[place].sums[target] += value(of: modulator, place)
      }
    }
    setRoot(place)
    for generator in 0..<Generator.count where Self.isSetAtFirst(generator) {
      update(place, generator)
    }
    setFloor(place)
    if slideKey != HeldKeys.none { slide(place, to: actualKey(of: place)) }
    unsafe control.pointee.least_attenuation = leastAttenuation(of: place)
  }

  /// True for one generator of each group that is computed together.
  @_noAllocation @_noLocks
  private static func isSetAtFirst(_ generator: Int) -> Bool {
    switch generator {
    case 0...3, 5...11, 13, 15...17, 21...28, 30, 33...36, 38, 48, 59: true
    default: false
    }
  }

  /// Ends the channel's other voices of the same exclusive class.
  @_noAllocation @_noLocks
  private mutating func endOthers(of place: Int) {
    let own = Int(table.amount(place, Generator.exclusiveClass))
    guard own != 0 else { return }
    let mark = unsafe table.marks[place]
    for other in 0..<table.bound
    where unsafe table.marks[other].channel == mark.channel && table.marks[other].note != mark.note
      && table.amount(other, Generator.exclusiveClass) == Double(own)
    {
      unsafe table.voices[other].values[Generator.exclusiveClass] = 0
      cutOff(other)
    }
  }

  /// Ends a voice within 250 ms, even if it is held.
  @_noAllocation @_noLocks
  mutating func cutOff(_ place: Int) {
    unsafe table.voices[place].values[Generator.volumeRelease] = Self.cut
    unsafe table.voices[place].values[Generator.modulationRelease] = Self.cut
    update(place, Generator.volumeRelease)
    update(place, Generator.modulationRelease)
    unsafe cvoices_release(table.controls + place, tables, leastAge)
  }

  /// The release of a voice that another of its exclusive class ends, in timecents: 0.22 s, so that
  /// it is silent after 250 ms.
  private static var cut: Float {
    @_noAllocation @_noLocks
    get { -2600 }
  }

  /// Sets the pitch at which the sample is not transposed, and the pitch of the key.
  @_noAllocation @_noLocks
  private mutating func setRoot(_ place: Int) {
    let region = unsafe table.voices[place].region
    let given = unsafe table.voices[place].values[Generator.rootKey]
    let key = unsafe given > -1 && given < 128 ? given : Float(region.pointee.key)
    unsafe table.voices[place].rootKey = Double(key)
    let root = unsafe Double(key * 100 - Float(region.pointee.correction))
    unsafe table.controls[place].root_hertz =
      cvoices_hertz(tables, root) * (rate / Double(region.pointee.rate))
    unsafe table.voices[place].keyPitch = pitch(of: place, key: actualKey(of: place))
  }

  /// The pitch of a key in cents.
  ///
  /// A region may scale it around its root key; the sample's correction is not scaled.
  @_noAllocation @_noLocks
  func pitch(of place: Int, key: Int) -> Double {
    let root = unsafe table.voices[place].rootKey
    return unsafe Double(table.voices[place].values[Generator.scaleTuning]) * (Double(key) - root)
      + root * 100
  }

  /// Starts the slide of the note.
  @_noAllocation @_noLocks
  mutating func slide(_ place: Int, to key: Int) {
    let cents = pitch(of: place, key: Int(slideKey)) - pitch(of: place, key: key)
    let channel = unsafe Int(table.marks[place].channel)
    // In time mode, each slide has the duration of an octave in rate mode.
    let distance = unsafe parts[channel].slidesByTime ? 12 : Double(abs(Int(slideKey) - key))
    let seconds = unsafe cvoices_glide(channels[channel].portamentoTime) * distance
    let count = UInt32(rate * seconds / 64 + 0.5)
    unsafe cvoices_slide(table.controls + place, cents, count)
  }

  /// A key shifted by semitones, limited to 0…127.
  @_noAllocation @_noLocks
  static func shifted(_ key: UInt8, by semitones: Int8) -> Int {
    max(0, min(127, Int(key) &+ Int(semitones)))
  }

  /// The key, or the fixed key of the region.
  @_noAllocation @_noLocks
  func actualKey(of place: Int) -> Int {
    let fixed = table.amount(place, Generator.fixedKey)
    if fixed >= 0 { return Int(fixed) }
    return unsafe Self.shifted(table.marks[place].key, by: table.voices[place].keyShift)
  }

  /// The velocity, or the fixed velocity of the region.
  @_noAllocation @_noLocks
  func velocity(of place: Int) -> Int {
    let fixed = table.amount(place, Generator.fixedVelocity)
    return fixed > 0 ? Int(fixed) : unsafe Int(table.voices[place].velocity)
  }
}
