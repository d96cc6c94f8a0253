// SPDX-License-Identifier: Apache-2.0
public import AudioProcessing
public import ClipPlayback
internal import ClockService
public import FluidSynthInstruments
internal import MIDIMessages
public import MusicSequences
public import MusicalTime
internal import Realtime
internal import SequencePlayback

/// A sequence rendered to samples, as fast as it goes.
///
/// The channels are shared among several instruments, by what the song asks for and not by what
/// the machine has, and these among threads. The synthesisers are fresh ones, so the same song
/// gives the same samples every time, whatever the load and the number of cores.
///
/// - Note: Used once. One thread at a time. Not real-time safe.
public final class SongRenderer {
  /// The channels of the mix: left and right.
  public static let channelCount = 2

  /// The programs that the sequence plays and no soundfont has, each once.
  public let missingPresets: [MissingPreset]
  /// What becomes of the sound after the last event.
  public var tail = RenderTail.auto

  private let score: PlayerScore
  private let settings: SessionSettings
  private let ensemble: Ensemble

  /// Loads the soundfont's presets that the sequence uses.
  ///
  /// - Parameters:
  ///   - sequence: the sequence.
  ///   - settings: what the sound is made with.
  ///   - pads: clips that notes start in place of the synthesiser, at the settings' rate.
  ///   - threadCount: how many threads do the work; nil for one a processor.
  /// - Throws: where the soundfont cannot be used, or the sequence's time does not fit 64 bits.
  public init(
    _ sequence: MusicSequence, settings: SessionSettings, pads: [ClipKit.Pad] = [],
    threadCount: Int? = nil
  ) throws {
    self.settings = settings
    score = try PlayerScore(sequence)
    let everything = try score.everything()
    let parts = EnsemblePart.byChannel(NoteLoads(everything))
    ensemble = try Ensemble(
      score, everything, parts, settings, kit: ClipKit(pads, rate: settings.rate),
      threadCount: threadCount ?? WorkerTeam.processorCount)
    missingPresets = ensemble.missingPresets
  }

  /// Renders the sequence to its end.
  ///
  /// - Parameters:
  ///   - frameLimit: the frame at which to stop, whatever still sounds.
  ///   - limiting: whether what would exceed full scale is turned down; without it samples may
  ///     exceed it.
  ///   - take: takes interleaved samples of two channels and how much is done, 0…1; returns
  ///     whether to go on.
  /// - Returns: what the renderer had to put right.
  /// - Throws: what `take` throws.
  @discardableResult
  public func render(
    upTo frameLimit: Int64 = .max, limiting: Bool = true,
    _ take: (Span<Float>, Double) throws -> Bool
  ) throws -> RenderReport {
    let mix = try SessionMix(
      ensemble.parts, clips: ensemble.clips, settings, limits: limiting)
    let renderer = OfflineRenderer(plan: mix.plan, rate: settings.rate, clamps: limiting)
    var end = try RenderEnd(tail, of: score, rate: settings.rate, frameLimit: frameLimit)
    let length = Double(max(end.expectedFrames, 1))
    var goesOn = true
    try renderer.render(upTo: end.frameLimit) { _ in
      try ensemble.prepareQuantum(at: renderer.rendered.frames)
      return goesOn && !end.isReached(by: ensemble, at: renderer.rendered.frames)
    } take: { samples in
      goesOn = try take(samples, min(Double(renderer.position.frames) / length, 1))
    }
    return RenderReport(
      frameCount: renderer.position.frames, faultySampleCount: renderer.faultySampleCount,
      limitedFrameCount: mix.limiter?.limitedFrameCount ?? 0,
      lowestGain: mix.limiter?.lowestGain ?? 1)
  }

  /// What the sound is pulled through.
  ///
  /// - Throws: `GraphError` where the instruments do not go together.
  public func graph() throws -> AudioGraph {
    try SessionMix(ensemble.parts, clips: ensemble.clips, settings).plan.graph
  }

  /// Where the markers and cue points of the sequence lie in the samples, in order of time, a
  /// thousand of each at most.
  ///
  /// - Throws: `TimeError` where a place does not fit 64 bits.
  /// - Complexity: O(n) in the number of events.
  public func markers() throws -> [(text: MetaText, position: SampleTime)] {
    let features = SequenceFeatures([score.sequence])
    let marks = (features.markers + features.cuePoints).enumerated().sorted {
      ($0.element.tick, $0.offset) < ($1.element.tick, $1.offset)
    }
    return try marks.map { ($0.element.text, try place(of: $0.element.tick)) }
  }

  /// Where the part lies that the sequence asks to be played over and over; nil where it asks for
  /// none.
  ///
  /// - Throws: `TimeError` where a place does not fit 64 bits.
  /// - Complexity: O(n) in the number of events.
  public func loop() throws -> Range<SampleTime>? {
    guard let loop = FileLoop(score.sequence) else { return nil }
    return try place(of: loop.range.lowerBound)..<place(of: loop.range.upperBound)
  }

  private func place(of tick: Tick) throws -> SampleTime {
    try score.tempoMap.sampleTime(at: tick, rate: settings.rate, rounding: .nearest).value
  }
}
