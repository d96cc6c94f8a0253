// SPDX-License-Identifier: Apache-2.0

/// The drum kit: one stroke for each key, as General MIDI names them.
struct DrumKit {
  /// A key, the interval from the stroke as it is stored, and its place.
  typealias Key = (key: Int, semitones: Int, pan: Double)

  private let bank: SampleBank
  private var zones: [Zone] = []

  /// The standard kit.
  static func standard(_ bank: SampleBank) -> DrumKit {
    var kit = DrumKit(bank: bank)
    kit.addDrums()
    kit.addCymbals()
    kit.addLatin()
    kit.addSmall()
    return kit
  }

  private init(bank: SampleBank) { self.bank = bank }

  /// The kit as a voice, so much in the room.
  func voice(_ name: String, reverb: Double = 12) -> Voice {
    let settings = Settings().volume(hold: 10, release: 9).effects(reverb: reverb)
      .lowPass(19900).velocityDarkens(1500).velocitySlows(3000)
    return Voice(
      name: name, zones: zones.sorted { $0.keys.lowerBound < $1.keys.lowerBound },
      settings: settings)
  }

  /// The zones of another voice on keys of this kit, sounding at their own pitch.
  mutating func add(_ voice: Voice, on keys: ClosedRange<Int>) {
    for key in keys {
      guard var zone = voice.zones.first(where: { $0.keys.contains(key) }) else { continue }
      zones.removeAll { $0.keys == key...key }
      zone.keys = key...key
      zone.settings = voice.settings.merging(zone.settings)
      zones.append(zone)
    }
  }

  /// Stores a sound and puts it on keys, in the place of what was there.
  ///
  /// One that has pitches to be heard and is played at several is stored so that no image of them
  /// is.
  mutating func add(
    _ name: String, _ sound: @autoclosure () -> Sound, on keys: [Key],
    settings: Settings = Settings(), isTonal: Bool = false
  ) {
    let sound = sound()
    let sample = bank.add(name, rootKey: 60, sound, isStruck: !isTonal)
    for (key, semitones, pan) in keys {
      zones.removeAll { $0.keys == key...key }
      zones.append(
        Zone(
          keys: key...key, sample: sample, rootKey: key - semitones, looped: sound.loopLength > 0,
          settings: settings.pan(pan)))
    }
  }

  mutating func add(
    _ name: String, _ ringing: Drums.Ringing, on keys: [Key],
    settings: Settings = Settings(), isTonal: Bool = false
  ) {
    add(
      name, ringing.sound, on: keys, settings: settings.merging(ringing.settings),
      isTonal: isTonal)
  }

  private mutating func addDrums() {
    add("Kick 2", Drums.kick(1, pitch: 47, click: 0.5), on: [(35, 0, 0)])
    add("Kick 1", Drums.kick(2, pitch: 55, click: 1.1), on: [(36, 0, 0), (86, 9, 0.2)])
    add("Side Stick", Drums.sideStick(), on: [(37, 0, -0.06), (31, 4, 0)])
    add("Snare 1", Drums.snare(21, pitch: 182, wires: 1, ring: 1), on: [(38, 0, -0.06)])
    add("Clap", Drums.clap(), on: [(39, 0, 0.1), (28, 7, 0)])
    add("Snare 2", Drums.snare(22, pitch: 228, wires: 1.15, ring: 0.7), on: [(40, 0, -0.06)])
    add(
      "Tom", Drums.tom(),
      on: [
        (41, -7, 0.35), (43, -4, 0.25), (45, -1, 0.1), (47, 2, -0.05), (48, 5, -0.2),
        (50, 8, -0.3), (87, -12, 0.1),
      ])
  }

  private mutating func addCymbals() {
    let choke = Settings().with(.exclusiveClass, 1)
    add(
      "Closed Hat", Drums.hat(31, seconds: 0.12, quick: 520, loudness: -17),
      on: [(42, 0, -0.25)], settings: choke)
    add(
      "Pedal Hat", Drums.hat(32, seconds: 0.14, quick: 380, loudness: -19),
      on: [(44, -1, -0.25)], settings: choke)
    add(
      "Open Hat", Drums.openHat(), on: [(46, 0, -0.25)], settings: choke)
    add("Crash", Drums.crash(), on: [(49, 0, 0.3), (57, 2, -0.35), (52, -5, -0.3)])
    add(
      "Splash", Drums.crash(35, seconds: 0.5, low: 700, quick: 60), on: [(55, 0, 0.2)])
    add("Ride", Drums.ride(), on: [(51, 0, 0.3), (59, 1, 0.35)])
    add("Ride Bell", Drums.rideBell(), on: [(53, 0, 0.3), (34, 7, 0)])
    add("Tambourine", Drums.tambourine(), on: [(54, 0, 0.2)])
    let triangle = Settings().with(.exclusiveClass, 5)
    add("Triangle Mute", Drums.mutedTriangle(), on: [(80, 0, 0.3)], settings: triangle)
    add(
      "Triangle", Drums.openTriangle(), on: [(81, 0, 0.3), (84, 5, 0.1)], settings: triangle,
      isTonal: true)
    add("Jingle", Drums.jingle(), on: [(83, 0, -0.2)])
  }

  private mutating func addLatin() {
    add("Cowbell", Drums.cowbell(), on: [(56, 0, 0.15)])
    add("Vibraslap", Drums.vibraslap(), on: [(58, 0, -0.3)])
    add(
      "Bongo", Drums.hand(41, pitch: 390, quick: 190, slap: 0.8),
      on: [(60, 0, -0.3), (61, -6, -0.2)])
    add("Conga Mute", Drums.hand(42, pitch: 255, quick: 330, slap: 1.3), on: [(62, 0, 0.25)])
    add(
      "Conga", Drums.hand(43, pitch: 225, quick: 110, slap: 0.7),
      on: [(63, 0, 0.25), (64, -5, 0.3)])
    add(
      "Timbale", Drums.hand(44, pitch: 310, quick: 90, slap: 1.1, metal: 1),
      on: [(65, 0, -0.25), (66, -5, -0.3)])
    add("Agogo", Drums.agogo(), on: [(67, 0, 0.3), (68, -5, 0.3)])
    add("Cabasa", Drums.shaker(45, seconds: 0.12, tone: 7200, swell: 0.02), on: [(69, 0, -0.3)])
    add(
      "Maracas", Drums.shaker(46, seconds: 0.1, tone: 8800, swell: 0.008),
      on: [(70, 0, -0.25), (82, -3, -0.2)])
  }

  private mutating func addSmall() {
    let whistle = Settings().with(.exclusiveClass, 2)
    add("Whistle Short", Drums.whistle(seconds: 0.16), on: [(71, 0, 0)], settings: whistle)
    add("Whistle Long", Drums.whistle(seconds: 0.38), on: [(72, 0, 0)], settings: whistle)
    let guiro = Settings().with(.exclusiveClass, 3)
    add("Guiro Short", Drums.guiro(seconds: 0.12, pace: 0.012), on: [(73, 0, 0.2)], settings: guiro)
    add("Guiro Long", Drums.guiro(seconds: 0.34, pace: 0.013), on: [(74, 0, 0.2)], settings: guiro)
    add("Claves", Drums.claves(), on: [(75, 0, -0.15), (33, -7, 0), (32, 5, 0), (85, -3, 0.1)])
    add("Wood Block", Drums.woodBlock(), on: [(76, 0, -0.2), (77, -5, -0.25)])
    let cuica = Settings().with(.exclusiveClass, 4)
    add("Cuica Mute", Drums.cuica(open: false), on: [(78, 0, 0.2)], settings: cuica)
    add("Cuica Open", Drums.cuica(open: true), on: [(79, 0, 0.2)], settings: cuica)
    add("High Q", Drums.scratch(51, from: 2600, to: 300, seconds: 0.08), on: [(27, 0, 0)])
    add(
      "Scratch", Drums.scratch(52, from: 500, to: 1500, seconds: 0.14),
      on: [(29, 0, 0.1), (30, -4, -0.1)])
  }
}
