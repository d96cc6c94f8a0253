// SPDX-License-Identifier: Apache-2.0
internal import CSoundFontVoices

// The effect of part and drum note parameters on a voice.
//
// The manuals give changes of the sound as −64…63 (XG) or −50…50 (GS) without a unit. Here twelve
// steps double or halve a cutoff or a time, and 24 steps the rate of a vibrato. A step of resonance
// is 0.4 dB, and a step of vibrato depth one cent. Depths of controllers have the units of the
// SC-88Pro's manual.
extension VoiceSynth {
  /// All generators that may change, one bit for each; `levelBit` is the level.
  static var allGenerators: Int {
    @_noAllocation @_noLocks
    get {
      1 << Generator.slowToPitch | 1 << Generator.vibratoToPitch | 1 << Generator.cutoff
        | 1 << Generator.resonance | 1 << Generator.slowToCutoff | 1 << Generator.slowToVolume
        | 1 << Generator.slowRate | 1 << Generator.vibratoRate | 1 << Generator.coarseTune
        | 1 << levelBit
    }
  }

  private static var levelBit: Int {
    @_noAllocation @_noLocks
    get { 62 }
  }

  /// The generator that changes immediately; 0 if only later notes change.
  @_noAllocation @_noLocks
  static func generator(of sound: PartState.Sound) -> Int {
    switch sound {
    case .vibratoRate: 1 << Generator.vibratoRate
    case .vibratoDepth: 1 << Generator.vibratoToPitch
    case .cutoff: 1 << Generator.cutoff
    case .resonance: 1 << Generator.resonance
    case .attack, .decay, .release, .vibratoDelay: 0
    }
  }

  @_noAllocation @_noLocks
  static func generator(of destination: ControlDestination) -> Int {
    switch destination {
    case .pitch: 1 << Generator.coarseTune
    case .cutoff: 1 << Generator.cutoff
    case .amplitude: 1 << levelBit
    case .rate: 1 << Generator.vibratoRate
    case .vibrato: 1 << Generator.vibratoToPitch
    case .secondRate: 1 << Generator.slowRate
    case .secondVibrato: 1 << Generator.slowToPitch
    case .filterDepth, .secondFilterDepth: 1 << Generator.slowToCutoff
    case .amplitudeDepth, .secondAmplitudeDepth: 1 << Generator.slowToVolume
    }
  }

  /// Applies the part and drum note parameters to a new voice, if any is edited.
  @_noAllocation @_noLocks
  mutating func edit(_ place: Int, _ channel: Int, _ key: UInt8) {
    let note = noteEdit(channel, key: Int(key))
    let isEdited = unsafe parts[channel].isEdited
    guard note != nil || isEdited else { return }
    if let note {
      unsafe table.voices[place].sendFactors = [
        Float(note.reverb) / 127, Float(note.chorus) / 127, Float(note.delay) / 127,
      ]
      if note.group < 128 {
        // Exclusive groups of an edit are separate from those of the soundfont.
        unsafe table.voices[place].values[Generator.exclusiveClass] =
          note.group == 0 ? 0 : Float(note.group) + 1000
      }
    }
    setPan(place, note)
    for generator in 0..<Generator.count where Self.isEntered(generator) {
      unsafe table.voices[place].values[generator] = entered(place, generator)
    }
    unsafe table.voices[place].level = level(of: place)
  }

  /// Computes generators, given by bits, for all voices of a channel.
  @_noAllocation @_noLocks
  mutating func refresh(_ channel: Int, _ generators: Int) {
    for place in 0..<table.bound where isOn(channel, place) {
      var left = generators
      while left != 0 {
        let generator = left.trailingZeroBitCount
        left &= left &- 1
        if generator == Self.levelBit {
          unsafe table.voices[place].level = level(of: place)
          setGains(place)
        } else {
          unsafe table.voices[place].values[generator] = entered(place, generator)
          update(place, generator)
        }
      }
    }
  }

  /// Computes the effect of a source on the voices of a channel.
  @_noAllocation @_noLocks
  mutating func refresh(_ channel: Int, _ source: ControlSource) {
    guard unsafe parts[channel].isEdited else { return }
    var generators = 0
    for index in 0..<ControlDestination.count
    where !ControlDestination.isChannels(index, of: source.rawValue) {
      let depth = unsafe parts[channel].depths[
        source.rawValue &* ControlDestination.count &+ index]
      guard depth != ControlDestination.initial(index, of: source.rawValue),
        let destination = ControlDestination(rawValue: index)
      else { continue }
      generators |= Self.generator(of: destination)
    }
    if generators != 0 { refresh(channel, generators) }
  }

  /// Computes the effect of a controller on the voices of a channel.
  @_noAllocation @_noLocks
  mutating func refresh(_ channel: Int, controller: UInt8) {
    guard unsafe parts[channel].isEdited else { return }
    if controller == 1 { refresh(channel, ControlSource.modulation) }
    if unsafe controller == parts[channel].firstController {
      refresh(channel, ControlSource.first)
    }
    if unsafe controller == parts[channel].secondController {
      refresh(channel, ControlSource.second)
    }
  }

  @_noAllocation @_noLocks
  private static func isEntered(_ generator: Int) -> Bool {
    switch generator {
    case Generator.vibratoDelay, Generator.modulationAttack, Generator.modulationDecay,
      Generator.modulationRelease, Generator.volumeAttack, Generator.volumeDecay,
      Generator.volumeRelease:
      true
    default: generator < levelBit && allGenerators >> generator & 1 != 0
    }
  }

  /// The amount of a generator, with the changes by the part and the drum note.
  @_noAllocation @_noLocks
  func entered(_ place: Int, _ generator: Int) -> Float {
    let mark = unsafe table.marks[place]
    let channel = Int(mark.channel & 0x0F)
    let base =
      unsafe channels[channel].isReplaced >> UInt64(generator) & 1 != 0
      ? channels[channel].replacements[generator]
      : table.voices[place].region.pointee.generators[generator]
    let note = noteEdit(channel, key: Int(mark.key))
    switch generator {
    case Generator.cutoff:
      return base + steps(.cutoff, place) * 100 + Self.steps(note?.cutoff) * 100
        + moved(place, .cutoff)
    case Generator.resonance:
      return max(0, base + steps(.resonance, place) * 4 + Self.steps(note?.resonance) * 4)
    case Generator.vibratoToPitch:
      let own = base + steps(.vibratoDepth, place)
      return max(min(0, base), own) + moved(place, .vibrato)
    case Generator.vibratoRate:
      return rate(base + steps(.vibratoRate, place) * 50, movedBy: moved(place, .rate))
    case Generator.slowRate: return rate(base, movedBy: moved(place, .secondRate))
    case Generator.slowToPitch: return base + moved(place, .secondVibrato)
    case Generator.slowToCutoff:
      return base + moved(place, .filterDepth) + moved(place, .secondFilterDepth)
    case Generator.slowToVolume:
      // A change of 960 centibels would be the full volume range; 20 dB are sufficient.
      return base + (moved(place, .amplitudeDepth) + moved(place, .secondAmplitudeDepth)) * 200
    case Generator.vibratoDelay: return base + steps(.vibratoDelay, place) * 100
    case Generator.volumeAttack, Generator.modulationAttack:
      return base + steps(.attack, place) * 100 + Self.steps(note?.attack) * 100
    case Generator.volumeDecay, Generator.modulationDecay:
      return base + steps(.decay, place) * 100 + Self.steps(note?.decay) * 100
    case Generator.volumeRelease, Generator.modulationRelease:
      return base + steps(.release, place) * 100
    case Generator.coarseTune:
      return base + (cents(of: place, channel) + moved(place, .pitch)) / 100
        + Float(note?.pitch ?? 0) + Float(note?.finePitch ?? 0) / 100
    default: return base
    }
  }

  @_noAllocation @_noLocks
  private static func steps(_ value: UInt8?) -> Float { Float(Int(value ?? 64) &- 64) }

  /// The steps of a change; 0 if the soundfont has a modulator for this controller.
  @_noAllocation @_noLocks
  private func steps(_ sound: PartState.Sound, _ place: Int) -> Float {
    let channel = unsafe Int(table.marks[place].channel & 0x0F)
    let steps = unsafe Float(Int(parts[channel].sound(sound)) &- 64)
    guard steps != 0 else { return 0 }
    let controller = Self.controller(of: sound)
    guard unsafe channels[channel].controllers[controller] != 64 else { return steps }
    let region = unsafe table.voices[place].region
    for index in 0..<Int(unsafe region.pointee.modulatorCount) {
      let source = unsafe region.pointee.modulators[index].source
      if Int(source & 0xFF) == 0x80 | controller { return 0 }
    }
    return steps
  }

  @_noAllocation @_noLocks
  private static func controller(of sound: PartState.Sound) -> Int {
    switch sound {
    case .vibratoRate: 76
    case .vibratoDepth: 77
    case .cutoff: 74
    case .resonance: 71
    case .attack: 73
    case .decay: 75
    case .release: 72
    case .vibratoDelay: 78
    }
  }

  /// The sum of the changes of a destination by all sources.
  @_noAllocation @_noLocks
  private func moved(_ place: Int, _ destination: ControlDestination) -> Float {
    let channel = unsafe Int(table.marks[place].channel & 0x0F)
    var sum: Float = 0
    for index in 0..<ControlSource.count
    where !ControlDestination.isChannels(destination.rawValue, of: index) {
      let depth = unsafe parts[channel].depths[
        index &* ControlDestination.count &+ destination.rawValue]
      guard depth != ControlDestination.initial(destination.rawValue, of: index),
        let source = ControlSource(rawValue: index)
      else { continue }
      sum += reading(source, place, channel) * destination.amount(depth)
    }
    return sum
  }

  /// The value of a source, 0…1, or −1…1 for the bend.
  @_noAllocation @_noLocks
  private func reading(_ source: ControlSource, _ place: Int, _ channel: Int) -> Float {
    let value: UInt8
    switch source {
    case .bend:
      let bend = unsafe Float(Int(channels[channel].bend) &- 8192) / 8192
      return unsafe max(-1, min(1, bend * parts[channel].bendScale))
    case .modulation: value = unsafe channels[channel].controllers[1]
    case .pressure: value = unsafe channels[channel].pressure
    case .keyPressure:
      value = unsafe channels[channel].keyPressures[Int(table.marks[place].key & 0x7F)]
    case .first:
      value = unsafe channels[channel].controllers[Int(parts[channel].firstController & 0x7F)]
    case .second:
      value = unsafe channels[channel].controllers[Int(parts[channel].secondController & 0x7F)]
    }
    return Float(value) / 127
  }

  /// The fine tuning and the offset in hertz, as cents.
  @_noAllocation @_noLocks
  private func cents(of place: Int, _ channel: Int) -> Float {
    let part = unsafe parts + channel
    let fine = unsafe Float(Int(part.pointee.fineTuning) &- 8192) * (100.0 / 8192)
    guard unsafe part.pointee.pitchOffset != 128 else { return fine }
    let hertz = unsafe cvoices_hertz(tables, Double(actualKey(of: place)) * 100)
    let moved = unsafe hertz + Double(Int(part.pointee.pitchOffset) &- 128) / 10
    return fine + Float(1200 * AWEParameter.logarithm(max(hertz / 16, moved) / hertz))
  }

  /// The rate of an oscillator in cents, changed by a frequency in hertz; at least 0.01 Hz.
  @_noAllocation @_noLocks
  private func rate(_ cents: Float, movedBy hertz: Float) -> Float {
    guard hertz != 0 else { return cents }
    let old = unsafe cvoices_hertz(tables, Double(max(-16_000, min(4500, cents))))
    return Float(
      1200 * AWEParameter.logarithm(max(0.01, old + Double(hertz)) / 8.175_798_915_643_707))
  }

  /// The level factor of a voice, 0…4.
  @_noAllocation @_noLocks
  private func level(of place: Int) -> Float {
    let mark = unsafe table.marks[place]
    let channel = Int(mark.channel & 0x0F)
    var level = max(0, min(4, 1 + moved(place, .amplitude)))
    if let note = noteEdit(channel, key: Int(mark.key)) { level *= Float(note.level) / 127 }
    // 3 dB, because the manuals do not give a value.
    return mark.isSoft ? level * 0.708 : level
  }

  /// Sets the pan.
  ///
  /// A side of a stereo sample is moved; other sounds are placed.
  @_noAllocation @_noLocks
  private mutating func setPan(_ place: Int, _ note: NoteEdit?) {
    let channel = unsafe Int(table.marks[place].channel & 0x0F)
    var pan = Float(0)
    if unsafe note?.pan == 0 || parts[channel].isPanRandom {
      pan = randomPan()
    } else if let note, note.pan != 64 {
      pan = Float(Int(note.pan) &- 64) * (500.0 / 63)
    } else {
      return
    }
    let own = unsafe table.voices[place].values[Generator.pan]
    unsafe table.voices[place].values[Generator.pan] = abs(own) < 500 ? pan : own + pan
  }
}
