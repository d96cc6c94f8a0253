// SPDX-License-Identifier: Apache-2.0
public import AudioProcessing
public import ClipPlayback
public import MusicSequences
public import MusicalTime
internal import Realtime
internal import SequencePlayback
public import SoundFontInstruments

/// A sequence rendered into stems: the dry sound of each channel or track, the effects of all, and what
/// instruments of the program's own and buses make.
///
/// Each stem goes through the effects of the settings by itself. Nothing is limited: without such
/// effects the stems add up to the mix, as far as rounding allows, and so they do with those for which
/// the sum of two sounds is that of what they make of each, as reverb and equaliser.
///
/// - Note: Used once. One thread at a time. Not real-time safe.
public final class StemRenderer {
  /// The stems, in the order of channels or tracks; clips, instruments of the program's own, buses and
  /// effects follow.
  public let stems: [Stem]
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

  /// Loads the soundfont's presets that the sequence uses.
  ///
  /// - Parameters:
  ///   - sequence: the sequence.
  ///   - choice: what it is taken apart into.
  ///   - settings: what the sound is made with.
  ///   - options: where it begins, how fast it runs, what is repeated, and what becomes of its
  ///     messages.
  ///   - pads: clips that notes start in place of the synthesiser, at the settings' rate.
  ///   - instruments: the program's own, as for a `SongRenderer`; each is a stem.
  ///   - registry: who makes the units of the settings' effects and buses.
  ///   - threadCount: how many threads do the work; nil for one a processor.
  /// - Throws: where the soundfont cannot be used, or the sequence's time does not fit 64 bits.
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

  /// Renders the sequence to its end, all stems at once.
  ///
  /// The units live until the next rendering, or until the renderer is freed.
  ///
  /// - Parameters:
  ///   - limit: the frame at which to stop, whatever still sounds.
  ///   - take: takes a stem's number and interleaved samples of two channels, and how much is
  ///     done, 0…1; returns whether to go on.
  /// - Returns: what the renderer had to put right; nothing is turned down.
  /// - Throws: what `take` throws; `GraphError` where effects or buses do not fit.
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

  /// The left and right samples of one stem of several.
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

  /// What the sound is pulled through: a mixer for each stem with the effects behind it, side by side
  /// at the head, so that all are late by the same.
  ///
  /// - Throws: `GraphError` where the instruments do not go together.
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
}
