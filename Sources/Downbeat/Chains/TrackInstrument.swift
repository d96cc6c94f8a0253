// SPDX-License-Identifier: Apache-2.0
public import AudioProcessing
public import MIDIMessages
public import MusicSequences
public import MusicalTime
internal import SequencePlayback
public import SoundFontInstruments

/// An instrument and the effects after it, which a session uses as one instrument.
///
/// ```swift
/// let second = try TrackInstrument("strings", playing: [1], of: song, settings, effects: hall)
/// song.tracks[1].settings.destination = second.name
/// let renderer = try SongRenderer(song, settings: settings, instruments: [second])
/// ```
///
/// - Note: Use the instrument on one thread at a time, but call `send` and `cancel` on the event
///   thread only. The sound is rendered on the render thread.
public final class TrackInstrument: PlayableUnit {
  /// The name by which tracks select the instrument.
  public let name: String
  /// The presets that the instrument's tracks select but the soundfonts do not have, without
  /// duplicates.
  public let missingPresets: [MissingPreset]
  /// The effects that the instrument's tracks request but Downbeat's own voices do not have,
  /// without duplicates.
  public let missingEffects: [RequestedEffect]
  private let instrument: any PlayableUnit
  private let inside: SubgraphUnit

  /// Creates an instrument from any instrument and effects after it.
  ///
  /// - Parameters:
  ///   - name: The name by which tracks select the new instrument.
  ///   - instrument: The instrument; only its first bus is used, which must be stereo.
  ///   - effects: The effects, with one inlet; nil for none.
  ///   - registry: The registry that creates the effects.
  ///   - rate: The sample rate.
  /// - Throws: `GraphError` if the effects cannot be created or connected.
  public convenience init(
    _ name: String, _ instrument: any PlayableUnit, effects: SavedGraph? = nil,
    registry: UnitRegistry = .standard, rate: SampleRate
  ) throws {
    try self.init(
      name, instrument, buses: [0], effects, registry, rate: rate)
  }

  /// Creates a synthesiser for some tracks of a song, with the presets that they select.
  ///
  /// The synthesiser has a separate reverb and chorus, if the settings turn them on.
  ///
  /// - Parameters:
  ///   - name: The name by which tracks select the synthesiser.
  ///   - tracks: The indices of the tracks, from 0.
  ///   - sequence: The song.
  ///   - settings: The soundfonts and the settings of the synthesiser.
  ///   - effects: The effects after the synthesiser, with one inlet; nil for none.
  ///   - registry: The registry that creates the effects.
  /// - Throws: `InstrumentError` if a soundfont cannot be used; `GraphError` if the effects cannot
  ///   be created or connected.
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

  /// Always empty, because an instrument does not have audio inputs.
  public var inputChannelCounts: [Int] { [] }
  /// The channel count of each output: `[2]`, for one stereo bus.
  public var outputChannelCounts: [Int] { inside.outputChannelCounts }
  /// The inner graph: the instrument, the sum of its buses, and the effects.
  public var graph: AudioGraph { inside.plan.graph }
  /// The sample rate of the instrument; nil if the instrument works at any rate.
  public var rate: SampleRate? { instrument.rate }
  /// The latency of the instrument and its effects, in frames.
  public var latency: Int { inside.latency }
  /// The number of frames for which the effects can continue to sound after the instrument is
  /// silent.
  public var tail: Int { inside.tail }
  /// The kernel of the inner graph, with the function that renders one quantum.
  public var step: RenderStep { inside.step }
  /// True if no event is waiting and the instrument is silent, even if the effects after it can
  /// still sound.
  public var isSilent: Bool { instrument.isSilent }

  /// Sends events to the instrument, and returns the number of events that were accepted, counted
  /// from the first.
  ///
  /// - Throws: The error of the instrument.
  public func send(_ events: Span<TimedEvent>, payloads: Span<UInt8>) throws -> Int {
    try instrument.send(events, payloads: payloads)
  }

  /// Cancels the events that are due at or after a time.
  public func cancel(from time: ReferenceTime) { instrument.cancel(from: time) }
}
