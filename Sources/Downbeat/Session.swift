// SPDX-License-Identifier: Apache-2.0
public import AudioProcessing
public import ClipPlayback
public import ClockService
public import MIDIMessages
public import MusicSequences
internal import MusicalTime
internal import SequencePlayback
public import SoundFontInstruments

/// Connects one sequence to a player, a clock, instruments and a mixer.
///
/// If the settings do not name a soundfont, the session does not have a synthesiser, and the first
/// custom instrument plays all tracks that do not name another instrument. Use a session for one
/// playback. To render a song to samples, use `SongRenderer`.
///
/// - Note: One thread at a time.
public final class Session {
  let rate: SampleRate
  let instrument: InstrumentUnit?
  /// All synthesisers: for each port, and for tracks with separate outputs; the first is
  /// `instrument`.
  let parts: [TrackPart]
  /// The kit of clips; nil without pads.
  let kit: ClipKit?
  /// The custom instruments, which tracks name in their settings.
  let own: [any PlayableUnit]
  let score: PlayerScore
  let mix: SessionMix
  private var effects = EffectChains()

  /// The presets that the sequence selects but the soundfonts do not have, without duplicates.
  public let missingPresets: [MissingPreset]
  /// The effects that the sequence requests but Downbeat's own voices do not have, without
  /// duplicates.
  public let missingEffects: [RequestedEffect]

  /// Loads the presets that the sequence uses, and connects the instruments and the mixer.
  ///
  /// - Parameters:
  ///   - sequence: The sequence to play.
  ///   - settings: The soundfonts, and the settings of the synthesiser and effects.
  ///   - pads: Clips (recorded sounds) that notes start in place of the synthesiser, at the rate of
  ///     the settings.
  ///   - instruments: Custom instruments, each with a mixer strip; each plays the tracks whose
  ///     `settings.destination` is its name.
  ///   - apart: Sets of tracks, counted from 0, that have separate output channels: the first set
  ///     on channels 3 and 4, the second on 5 and 6, and so on, at most 31 sets. Each set has a
  ///     separate synthesiser with reverb and chorus, but without the effects of the settings. A
  ///     track that is in two sets is played on the channels of both.
  ///   - registry: The registry that creates the units of effects and buses.
  /// - Throws: `InstrumentError` if a soundfont cannot be used; `GraphError` if a bus or effect
  ///   cannot be connected; `SequenceError` if the time of the sequence does not fit 64 bits.
  public init(
    _ sequence: MusicSequence, settings: SessionSettings, pads: [ClipKit.Pad] = [],
    instruments: [any PlayableUnit] = [], apart: [Set<Int>] = [],
    registry: UnitRegistry = .standard
  ) throws {
    precondition(apart.count < ChannelMap.mostChannels / 2, "an output has at most 64 channels")
    precondition(
      apart.isEmpty || settings.hasFonts, "separate outputs require a soundfont")
    own = instruments
    score = try PlayerScore(sequence)
    rate = settings.rate
    if !settings.hasFonts, !own.isEmpty {
      (parts, missingPresets, missingEffects) = ([], [], [])
    } else {
      (parts, missingPresets, missingEffects) = try TrackPart.load(
        score, settings, apart: apart)
    }
    instrument = parts.first?.instrument
    kit = ClipKit(pads, rate: rate)
    let all = parts
    func heard(on pair: Int) -> [InstrumentUnit] {
      all.filter { $0.share.pair == pair }.map(\.instrument)
    }
    mix = try SessionMix(
      heard(on: 0), clips: kit?.board.unit,
      apart: apart.indices.map { heard(on: $0 + 1) }, own: own, settings, by: registry)
  }

  /// The level of each MIDI channel of each port, before the effects and the limiter.
  ///
  /// There are sixteen values for each port, in the order of the ports; empty if channels do not
  /// have separate mixer strips.
  ///
  /// - Note: Any thread.
  public var channelLevels: [(left: Level, right: Level)] {
    guard instrument?.configuration.dryBuses == .perChannel else { return [] }
    let ports = 1 + (parts.compactMap(\.share.port).max() ?? 0)
    let silence = (left: Level(), right: Level())
    var levels = Array(repeating: silence, count: 16 * Int(ports))
    for (place, part) in parts.enumerated() {
      for channel in 0..<16 {
        let index = 16 * Int(part.share.port ?? 0) + channel
        let level = level(of: channel, ofPart: place)
        levels[index] = (
          levels[index].left.louder(level.left), levels[index].right.louder(level.right)
        )
      }
    }
    return levels
  }

  /// The level of a channel of a synthesiser, whose strips follow those of earlier synthesisers in
  /// the same mixer.
  private func level(of channel: Int, ofPart place: Int) -> (left: Level, right: Level) {
    let pair = parts[place].share.pair
    let before = parts[..<place].filter { $0.share.pair == pair }.count
    let mixer = pair == 0 ? mix.mixer : mix.apart[pair - 1]
    return mixer.level(of: before * mix.busCount + channel)
  }

  /// The number of notes that were not played because all voices were in use.
  ///
  /// - Note: Any thread.
  public var refusedNoteCount: Int { synthesisers.reduce(0) { $0 + $1.refusedNoteCount } }

  /// The number of voices that were ended early because rendering took too long.
  ///
  /// Released voices are ended before held ones, the oldest first.
  ///
  /// - Note: Any thread.
  public var shedVoiceCount: Int { synthesisers.reduce(0) { $0 + $1.shedVoiceCount } }

  /// The number of sounding voices.
  ///
  /// - Note: Any thread.
  public var voiceCount: Int { synthesisers.reduce(0) { $0 + $1.activeVoiceCount } }

  private var synthesisers: [InstrumentUnit] { parts.map(\.instrument) }

  /// The number of audio channels that the session plays: left and right, and two more for each set
  /// of separate tracks.
  ///
  /// The output must have the same number of channels.
  public var channelCount: Int { mix.plan.output.channelCount }

  /// The gain of the mix before the limiter, a linear factor 0…16, relative to the gain of the
  /// settings: 1 leaves it unchanged.
  public var volume: Float {
    get { mix.mixer.sum.gain }
    set {
      for mixer in [mix.mixer] + mix.apart { mixer.sum.gain = min(max(newValue, 0), 16) }
    }
  }

  /// The rendering time and the duration of the rendered sound; measuring begins with the first
  /// access.
  public var renderLoad: RenderLoad { mix.load(rate) }

  /// The report of each unit in the graph, such as the faulty samples of a plug-in.
  ///
  /// - Complexity: O(n) in the number of units.
  public var unitReports: [UnitReport] { mix.plan.reports }

  /// The level of the mix, before added effects and the limiter.
  ///
  /// - Note: Any thread.
  public var level: (left: Level, right: Level) { mix.mixer.sumLevel }

  /// The graph that renders the sound; change it with `edit`.
  public var graph: AudioGraph { mix.plan.graph }

  /// The mixer that adds all sounds.
  ///
  /// The strips of the mixer are, in order: one for each bus of the synthesisers, one for the clips
  /// (if there are any), one for each custom instrument, and one for each send bus.
  public var mixer: MixerUnit { mix.mixer }

  /// Returns the index of the mixer strip of a custom instrument; nil if the instrument does not
  /// belong to the session.
  public func strip(of instrument: any PlayableUnit) -> Int? {
    own.firstIndex { $0 === instrument }.map { mix.firstOwnStrip + $0 }
  }

  /// Changes the graph, even during playback, with a crossfade of 5 ms.
  ///
  /// Tracks can change the parameters of units that are in the graph when `play` is called; their
  /// `settings.destination` is the unit's name.
  ///
  /// - Returns: The result of the closure.
  /// - Throws: `GraphError`, and the errors of the closure; the graph is then not changed.
  @discardableResult
  public func edit<Result>(
    _ change: (inout AudioGraph) throws(GraphError) -> Result
  ) throws(GraphError) -> Result {
    try mix.plan.edit(change)
  }

  /// Adds an effect after a custom instrument, or, if the instrument is nil, to the mix before the
  /// limiter.
  ///
  /// The effect follows effects that were added earlier at the same position.
  ///
  /// - Throws: `GraphError` if the effect cannot be connected.
  public func addEffect(
    _ effect: any ProcessingUnit, behind instrument: (any PlayableUnit)? = nil
  ) throws(GraphError) {
    var chains = effects
    try edit { graph throws(GraphError) in
      try chains.add(effect, behind: instrument ?? mix.mixer, to: &graph)
    }
    effects = chains
  }

  /// Adds the sound of a unit to the mix, such as an `InputUnit` for a microphone.
  ///
  /// The sound is added after the mix and its added effects, and before the effects of the settings
  /// and the limiter.
  ///
  /// - Parameters:
  ///   - unit: The unit; only its first bus is used, which is mono or stereo.
  ///   - gain: A linear factor, 0…16.
  /// - Throws: `GraphError` if the unit cannot be connected.
  public func addInput(_ unit: any ProcessingUnit, gain: Float = 1) throws(GraphError) {
    var chains = effects
    try edit { graph throws(GraphError) in
      try chains.mix(unit, gain: gain, behind: mix.mixer, to: &graph, rate: rate)
    }
    effects = chains
  }

  /// Plays the sequence on an output, and on ports in sync with the output.
  ///
  /// The playback can follow and send clocks.
  ///
  /// - Throws: The error of an output that cannot be started or of a port that is disconnected;
  ///   `PlaybackError.noState`, or the unit's error, if a unit does not accept its saved state.
  public func play(
    on output: any OutputUnit, ports: [PlaybackPort] = [],
    options: PlaybackOptions = PlaybackOptions(), sync: ClockSync = ClockSync()
  ) throws -> Playback {
    try score.sequence.restoreStates(of: own + graph.nodes.compactMap { graph.unit(at: $0) })
    let sound = PlaybackSound(
      parts: parts, kit: kit, own: own, moved: parametricUnits, plan: mix.plan, rate: rate,
      output: output)
    return try Playback(score, sound, on: ports, options: options, sync: sync)
  }

  /// The units whose parameters tracks can change; if two have the same name, the first.
  private var parametricUnits: [any ParametricUnit] {
    var names = Set(own.map(\.name))
    return graph.nodes.compactMap { node in
      guard let unit = graph.unit(at: node) as? any ParametricUnit,
        names.insert(unit.name).inserted
      else { return nil }
      return unit
    }
  }
}

extension Level {
  /// The maximum of two levels, for a channel that is played in two places.
  fileprivate func louder(_ other: Level) -> Level {
    var level = self
    level.peak = max(peak, other.peak)
    level.meanSquare = max(meanSquare, other.meanSquare)
    level.maximum = max(maximum, other.maximum)
    return level
  }
}

extension ClipKit {
  /// Creates a kit with a new board; nil without pads.
  convenience init?(_ pads: [Pad], rate: SampleRate) {
    guard !pads.isEmpty else { return nil }
    self.init(pads, on: SoundBoard(rate: rate))
  }
}
