// SPDX-License-Identifier: Apache-2.0
internal import CSoundFontVoices

// Start and end of notes.
extension VoiceSynth {
  /// Plays a key; returns false if all voices are in use, or if the channel does not have a preset.
  @_noAllocation @_noLocks
  mutating func strike(_ key: UInt8, _ velocity: UInt8, _ channel: Int, at frame: Int) -> Bool {
    guard unsafe channels[channel].patch >= 0 else { return false }
    guard let velocity = received(key, velocity, channel) else { return true }
    if unsafe channels[channel].isMono {
      unsafe channels[channel].keys.add(key, velocity: velocity)
      if unsafe channels[channel].keys.isLegato {
        let former = unsafe channels[channel].keys.former
        return bind(from: former, to: key, velocity, channel, at: frame)
      }
      letGo(unsafe channels[channel].pedalledKey, channel)
      _ = sourceKey(channel, HeldKeys.none)
      return play(key, velocity, channel, at: frame)
    }
    unsafe channels[channel].keys.replace(by: key, velocity: velocity)
    letGo(key, channel)
    return bind(from: HeldKeys.none, to: key, velocity, channel, at: frame)
  }

  /// The velocity of a note after the part's velocity sense; nil if the part ignores the note.
  ///
  /// The depth is the slope (64 is 1), and twice the offset is added. The manuals of Roland and
  /// Yamaha show diagrams without a formula; TiMidity++ and SpessaSynth interpret them in the same
  /// way.
  @_noAllocation @_noLocks
  private func received(_ key: UInt8, _ velocity: UInt8, _ channel: Int) -> UInt8? {
    let part = unsafe parts + channel
    guard unsafe part.pointee.lowKey <= key && key <= part.pointee.highKey else { return nil }
    if let note = noteEdit(channel, key: Int(key)), !note.receivesOn { return nil }
    guard
      unsafe part.pointee.lowVelocity <= velocity && velocity <= part.pointee.highVelocity
    else { return nil }
    let (depth, offset) = unsafe (part.pointee.velocityDepth, part.pointee.velocityOffset)
    guard depth != 64 || offset != 64 else { return velocity }
    let sensed = Int(velocity) &* Int(depth) / 64 &+ 2 &* (Int(offset) &- 64)
    return UInt8(truncatingIfNeeded: max(1, min(127, sensed)))
  }

  /// Releases a key.
  @_noAllocation @_noLocks
  mutating func release(_ key: UInt8, _ channel: Int) {
    if let note = noteEdit(channel, key: Int(key)), !note.receivesOff { return }
    if unsafe channels[channel].isMono {
      if unsafe !channels[channel].keys.contains(key) {
        releaseVoices(key, channel, isMono: false)
      } else if let former = unsafe channels[channel].keys.release(key) {
        _ = bind(from: key, to: former.key, former.velocity, channel, at: 0)
      } else if unsafe channels[channel].keys.count == 0 {
        releaseVoices(key, channel, isMono: true)
      }
    } else {
      if unsafe channels[channel].keys.count > 0, unsafe channels[channel].keys.last == key {
        unsafe channels[channel].keys.clear()
      }
      releaseVoices(key, channel, isMono: false)
    }
  }

  /// Releases all voices of a channel, unless pedals hold them.
  @_noAllocation @_noLocks
  mutating func releaseAll(_ channel: Int) {
    for place in 0..<table.bound where isOn(channel, place) { releaseVoice(place) }
  }

  /// Ends all voices of a channel in the next quantum.
  @_noAllocation @_noLocks
  mutating func silence(_ channel: Int) {
    for place in 0..<table.bound where isOn(channel, place) {
      unsafe cvoices_finish(table.controls + place)
    }
  }

  /// Releases the voices that a pedal held.
  ///
  /// They count as held by it until they end.
  @_noAllocation @_noLocks
  mutating func releasePedalled(_ channel: Int, isSostenuto: Bool) {
    for place in 0..<table.bound
    where unsafe (isSostenuto ? table.marks[place].isSostenuto : table.marks[place].isSustained)
      && isOn(channel, place)
    {
      if unsafe table.marks[place].key == channels[channel].pedalledKey {
        unsafe channels[channel].pedalledKey = HeldKeys.none
      }
      damp(place)
    }
  }

  @_noAllocation @_noLocks
  func isOn(_ channel: Int, _ place: Int) -> Bool {
    unsafe Int(table.marks[place].channel) == channel
  }

  @_noAllocation @_noLocks
  private mutating func damp(_ place: Int) {
    unsafe cvoices_release(table.controls + place, tables, leastAge)
    unsafe table.marks[place].isReleased = true
  }

  /// Releases a voice, unless a pedal holds it.
  @_noAllocation @_noLocks
  private mutating func releaseVoice(_ place: Int) {
    let channel = unsafe Int(table.marks[place].channel)
    if unsafe channels[channel].isSostenuto,
      unsafe channels[channel].sostenutoNote > table.marks[place].note
    {
      unsafe table.marks[place].state = .sostenuto
    } else if unsafe channels[channel].isSustained {
      unsafe table.marks[place].state = .sustain
    } else {
      damp(place)
    }
  }

  /// Releases the voices of a key.
  ///
  /// In mono mode, records the key if a pedal holds it.
  @_noAllocation @_noLocks
  private mutating func releaseVoices(_ key: UInt8, _ channel: Int, isMono: Bool) {
    if isMono { unsafe channels[channel].pedalledKey = HeldKeys.none }
    for place in 0..<table.bound
    where unsafe table.marks[place].key == key && isOn(channel, place)
      && table.marks[place].isOn
    {
      releaseVoice(place)
      if isMono, unsafe table.marks[place].isPedalled {
        unsafe channels[channel].pedalledKey = key
      }
    }
  }

  /// Sets the number of the next note, and releases the voices of its key.
  ///
  /// A note that sostenuto holds passes its number on.
  @_noAllocation @_noLocks
  private mutating func letGo(_ key: UInt8, _ channel: Int) {
    note = nextNote
    nextNote &+= 1
    guard key != HeldKeys.none else { return }
    let assignment = unsafe parts[channel].assignment
    if case .full = assignment { return }
    for place in 0..<table.bound
    where unsafe table.marks[place].key == key && isOn(channel, place) {
      if case .single = assignment {
        cutOff(place)
        continue
      }
      if unsafe table.marks[place].isSostenuto {
        note = unsafe table.marks[place].note
      }
      releaseVoice(place)
    }
  }

  /// The key from which a note continues, and the key from which it slides (`slideKey`).
  ///
  /// Portamento control sets both; otherwise a legato note continues from the last one.
  ///
  /// With portamento, a note slides from the last note, legato or not; drums do not slide.
  @_noAllocation @_noLocks
  private mutating func sourceKey(_ channel: Int, _ given: UInt8) -> UInt8 {
    let asked = unsafe channels[channel].controllers[84]
    if asked != HeldKeys.none {
      unsafe channels[channel].controllers[84] = HeldKeys.none
      slideKey = asked
      return given == HeldKeys.none ? asked : given
    }
    let former = unsafe channels[channel].keys.former
    let isLegato = unsafe channels[channel].keys.isLegato
    slideKey = HeldKeys.none
    if unsafe channels[channel].hasPortamento && !channels[channel].isDrums {
      slideKey = given == HeldKeys.none ? former : given
    }
    if given == HeldKeys.none, isLegato, unsafe channels[channel].isMono { return former }
    return given
  }

  /// Continues the voices of one key on another key, and starts the others.
  @_noAllocation @_noLocks
  private mutating func bind(
    from: UInt8, to key: UInt8, _ velocity: UInt8, _ channel: Int, at frame: Int
  ) -> Bool {
    let source = sourceKey(channel, from)
    if source != HeldKeys.none {
      for place in 0..<table.bound
      where unsafe table.marks[place].key == source && isOn(channel, place)
        && table.marks[place].isOn
      {
        let region = unsafe table.voices[place].region
        if unsafe !bound.take(region) && Self.hears(region, sounding(key, channel), velocity) {
          takeOn(place, to: key, velocity)
          unsafe bound.mark(region)
        } else {
          damp(place)
        }
      }
    }
    return play(key, velocity, channel, at: frame)
  }

  /// Moves a voice to another key.
  ///
  /// Its attack restarts from the current level.
  @_noAllocation @_noLocks
  private mutating func takeOn(_ place: Int, to key: UInt8, _ velocity: UInt8) {
    unsafe table.marks[place].key = key
    unsafe table.voices[place].keyShift = parts[Int(table.marks[place].channel & 15)].keyShift
    unsafe table.voices[place].velocity = velocity
    modulate(place, isController: false, SourceIndex.velocity)
    update(place, Generator.modulationHold)
    update(place, Generator.modulationDecay)
    update(place, Generator.volumeHold)
    update(place, Generator.volumeDecay)
    unsafe table.voices[place].keyPitch = pitch(of: place, key: actualKey(of: place))
    update(place, Generator.pitch)
    unsafe cvoices_attack_again(table.controls + place, tables)
    if slideKey != HeldKeys.none { slide(place, to: Int(key)) }
  }

  /// The key whose regions a note plays, with the part's key shift.
  @_noAllocation @_noLocks
  private func sounding(_ key: UInt8, _ channel: Int) -> UInt8 {
    unsafe UInt8(truncatingIfNeeded: Self.shifted(key, by: parts[channel].keyShift))
  }

  @_noAllocation @_noLocks
  private static func hears(
    _ region: UnsafePointer<Region>, _ key: UInt8, _ velocity: UInt8
  ) -> Bool {
    unsafe region.pointee.lowKey <= key && key <= region.pointee.highKey
      && region.pointee.lowVelocity <= velocity && velocity <= region.pointee.highVelocity
  }

  /// Starts a voice for each region that covers the key and the velocity, or records the note.
  @_noAllocation @_noLocks
  private mutating func play(
    _ key: UInt8, _ velocity: UInt8, _ channel: Int, at frame: Int
  ) -> Bool {
    let patch = unsafe Int(channels[channel].patch)
    // A held key may return after the channel selected a preset that fonts do not have.
    guard patch >= 0 else { return false }
    let sounding = sounding(key, channel)
    if let strikes = unsafe strikes {
      unsafe record(sounding, velocity, of: patch, in: strikes)
      return true
    }
    let regions = unsafe bank._withUnsafeGuaranteedRef { unsafe $0.regions(of: patch) }
    for index in 0..<regions.count {
      guard let region = unsafe regions.baseAddress.map({ unsafe $0 + index }),
        unsafe !bound.take(region), unsafe Self.hears(region, sounding, velocity)
      else { continue }
      let place = unsafe freePlace(region)
      guard place >= 0 else { return false }
      unsafe begin(
        region, in: place, key: key, velocity: velocity, channel: channel, at: frame)
    }
    return true
  }

  /// Finds a slot for a voice: a free one, or that of the least important voice.
  ///
  /// Below 0 if all were replaced in this quantum.
  @_noAllocation @_noLocks
  private mutating func freePlace(_ region: UnsafePointer<Region>) -> Int {
    let free = table.freePlace()
    if free >= 0 {
      unsafe table.take(free, start: region.pointee.start)
      return free
    }
    let place = leastMissed()
    guard place >= 0 else { return -1 }
    let wasTaken = unsafe table.marks[place].isTaken
    table.free(place)
    unsafe table.take(place, start: region.pointee.start)
    unsafe table.marks[place].isTaken = !wasTaken
    hasTaken = true
    return place
  }

  /// The slot of the least important voice.
  ///
  /// Drums are the most important, then held keys, then voices held by a pedal, then released
  /// voices; within these groups, younger and louder voices.
  @_noAllocation @_noLocks
  private func leastMissed() -> Int {
    var drums: UInt32 = 0
    for channel in 0..<16 where unsafe channels[channel].isDrums { drums |= 1 << UInt32(channel) }
    let second = Float(1000 * rate)
    var place = -1
    var least: Float = 999_998
    for index in 0..<table.bound {
      let mark = unsafe table.marks[index]
      let age = Float(Int32(truncatingIfNeeded: max(1, time &- mark.struck)))
      var worth: Float = mark.isReleased ? -2000 : mark.isPedalled ? -1000 : 0
      if drums >> UInt32(mark.channel & 0x0F) & 1 != 0 { worth = 4000 }
      worth = worth + second / age + mark.loudness
      if worth < least, !mark.isTaken { (place, least) = (index, worth) }
    }
    return place
  }
}
