// SPDX-License-Identifier: Apache-2.0
public import AudioProcessing
public import MIDIMessages
public import MusicalTime
public import SoundFontInstruments

/// The soundfonts and the settings of synthesiser, mixer and effects of a session.
public struct SessionSettings: Hashable, Sendable {
  /// A soundfont, with a bank offset and a gain.
  public struct FontChoice: Hashable, Sendable {
    /// The path of the file.
    public var path: String
    /// The number that is added to the bank numbers of the font, 0…16 383; 0 by default.
    public var bankOffset: Int
    /// The gain of the font's sounds, a linear factor above 0; 1 by default.
    public var gain: Float

    /// Creates a choice of a soundfont.
    public init(path: String, bankOffset: Int = 0, gain: Float = 1) {
      self.path = path
      self.bankOffset = bankOffset
      self.gain = gain
    }
  }

  /// Effects that several instruments share through sends.
  public struct SendBus: Hashable, Sendable {
    /// A share of an instrument's sound that is sent to a bus.
    public struct Send: Hashable, Sendable {
      /// The name of a custom instrument.
      public var instrument: String
      /// The initial gain, a linear factor 0…16; 1 by default.
      public var gain: Float

      /// Creates a send.
      ///
      /// The sound of the instrument's first bus is sent, before its mixer strip.
      public init(_ instrument: String, gain: Float = 1) {
        self.instrument = instrument
        self.gain = gain
      }
    }

    /// The name of the bus, which is also the name of the mixer of its sends.
    public var name: String
    /// The effects, with one inlet, which receives the sends.
    public var effects: SavedGraph
    /// The sends; at least one.
    public var sends: [Send]

    /// Creates a bus.
    public init(_ name: String, _ effects: SavedGraph, sends: [Send]) {
      self.name = name
      self.effects = effects
      self.sends = sends
    }
  }

  /// The soundfonts, in order of precedence: if several contain the same preset, the first one
  /// plays it.
  ///
  /// The array can be empty if the session has a custom instrument.
  public var soundFonts: [FontChoice]
  /// The bank in the song's own file, which has precedence over the soundfonts; nil if the file
  /// does not have one.
  public var embeddedBank: EmbeddedBank?
  /// The sample rate, 8000…96 000 Hz; 48 000 Hz by default.
  public var rate: SampleRate
  /// The gain of the mix, a linear factor; 1 by default.
  ///
  /// `LoudnessEstimate` computes a gain for a song from the `SoundFontLevels` of these settings.
  public var gain: Float
  /// True if the synthesiser has reverb; default true.
  public var hasReverb: Bool
  /// True if the synthesiser has chorus; default true.
  public var hasChorus: Bool
  /// The maximum number of voices that sound at the same time, in all synthesisers together; 512 by
  /// default.
  public var polyphony: Int
  /// The synthesis engine that plays the soundfonts; Downbeat's own voices by default.
  public var engine = InstrumentConfiguration.Engine.downbeat
  /// The interpolation with which Downbeat's own voices read samples; cubic by default.
  public var interpolation = InstrumentConfiguration.Interpolation.cubic
  /// The bank mode; by default determined by the last reset in the song.
  public var bankMode = BankMode.auto
  /// True if each MIDI channel has a separate mixer strip with a meter; false by default.
  public var hasChannelStrips = false
  /// True to read all presets of the soundfonts; default true.
  ///
  /// This is needed if the sequence is edited or its programs are transformed during playback. If
  /// false, only the presets that the sequence selects are read, which needs less time and memory;
  /// program 0 then replaces presets that were not read.
  public var readsAllPresets = true

  /// The effects through which the mix passes before the limiter, with one inlet; nil for none.
  ///
  /// The registry of the session creates the units of the effects.
  public var effects: SavedGraph?

  /// The buses that custom instruments send to; the mixer strip of each bus follows those of the
  /// instruments.
  public var buses: [SendBus] = []

  /// Creates settings without a soundfont, for a session with custom instruments only.
  public init(rate: SampleRate, gain: Float = 1) {
    self.init(soundFont: "", rate: rate, gain: gain)
    soundFonts = []
  }

  /// Creates settings with one soundfont.
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
  /// The bank in the song's own file, followed by the soundfonts, opened.
  func layers() throws -> [SoundFontLayer] {
    let own = embeddedBank.map { [$0.layer] } ?? []
    return try own
      + soundFonts.map { choice in
        SoundFontLayer(
          try SoundFont(path: choice.path), bankOffset: choice.bankOffset, gain: choice.gain)
      }
  }

  /// True if there is a soundfont or an embedded bank.
  package var hasFonts: Bool { embeddedBank != nil || !soundFonts.isEmpty }

  /// The configuration of an instrument.
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

  /// The soundfonts, with the presets that some events select, or all presets for nil.
  func fonts(for events: EventBuffer?) throws -> SharedFonts {
    var configuration = instrument
    if let events {
      configuration.limitPrograms(to: events.events.span, payloads: events.payloads.span)
    }
    return try SharedFonts(layers(), for: configuration)
  }

  /// The share of a quantum's time that all live synthesisers may use together; the rest is for
  /// effects, the mixer, and fading voices.
  static var workShare: Double { 0.7 }

  /// The buses of the instrument's dry sound.
  var dryBuses: InstrumentConfiguration.DryBuses { hasChannelStrips ? .perChannel : .mixed }

  /// The indices of the instrument's buses that are used: dry, then reverb, then chorus.
  var instrumentBuses: [Int] {
    let dry = dryBuses.rawValue
    return Array(0..<dry) + (hasReverb ? [dry] : []) + (hasChorus ? [dry + 1] : [])
  }
}
