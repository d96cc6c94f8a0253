// SPDX-License-Identifier: Apache-2.0
public import AudioProcessing
public import ClipPlayback
public import MusicSequences
public import MusicalTime
internal import Realtime
internal import SequencePlayback
public import SoundFontInstruments

/// Renders a sequence to samples, as fast as possible.
///
/// The same song gives the same samples every time, with any load and number of cores: channels are
/// divided among several synthesisers depending on the song only, and the synthesisers are divided
/// among threads.
///
/// - Note: Use it for one rendering. One thread at a time. Not real-time safe.
public final class SongRenderer {
  /// The number of channels of the mix: left and right.
  public static let channelCount = 2

  /// The presets that the sequence selects but the soundfonts do not have, without duplicates.
  public let missingPresets: [MissingPreset]
  /// The effects that the sequence requests but Downbeat's own voices do not have, without
  /// duplicates.
  public let missingEffects: [RequestedEffect]
  /// The end of the rendering after the last note; `.auto` by default.
  public var tail = RenderTail.auto
  /// The frame at which the song is ended: sounding notes are released at this frame, and the tail
  /// follows.
  ///
  /// By default the song is not ended early.
  public var endFrame = SampleTime.max {
    didSet { ensemble.endFrame = endFrame.frames }
  }
  /// The amount by which the play rate increases with each pass of the loop, as a fraction of the
  /// initial rate: 1/10 is 10 %.
  ///
  /// Default 0.
  public var acceleration: Ratio = 0 {
    didSet { ensemble.acceleration = acceleration }
  }

  private let options: PlaybackOptions
  private let score: PlayerScore
  private let settings: SessionSettings
  private let ensemble: Ensemble
  private let own: [any PlayableUnit]
  private let registry: UnitRegistry
  /// The plan of the last rendering.
  ///
  /// It is kept because a plug-in may crash or hang when it is freed, and the file must be complete
  /// by then.
  private var plan: RenderPlan?
  private var effects: [(unit: any ProcessingUnit, behind: Int?)] = []

  /// Loads the presets that the sequence uses.
  ///
  /// - Parameters:
  ///   - sequence: The sequence.
  ///   - settings: The soundfonts, and the settings of the synthesiser and effects.
  ///   - options: The start, the speed, the loop and the transform of messages.
  ///   - pads: Clips (recorded sounds) that notes start in place of the synthesiser, at the rate of
  ///     the settings.
  ///   - instruments: Custom instruments, not used before; each plays the tracks whose
  ///     `settings.destination` is its name. If the settings do not name a soundfont, the first one
  ///     plays the other tracks, too.
  ///   - registry: The registry that creates the units of effects and buses.
  ///   - threadCount: The number of threads; nil, the default, for one thread per processor.
  /// - Throws: `InstrumentError` if a soundfont cannot be used; `SequenceError` if the time of the
  ///   sequence does not fit 64 bits.
  public init(
    _ sequence: MusicSequence, settings: SessionSettings,
    options: PlaybackOptions = PlaybackOptions(), pads: [ClipKit.Pad] = [],
    instruments: [any PlayableUnit] = [], registry: UnitRegistry = .standard,
    threadCount: Int? = nil
  ) throws {
    self.settings = settings
    self.registry = registry
    self.options = options
    own = instruments
    score = try PlayerScore(sequence)
    let everything = try score.everything(for: instruments)
    let hasSynthesiser = settings.hasFonts || instruments.isEmpty
    let parts = hasSynthesiser ? EnsemblePart.byChannel(NoteLoads(everything)) : []
    ensemble = try Ensemble(
      score, events: everything, parts: parts, settings: settings, options: options,
      kit: ClipKit(pads, rate: settings.rate), own: own,
      threadCount: threadCount ?? WorkerTeam.processorCount)
    missingPresets = ensemble.missingPresets
    missingEffects = ensemble.missingEffects
  }

  /// Renders the sequence to its end.
  ///
  /// The units are kept until the next rendering, or until the renderer is released.
  ///
  /// - Parameters:
  ///   - limit: The frame at which rendering stops at the latest.
  ///   - limiting: True to limit peaks, including peaks between samples, to −1 dBFS; false if
  ///     samples may exceed full scale.
  ///   - take: Receives interleaved samples of two channels and the progress, 0…1; returns false to
  ///     stop.
  /// - Returns: The number of frames, the faulty samples and the work of the limiter.
  /// - Throws: The errors of `take`; `PlaybackError.noState`, or the unit's error, if a unit does
  ///   not accept its saved state.
  @discardableResult
  public func render(
    upTo limit: SampleTime = .max, limiting: Bool = true,
    _ take: (Span<Float>, Double) throws -> Bool
  ) throws -> RenderReport {
    try score.sequence.restoreStates(of: own + effects.map(\.unit))
    let mix = try mix(limits: limiting)
    plan = mix.plan
    let renderer = OfflineRenderer(plan: mix.plan, rate: settings.rate, clamps: limiting)
    var end = try self.end(frameLimit: limit.frames)
    let length = Double(max(end.expectedFrames, 1))
    var goesOn = true
    let tail = mix.plan.tail
    var quiet = QuietEnd(from: end.quietStart, channelCount: renderer.format.channelCount)
    try renderer.render(upTo: SampleTime(frames: end.frameLimit), ringsOut: false) { _ in
      try ensemble.prepareQuantum(at: renderer.rendered.frames)
      return goesOn
        && !end.isReached(
          by: ensemble, at: renderer.rendered.frames, tail: tail, quietFrames: quiet.heldFrameCount)
    } take: { samples in
      // The samples that the limiter still holds are not passed on after `take` has stopped.
      guard goesOn else { return }
      let done = min(Double(renderer.position.frames) / length, 1)
      goesOn = try quiet.pass(samples, upTo: renderer.position.frames) { try take($0, done) }
    }
    return RenderReport(
      frameCount: renderer.position.frames - Int64(quiet.heldFrameCount),
      faultySampleCount: renderer.faultySampleCount,
      faultyUnits: mix.plan.reports.filter { $0.faultySampleCount > 0 }.map(\.name),
      limitedFrameCount: mix.limiter?.limitedFrameCount ?? 0,
      lowestGain: mix.limiter?.lowestGain ?? 1)
  }

  /// Returns the length of the song in frames, without the tail.
  ///
  /// - Throws: `TimeError` if the length does not fit 64 bits.
  public func length() throws -> SampleTime {
    SampleTime(frames: try end(frameLimit: .max).length)
  }

  private func end(frameLimit: Int64) throws -> RenderEnd {
    try RenderEnd(
      tail, of: score, options, acceleration: acceleration, rate: settings.rate,
      endFrame: endFrame.frames, frameLimit: frameLimit)
  }

  /// Returns the graph that renders the sound.
  ///
  /// - Throws: `GraphError` if the units cannot be connected, for example because their sample
  ///   rates or channel counts differ.
  public func graph() throws -> AudioGraph {
    try mix(limits: true).plan.graph
  }

  private func mix(limits: Bool) throws -> SessionMix {
    let effects = effects.map { ($0.unit, behind: $0.behind.map { ensemble.own[$0] }) }
    return try SessionMix(
      ensemble.parts, clips: ensemble.clips, own: ensemble.own, settings, effects: effects,
      by: registry, limits: limits)
  }

  /// Adds an effect after an instrument, or, if the instrument is nil, to the mix before the
  /// limiter.
  ///
  /// The effect follows effects that were added earlier at the same position. Tracks whose
  /// `settings.destination` is the effect's name change its parameters.
  ///
  /// - Throws: `GraphError.noSuchNode` if the instrument does not belong to the renderer. An effect
  ///   that cannot be connected makes `render` throw.
  public func addEffect(
    _ effect: any ProcessingUnit, behind instrument: (any PlayableUnit)? = nil
  ) throws(GraphError) {
    var place: Int?
    if let instrument {
      place = own.firstIndex { $0 === instrument }
      guard place != nil else { throw .noSuchNode }
    }
    effects.append((effect, place))
    guard let unit = effect as? any ParametricUnit else { return }
    ensemble.addDestination(unit.parameters, named: unit.name)
  }

  /// Returns the positions of markers and cue points in the rendered samples, ascending.
  ///
  /// At most 1000 markers and 1000 cue points are returned. Markers before the start of the
  /// rendering are left out; if a loop is played, all are left out.
  ///
  /// - Throws: `TimeError` if a position does not fit 64 bits.
  /// - Complexity: O(n) in the number of events.
  public func markers() throws -> [(text: MetaText, position: SampleTime)] {
    guard options.loop == nil else { return [] }
    let place = try SongPlace(score.tempoMap, options, rate: settings.rate)
    let features = SequenceFeatures([score.sequence])
    let marks = (features.markers + features.cuePoints).enumerated()
      .filter { $0.element.tick >= options.start }
      .sorted { ($0.element.tick, $0.offset) < ($1.element.tick, $1.offset) }
    return try marks.map { mark in
      let frame = try place.frame(at: mark.element.tick, rounding: .nearest)
      return (mark.element.text, SampleTime(frames: frame))
    }
  }

  /// Returns the range of the rendered samples that the sequence marks as a loop.
  ///
  /// Nil if the sequence does not mark a loop, if a loop is played, or if the rendering begins
  /// after the start of the loop.
  ///
  /// - Throws: `TimeError` if a position does not fit 64 bits.
  /// - Complexity: O(n) in the number of events.
  public func loop() throws -> Range<SampleTime>? {
    guard options.loop == nil, let loop = FileLoop(score.sequence),
      loop.range.lowerBound >= options.start
    else { return nil }
    let place = try SongPlace(score.tempoMap, options, rate: settings.rate)
    let start = try place.frame(at: loop.range.lowerBound, rounding: .nearest)
    let end = try place.frame(at: loop.range.upperBound, rounding: .nearest)
    return SampleTime(frames: start)..<SampleTime(frames: end)
  }
}
