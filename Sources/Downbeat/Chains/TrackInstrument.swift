// SPDX-License-Identifier: Apache-2.0
public import AudioProcessing
public import MIDIMessages
public import MusicSequences
public import MusicalTime
internal import SequencePlayback
public import SoundFontInstruments

/// An instrument with effects of its own behind it, as one instrument of a session.
///
/// ```swift
/// let second = try TrackInstrument("strings", playing: [1], of: song, settings, effects: hall)
/// song.tracks[1].settings.destination = second.name
/// let renderer = try SongRenderer(song, settings: settings, instruments: [second])
/// ```
///
/// - Note: Control side; `send` and `cancel` are for one thread (the event thread). The sound is made on
///   the render thread.
public final class TrackInstrument: PlayableUnit {
  /// What tracks call it.
  public let name: String
  /// The programs that its tracks play and no soundfont has, each once.
  public let missingPresets: [MissingPreset]
  /// The effects that its tracks ask for and Downbeat's own voices do not have, each once.
  public let missingEffects: [RequestedEffect]
  private let instrument: any PlayableUnit
  private let inside: SubgraphUnit

  /// Puts effects behind an instrument.
  ///
  /// - Parameters:
  ///   - name: what tracks call it.
  ///   - instrument: what plays; its first bus is heard, which is stereo.
  ///   - effects: what it goes through, with one inlet; nil for nothing.
  ///   - registry: who makes the effects.
  ///   - rate: frames a second.
  /// - Throws: `GraphError` where they do not fit.
  public convenience init(
    _ name: String, _ instrument: any PlayableUnit, effects: SavedGraph? = nil,
    registry: UnitRegistry = .standard, rate: SampleRate
  ) throws {
    try self.init(
      name, instrument, buses: [0], effects, registry, rate: rate)
  }

  /// Makes a synthesiser for some tracks of a song, with the presets that they ask for.
  ///
  /// It has its own reverb and chorus, as far as the settings let them sound.
  ///
  /// - Parameters:
  ///   - name: what tracks call it.
  ///   - tracks: their indices.
  ///   - sequence: the song.
  ///   - settings: the soundfonts and what they are played with.
  ///   - effects: what it goes through, with one inlet; nil for nothing.
  ///   - registry: who makes the effects.
  /// - Throws: where the soundfont cannot be used; `GraphError` where the effects do not fit.
  public convenience init(
    _ name: String, playing tracks: Set<Int>, of sequence: MusicSequence,
    _ settings: SessionSettings, effects: SavedGraph? = nil, registry: UnitRegistry = .standard
  ) throws {
    var settings = settings
    settings.hasChannelStrips = false
    var events = try PlayerScore(sequence).everything()
    events.filter { tracks.contains(Int($0.track)) }
    let (instrument, missing) = try InstrumentUnit.load(
      settings.fonts(for: settings.readsAllPresets ? nil : events), settings, for: events,
      readsAllPresets: settings.readsAllPresets)
    try self.init(
      name, instrument, buses: settings.instrumentBuses, effects, registry, rate: settings.rate,
      missingPresets: missing, missingEffects: instrument.missingEffects)
  }

  private init(
    _ name: String, _ instrument: any PlayableUnit, buses: [Int], _ effects: SavedGraph?,
    _ registry: UnitRegistry, rate: SampleRate, missingPresets: [MissingPreset] = [],
    missingEffects: [RequestedEffect] = []
  ) throws {
    self.name = name
    self.instrument = instrument
    self.missingPresets = missingPresets
    self.missingEffects = missingEffects
    var graph = AudioGraph()
    let source = graph.add(instrument)
    let sum = graph.add(
      MixerUnit(
        name: name, channelCounts: buses.map { instrument.outputChannelCounts[$0] }, rate: rate))
    for (strip, bus) in buses.enumerated() {
      try graph.connect(source, output: bus, to: sum, input: strip)
    }
    try graph.setHead(sum)
    if let effects { try graph.insert(effects, behind: sum, by: registry, rate: rate) }
    inside = try SubgraphUnit(name: name, graph)
  }

  /// None.
  public var inputChannelCounts: [Int] { [] }
  /// One stereo bus.
  public var outputChannelCounts: [Int] { inside.outputChannelCounts }
  /// What is inside of it: the instrument, the sum of its buses, and the effects.
  public var graph: AudioGraph { inside.plan.graph }
  /// Frames a second.
  public var rate: SampleRate? { instrument.rate }
  /// The frames by which what is inside is behind.
  public var latency: Int { inside.latency }
  /// The frames for which the effects sound on.
  public var tail: Int { inside.tail }
  /// The kernel.
  public var step: RenderStep { inside.step }
  /// Whether no event waits and the instrument is silent; the effects may sound on for the tail.
  public var isSilent: Bool { instrument.isSilent }

  /// Hands events to the instrument, and says how many it had room for.
  ///
  /// - Throws: nothing an instrument does.
  public func send(_ events: Span<TimedEvent>, payloads: Span<UInt8>) throws -> Int {
    try instrument.send(events, payloads: payloads)
  }

  /// Takes back what is due at or after an instant.
  public func cancel(from time: ReferenceTime) { instrument.cancel(from: time) }
}
