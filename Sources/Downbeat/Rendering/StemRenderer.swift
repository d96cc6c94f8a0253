// SPDX-License-Identifier: Apache-2.0
public import AudioProcessing
public import ClipPlayback
public import MusicSequences
public import MusicalTime
internal import Realtime
internal import SequencePlayback
public import SoundFontInstruments

/// Renders a sequence to stems, which are separate parts of the mix: the dry sound of each channel
/// or track, the shared effects, custom instruments and buses.
///
/// The effects of the settings are applied to each stem separately, and stems are not limited. If
/// all effects of the settings are linear, such as reverb and equaliser, the stems add up to the
/// mix before its limiter, apart from rounding.
///
/// - Note: Use it for one rendering. One thread at a time. Not real-time safe.
public final class StemRenderer {
  /// The stems: channels or tracks in order, followed by clips, custom instruments, buses and
  /// effects.
  public let stems: [Stem]
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

  /// Loads the presets that the sequence uses.
  ///
  /// - Parameters:
  ///   - sequence: The sequence.
  ///   - choice: The division into stems.
  ///   - settings: The soundfonts, and the settings of the synthesiser and effects.
  ///   - options: The start, the speed, the loop and the transform of messages.
  ///   - pads: Clips (recorded sounds) that notes start in place of the synthesiser, at the rate of
  ///     the settings.
  ///   - instruments: Custom instruments, not used before, as for a `SongRenderer`; each one is a
  ///     stem.
  ///   - registry: The registry that creates the units of effects and buses.
  ///   - threadCount: The number of threads; nil, the default, for one thread per processor.
  /// - Throws: `InstrumentError` if a soundfont cannot be used; `SequenceError` if the time of the
  ///   sequence does not fit 64 bits.
  public init(
    _ sequence: MusicSequence, by choice: StemChoice, settings: SessionSettings,
    options: PlaybackOptions = PlaybackOptions(), pads: [ClipKit.Pad] = [],
    instruments: [any PlayableUnit] = [], registry: UnitRegistry = .standard,
    threadCount: Int? = nil
  ) throws {
    self.options = options
    self.registry = registry
    own = instruments
    var settings = settings
    settings.hasChannelStrips = true
    self.settings = settings
    score = try PlayerScore(sequence)
    let everything = try score.everything(for: instruments)
    let loads = NoteLoads(everything)
    let hasSynthesiser = settings.hasFonts || instruments.isEmpty
    let parts =
      !hasSynthesiser
      ? [] : choice == .channel ? EnsemblePart.byChannel(loads) : EnsemblePart.byTrack(loads)
    ensemble = try Ensemble(
      score, events: everything, parts: parts, settings: settings, options: options,
      kit: ClipKit(pads, rate: settings.rate), own: instruments,
      threadCount: threadCount ?? WorkerTeam.processorCount)
    missingPresets = ensemble.missingPresets
    missingEffects = ensemble.missingEffects
    stems = Stem.stems(
      choice, parts, loads, settings, hasClips: ensemble.clips != nil,
      own: instruments.map(\.name))
  }

  /// Renders all stems of the sequence to its end.
  ///
  /// The units are kept until the next rendering, or until the renderer is released.
  ///
  /// - Parameters:
  ///   - limit: The frame at which rendering stops at the latest.
  ///   - take: Receives the index of a stem, interleaved samples of two channels, and the progress,
  ///     0…1; returns false to stop.
  /// - Returns: The number of frames and the faulty samples; stems are not limited.
  /// - Throws: The errors of `take`; `GraphError` if effects or buses cannot be connected.
  @discardableResult
  public func render(
    upTo limit: SampleTime = .max, _ take: (Int, Span<Float>, Double) throws -> Bool
  ) throws -> RenderReport {
    try score.sequence.restoreStates(of: own)
    guard !stems.isEmpty else {
      return RenderReport(
        frameCount: 0, faultySampleCount: 0, limitedFrameCount: 0, lowestGain: 1)
    }
    let plan = try graph().compile()
    self.plan = plan
    let renderer = OfflineRenderer(plan: plan, rate: settings.rate, clamps: false)
    var end = try self.end(frameLimit: limit.frames)
    let length = Double(max(end.expectedFrames, 1))
    let tail = plan.tail
    var stem: [Float] = []
    var goesOn = true
    var quiet = QuietEnd(from: end.quietStart, channelCount: renderer.format.channelCount)
    try renderer.render(upTo: SampleTime(frames: end.frameLimit), ringsOut: false) { _ in
      try ensemble.prepareQuantum(at: renderer.rendered.frames)
      return goesOn
        && !end.isReached(
          by: ensemble, at: renderer.rendered.frames, tail: tail, quietFrames: quiet.heldFrameCount)
    } take: { samples in
      let done = min(Double(renderer.position.frames) / length, 1)
      goesOn = try quiet.pass(samples, upTo: renderer.position.frames) { samples in
        try stems.indices.allSatisfy { index in
          Self.pick(index, of: stems.count, from: samples, into: &stem)
          return try take(index, stem.span, done)
        }
      }
    }
    return RenderReport(
      frameCount: renderer.position.frames - Int64(quiet.heldFrameCount),
      faultySampleCount: renderer.faultySampleCount,
      faultyUnits: plan.reports.filter { $0.faultySampleCount > 0 }.map(\.name),
      limitedFrameCount: 0, lowestGain: 1)
  }

  /// Copies the left and right samples of one stem.
  private static func pick(
    _ index: Int, of count: Int, from samples: Span<Float>, into stem: inout [Float]
  ) {
    let frameCount = samples.count / (2 * count)
    if stem.count != 2 * frameCount { stem = Array(repeating: 0, count: 2 * frameCount) }
    var picked = stem.mutableSpan
    for frame in 0..<frameCount {
      let first = 2 * (frame * count + index)
      picked[2 * frame] = samples[first]
      picked[2 * frame + 1] = samples[first + 1]
    }
  }

  /// Returns the graph that renders the sound.
  ///
  /// The graph has a mixer and effects for each stem. All stems are rendered by one node of the
  /// graph, so that they have the same latency.
  ///
  /// - Throws: `GraphError` if the units cannot be connected, for example because their sample
  ///   rates or channel counts differ.
  public func graph() throws -> AudioGraph {
    var graph = AudioGraph()
    let nodes = ensemble.sources.map { graph.add($0) }
    let head = graph.add(
      MergerUnit(name: "stems", channelCounts: stems.map { _ in SongRenderer.channelCount }))
    for (place, stem) in stems.enumerated() {
      let sum: AudioGraph.Node
      let bus = settings.buses.first { stem.source == .bus($0.name) }
      if let bus {
        sum = graph.add(mixer("to \(bus.name)", [SongRenderer.channelCount]))
        try graph.add(
          bus, of: ensemble.own, to: sum, input: 0, by: registry, rate: settings.rate)
      } else {
        let counts = stem.buses.map { ensemble.sources[$0.part].outputChannelCounts[$0.output] }
        sum = graph.add(mixer("stem \(place + 1)", counts))
        for (strip, bus) in stem.buses.enumerated() {
          try graph.connect(nodes[bus.part], output: bus.output, to: sum, input: strip)
        }
      }
      try graph.connect(sum, to: head, input: place)
      if let effects = settings.effects {
        try graph.insert(effects, behind: sum, by: registry, rate: settings.rate)
      }
    }
    try graph.setHead(head)
    return graph
  }

  private func mixer(_ name: String, _ channelCounts: [Int]) -> MixerUnit {
    MixerUnit(name: name, channelCounts: channelCounts, trim: settings.gain, rate: settings.rate)
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
}
