// SPDX-License-Identifier: Apache-2.0
public import AudioProcessing
public import ClipPlayback
public import ClockService
public import MIDIMessages
public import MusicSequences
internal import MusicalTime
internal import SequencePlayback
public import SoundFontInstruments

/// One sequence wired to its instruments: player, clock, synthesiser, mixer.
///
/// Where the settings name no soundfont there is no synthesiser, and the first instrument of the
/// program's own plays what the tracks give to no other. It is used once. A song is rendered to samples by `SongRenderer`.
///
/// - Note: One thread at a time.
public final class Session {
  let rate: SampleRate
  let instrument: InstrumentUnit?
  /// All synthesisers: of each port, and of the tracks that are heard apart; the first is `instrument`.
  let parts: [TrackPart]
  /// The kit of clips, where there is one.
  let kit: ClipKit?
  /// The program's own instruments, which tracks name in their settings.
  let own: [any PlayableUnit]
  let score: PlayerScore
  let mix: SessionMix
  private var effects = EffectChains()

  /// The programs that the sequence plays and no soundfont has, each once.
  public let missingPresets: [MissingPreset]
  /// The effects that the sequence asks for and Downbeat's own voices do not have, each once.
  public let missingEffects: [RequestedEffect]

  /// Loads the soundfont's presets that the sequence uses and wires everything.
  ///
  /// - Parameters:
  ///   - sequence: what to play.
  ///   - settings: what to make the sound with.
  ///   - pads: clips that notes start in place of the synthesiser, at the settings' rate.
  ///   - instruments: the program's own, each with a strip of the mixer; they play the tracks whose
  ///     `settings.destination` is their name.
  ///   - apart: tracks, counted from 0, that are heard on channels of their own: the first set's on
  ///     channels 3 and 4 of what is played, the second's on 5 and 6, and so on, at most 31. Each set
  ///     has a synthesiser of its own with its reverb and chorus, and no effects of the settings; a
  ///     track in two sets is heard on both.
  ///   - registry: who makes the units of the settings' effects and buses.
  /// - Throws: where the soundfont cannot be used, a bus hears what is not there, or the sequence's time does not fit 64 bits.
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

  /// How loud each MIDI channel of each port is, before the effects and the limiter: sixteen for the
  /// first port, then sixteen for the next; empty where the channels have no strips of their own.
  ///
  /// - Note: any thread.
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

  /// How loud a channel of a synthesiser is: its strips follow those of the ones before it in its mixer.
  private func level(of channel: Int, ofPart place: Int) -> (left: Level, right: Level) {
    let pair = parts[place].share.pair
    let before = parts[..<place].filter { $0.share.pair == pair }.count
    let mixer = pair == 0 ? mix.mixer : mix.apart[pair - 1]
    return mixer.level(of: before * mix.busCount + channel)
  }

  /// Notes that were silent because no voice was free.
  ///
  /// - Note: any thread.
  public var refusedNoteCount: Int { synthesisers.reduce(0) { $0 + $1.refusedNoteCount } }

  /// Voices that were let go since there was no time for them: of too many, first those whose key is
  /// up, the oldest first.
  ///
  /// - Note: any thread.
  public var shedVoiceCount: Int { synthesisers.reduce(0) { $0 + $1.shedVoiceCount } }

  /// The voices that sound.
  ///
  /// - Note: any thread.
  public var voiceCount: Int { synthesisers.reduce(0) { $0 + $1.activeVoiceCount } }

  private var synthesisers: [InstrumentUnit] { parts.map(\.instrument) }

  /// The channels of what it plays: left and right, and a pair for each set of tracks that is heard
  /// apart; the output must have as many.
  public var channelCount: Int { mix.plan.output.channelCount }

  /// A linear factor on the whole, before the limiter, 0…16; 1 is what the settings say.
  public var volume: Float {
    get { mix.mixer.sum.gain }
    set {
      for mixer in [mix.mixer] + mix.apart { mixer.sum.gain = min(max(newValue, 0), 16) }
    }
  }

  /// How long its rendering has taken so far; what is asked for the first time is measured from
  /// then on.
  public var renderLoad: RenderLoad { mix.load(rate) }

  /// What each unit of the graph has done: by name, such as that of a plug-in that gives what is no
  /// number.
  ///
  /// - Complexity: O(n) in the number of units.
  public var unitReports: [UnitReport] { mix.plan.reports }

  /// How loud the whole is, before effects of its own and the limiter.
  ///
  /// - Note: any thread.
  public var level: (left: Level, right: Level) { mix.mixer.sumLevel }

  /// What the sound is pulled through; `edit` changes it.
  public var graph: AudioGraph { mix.plan.graph }

  /// The mixer on which everything meets: a strip for each bus of the synthesiser, one for the
  /// clips where there are any, one for each instrument of the program's own, and one for each bus, in
  /// that order.
  public var mixer: MixerUnit { mix.mixer }

  /// The mixer's strip of an instrument of the program's own; nil where it is not the session's.
  public func strip(of instrument: any PlayableUnit) -> Int? {
    own.firstIndex { $0 === instrument }.map { mix.firstOwnStrip + $0 }
  }

  /// Changes the graph, while it sounds too: what is changed goes over in 5 ms.
  ///
  /// Parameters of units that are in it when `play` is called can be moved by tracks, whose
  /// `settings.destination` is the unit's name.
  ///
  /// - Returns: What the closure returned.
  /// - Throws: `GraphError`, what the closure throws too; then nothing is changed.
  @discardableResult
  public func edit<Result>(
    _ change: (inout AudioGraph) throws(GraphError) -> Result
  ) throws(GraphError) -> Result {
    try mix.plan.edit(change)
  }

  /// Puts an effect of the program's own behind an instrument of its own, or with nil behind the
  /// sum of all, before the limiter; it comes after those that were added there before.
  ///
  /// - Throws: `GraphError` where the effect does not fit there.
  public func addEffect(
    _ effect: any ProcessingUnit, behind instrument: (any PlayableUnit)? = nil
  ) throws(GraphError) {
    var chains = effects
    try edit { graph throws(GraphError) in
      try chains.add(effect, behind: instrument ?? mix.mixer, to: &graph)
    }
    effects = chains
  }

  /// Mixes in what a unit makes, such as an `InputUnit` a microphone's sound: behind the sum of all and
  /// the effects of the program's own that were put there before, in front of those of the settings and
  /// the limiter.
  ///
  /// - Parameters:
  ///   - unit: the unit, whose first bus is mono or stereo.
  ///   - gain: a linear factor, 0…16.
  /// - Throws: `GraphError` where the unit does not fit there.
  public func addInput(_ unit: any ProcessingUnit, gain: Float = 1) throws(GraphError) {
    var chains = effects
    try edit { graph throws(GraphError) in
      try chains.mix(unit, gain: gain, behind: mix.mixer, to: &graph, rate: rate)
    }
    effects = chains
  }

  /// Plays the sequence on an output, and on ports in line with it; it may follow and lead clocks.
  ///
  /// - Throws: where the output cannot be started, a port is gone, or a unit does not take the state
  ///   that a track has for it.
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

  /// The units whose parameters tracks can move; of two of one name the first.
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
  /// The higher of each, where something sounds in two places.
  fileprivate func louder(_ other: Level) -> Level {
    var level = self
    level.peak = max(peak, other.peak)
    level.meanSquare = max(meanSquare, other.meanSquare)
    level.maximum = max(maximum, other.maximum)
    return level
  }
}

extension ClipKit {
  /// A kit with a board of its own, or nil where it would be without pads.
  convenience init?(_ pads: [Pad], rate: SampleRate) {
    guard !pads.isEmpty else { return nil }
    self.init(pads, on: SoundBoard(rate: rate))
  }
}
