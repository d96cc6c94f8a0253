// SPDX-License-Identifier: Apache-2.0
public import AudioProcessing
public import MIDIMessages
public import MusicalTime
public import SoundFontInstruments

/// What a session's sound is made with.
public struct SessionSettings: Hashable, Sendable {
  /// A soundfont by its path, with what is added to its bank numbers and a factor on its sounds.
  public struct FontChoice: Hashable, Sendable {
    /// The path.
    public var path: String
    /// What is added to its bank numbers, 0…16 383.
    public var bankOffset: Int
    /// A linear factor on its sounds, above 0.
    public var gain: Float

    /// Creates a choice.
    public init(path: String, bankOffset: Int = 0, gain: Float = 1) {
      self.path = path
      self.bankOffset = bankOffset
      self.gain = gain
    }
  }

  /// An effect that several instruments share, each as much of it as it is sent to it.
  public struct SendBus: Hashable, Sendable {
    /// What is sent to a bus.
    public struct Send: Hashable, Sendable {
      /// The name of an instrument of the program's own.
      public var instrument: String
      /// A linear factor, 0…16, which is in force from the beginning.
      public var gain: Float

      /// Sends an instrument's first bus, before its strip of the mixer.
      public init(_ instrument: String, gain: Float = 1) {
        self.instrument = instrument
        self.gain = gain
      }
    }

    /// What the bus's mixer is called.
    public var name: String
    /// The effects, with one inlet, by which what is sent comes in.
    public var effects: SavedGraph
    /// What is sent to it: one at least.
    public var sends: [Send]

    /// Creates a bus.
    public init(_ name: String, _ effects: SavedGraph, sends: [Send]) {
      self.name = name
      self.effects = effects
      self.sends = sends
    }
  }

  /// The soundfonts; where two have a program, the first plays it.
  ///
  /// There may be none where the program has an instrument of its own.
  public var soundFonts: [FontChoice]
  /// The bank in the song's own file, which has precedence over the soundfonts; nil without one.
  public var embeddedBank: EmbeddedBank?
  /// Frames a second, 8000…96000.
  public var rate: SampleRate
  /// A linear factor on the whole mix; `LoudnessEstimate` finds one for a song, by the
  /// `SoundFontLevels` of these settings.
  public var gain: Float
  /// Whether the synthesiser's reverberation sounds.
  public var hasReverb: Bool
  /// Whether the synthesiser's chorus sounds.
  public var hasChorus: Bool
  /// The most voices that sound at once, in all.
  public var polyphony: Int
  /// What makes the sound of the notes; Downbeat's own voices by default.
  public var engine = InstrumentConfiguration.Engine.downbeat
  /// How Downbeat's own voices read samples; a cubic by default.
  public var interpolation = InstrumentConfiguration.Interpolation.cubic
  /// The rules of bank select and program change; those of the song's last reset by default.
  public var bankMode = BankMode.auto
  /// Whether each MIDI channel has a strip of the mixer, and with it a meter, of its own; false by
  /// default.
  public var hasChannelStrips = false
  /// Whether a session reads all presets of the soundfonts, as for a sequence that is edited, or
  /// whose programs are transformed, while it plays; true by default.
  ///
  /// Otherwise it reads those that the sequence asks for at the start, which takes less time and
  /// memory; program 0 sounds in place of others.
  public var readsAllPresets = true

  /// The effects that the sum of all goes through before the limiter, with one inlet, by which it
  /// comes in; made of the units that the registry of a session knows.
  public var effects: SavedGraph?

  /// The buses that instruments of the program's own are sent to, each with a strip of the mixer
  /// behind theirs.
  public var buses: [SendBus] = []

  /// Creates settings without a soundfont, for instruments of the program's own.
  public init(rate: SampleRate, gain: Float = 1) {
    self.init(soundFont: "", rate: rate, gain: gain)
    soundFonts = []
  }

  /// Creates settings; without a rate it is 48 000 Hz.
  public init(
    soundFont: String, rate: SampleRate = .hertz48000, gain: Float = 1, hasReverb: Bool = true,
    hasChorus: Bool = true, polyphony: Int = 512
  ) {
    soundFonts = [FontChoice(path: soundFont)]
    self.rate = rate
    self.gain = gain
    self.hasReverb = hasReverb
    self.hasChorus = hasChorus
    self.polyphony = polyphony
  }
}

extension SessionSettings {
  /// The bank in the song's own file and the soundfonts, opened.
  func layers() throws -> [SoundFontLayer] {
    let own = embeddedBank.map { [$0.layer] } ?? []
    return try own
      + soundFonts.map { choice in
        SoundFontLayer(
          try SoundFont(path: choice.path), bankOffset: choice.bankOffset, gain: choice.gain)
      }
  }

  /// True if a synthesiser has something to play.
  package var hasFonts: Bool { embeddedBank != nil || !soundFonts.isEmpty }

  /// How the instrument is set up.
  var instrument: InstrumentConfiguration {
    var configuration = InstrumentConfiguration(rate: rate)
    configuration.engine = engine
    configuration.interpolation = interpolation
    configuration.bankMode = bankMode
    configuration.dryBuses = dryBuses
    configuration.hasEffects = hasReverb || hasChorus
    configuration.polyphony = polyphony
    return configuration
  }

  /// The soundfonts, read for instruments that play some events, or whatever comes.
  func fonts(for events: EventBuffer?) throws -> SharedFonts {
    var configuration = instrument
    if let events {
      configuration.limitPrograms(to: events.events.span, payloads: events.payloads.span)
    }
    return try SharedFonts(layers(), for: configuration)
  }

  /// The share of a quantum's time that synthesisers which are heard live may work, all together;
  /// the rest is for effects, the mixer, and voices that fade.
  static var workShare: Double { 0.7 }

  /// The buses of the instrument's dry sound.
  var dryBuses: InstrumentConfiguration.DryBuses { hasChannelStrips ? .perChannel : .mixed }

  /// The instrument's buses that are heard: the dry ones, then reverb, then chorus.
  var instrumentBuses: [Int] {
    let dry = dryBuses.rawValue
    return Array(0..<dry) + (hasReverb ? [dry] : []) + (hasChorus ? [dry + 1] : [])
  }
}
