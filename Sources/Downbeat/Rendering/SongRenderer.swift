// SPDX-License-Identifier: Apache-2.0
public import AudioProcessing
public import ClipPlayback
public import MusicSequences
public import MusicalTime
internal import Realtime
internal import SequencePlayback
public import SoundFontInstruments

/// A sequence rendered to samples, as fast as it goes.
///
/// The channels are shared out among several instruments, by what the song asks for and not by what
/// the machine has; the instruments are shared out among threads. The synthesisers are fresh ones,
/// so the same song gives the same samples every time, whatever the load and the number of cores.
///
/// - Note: Used once. One thread at a time. Not real-time safe.
public final class SongRenderer {
  /// The channels of the mix: left and right.
  public static let channelCount = 2

  /// The programs that the sequence plays and no soundfont has, each once.
  public let missingPresets: [MissingPreset]
  /// The effects that the sequence asks for and Downbeat's own voices do not have, each once.
  public let missingEffects: [RequestedEffect]
  /// How the sound ends after the last event; it rings out by default.
  public var tail = RenderTail.auto
  /// The frame at which the song is ended: what still sounds is released there, and the tail
  /// follows; none by default.
  public var endFrame = SampleTime.max {
    didSet { ensemble.endFrame = endFrame.frames }
  }
  /// The share of its play rate by which the music gets faster each time round its loop; 0 by
  /// default.
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
  /// It is kept because a plug-in may crash or hang when it is freed,
  /// and the file must be complete by then.
  private var plan: RenderPlan?
  private var effects: [(unit: any ProcessingUnit, behind: Int?)] = []

  /// Loads the soundfont's presets that the sequence uses.
  ///
  /// - Parameters:
  ///   - sequence: the sequence.
  ///   - settings: what the sound is made with.
  ///   - options: where it begins, how fast it runs, what is repeated, and what becomes of its
  ///     messages.
  ///   - pads: clips that notes start in place of the synthesiser, at the settings' rate.
  ///   - instruments: the program's own, fresh ones; they play the tracks whose
  ///     `settings.destination` is their name. Where the settings name no soundfont, the first
  ///     plays all others too.
  ///   - registry: who makes the units of the settings' effects and buses.
  ///   - threadCount: how many threads do the work; nil for one a processor.
  /// - Throws: where the soundfont cannot be used, or the sequence's time does not fit 64 bits.
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
  /// The units live until the next rendering, or until the renderer is freed.
  ///
  /// - Parameters:
  ///   - limit: the frame at which to stop, whatever still sounds.
  ///   - limiting: whether what would rise above −1 dB of full scale, between the samples too, is
  ///     turned down; without it samples may exceed full scale.
  ///   - take: takes interleaved samples of two channels and how much is done, 0…1; returns
  ///     whether to go on.
  /// - Returns: what the renderer had to put right.
  /// - Throws: what `take` throws; where a unit does not take the state that a track has for it.
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
      // What the limiter holds back still comes; whoever has had enough is not given it.
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

  /// Where the song ends, the tail left out.
  ///
  /// - Throws: `TimeError` where they do not fit 64 bits.
  public func length() throws -> SampleTime {
    SampleTime(frames: try end(frameLimit: .max).length)
  }

  private func end(frameLimit: Int64) throws -> RenderEnd {
    try RenderEnd(
      tail, of: score, options, acceleration: acceleration, rate: settings.rate,
      endFrame: endFrame.frames, frameLimit: frameLimit)
  }

  /// The graph that the sound is pulled through.
  ///
  /// - Throws: `GraphError` where the instruments do not go together.
  public func graph() throws -> AudioGraph {
    try mix(limits: true).plan.graph
  }

  private func mix(limits: Bool) throws -> SessionMix {
    let effects = effects.map { ($0.unit, behind: $0.behind.map { ensemble.own[$0] }) }
    return try SessionMix(
      ensemble.parts, clips: ensemble.clips, own: ensemble.own, settings, effects: effects,
      by: registry, limits: limits)
  }

  /// Puts an effect of the program's own behind an instrument of its own, or with nil behind the
  /// sum of all, before the limiter; it comes after those that were added there before.
  ///
  /// Tracks whose `settings.destination` is its name move its parameters.
  ///
  /// - Throws: `GraphError.noSuchNode` where the instrument is not the renderer's. Where the effect
  ///   does not fit, `render` says so.
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

  /// Where the markers and cue points of the sequence lie in the samples, in order of time.
  ///
  /// There are at most a thousand of each; none lies before the place where the sequence begins,
  /// and where a part is repeated there are none.
  ///
  /// - Throws: `TimeError` where a place does not fit 64 bits.
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

  /// Where the part that the sequence asks to be looped lies in the samples.
  ///
  /// It is nil where the sequence asks for none, where a part is repeated, and where the rendering
  /// begins after the start of the loop.
  ///
  /// - Throws: `TimeError` where a place does not fit 64 bits.
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
