// SPDX-License-Identifier: Apache-2.0
public import AudioProcessing
public import ClipPlayback
public import FluidSynthInstruments
public import MusicSequences
public import MusicalTime
internal import Realtime
internal import SequencePlayback

/// A sequence rendered into stems: the dry sound of each channel or track, and the effects of all.
///
/// Nothing is limited: the stems add up to the mix, as far as rounding allows.
///
/// - Note: Used once. One thread at a time. Not real-time safe.
public final class StemRenderer {
  /// The stems, in the order of channels or tracks; the effects are the last.
  public let stems: [Stem]
  /// The programs that the sequence plays and no soundfont has, each once.
  public let missingPresets: [MissingPreset]
  /// What becomes of the sound after the last event; it rings out by default.
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
  private let rate: SampleRate
  private let gain: Float
  private let ensemble: Ensemble
  private let own: [any PlayableUnit]
  private var staged: [[Float]]

  /// Frames handed on together.
  private static let batch = 4096

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
  ///   - threadCount: how many threads do the work; nil for one a processor.
  /// - Throws: where the soundfont cannot be used, or the sequence's time does not fit 64 bits.
  public init(
    _ sequence: MusicSequence, by choice: StemChoice, settings: SessionSettings,
    options: PlaybackOptions = PlaybackOptions(), pads: [ClipKit.Pad] = [],
    instruments: [any PlayableUnit] = [], threadCount: Int? = nil
  ) throws {
    self.options = options
    own = instruments
    var settings = settings
    settings.hasChannelStrips = true
    score = try PlayerScore(sequence)
    rate = settings.rate
    let everything = try score.everything(for: instruments)
    gain = settings.gain
    let loads = NoteLoads(everything)
    let hasSynthesiser = !settings.soundFonts.isEmpty || instruments.isEmpty
    let parts =
      !hasSynthesiser
      ? [] : choice == .channel ? EnsemblePart.byChannel(loads) : EnsemblePart.byTrack(loads)
    ensemble = try Ensemble(
      score, everything, parts, settings, options, kit: ClipKit(pads, rate: rate),
      own: instruments, threadCount: threadCount ?? WorkerTeam.processorCount)
    missingPresets = ensemble.missingPresets
    stems = Stem.stems(
      choice, parts, loads, settings, hasClips: ensemble.clips != nil,
      own: instruments.map(\.name))
    staged = Array(repeating: [], count: stems.count)
  }

  /// Renders the sequence to its end, all stems at once.
  ///
  /// - Parameters:
  ///   - limit: the frame at which to stop, whatever still sounds.
  ///   - take: takes a stem's number and interleaved samples of two channels, and how much is
  ///     done, 0…1; returns whether to go on.
  /// - Returns: frames rendered.
  /// - Throws: what `take` throws.
  @discardableResult
  public func render(
    upTo limit: SampleTime = .max, _ take: (Int, Span<Float>, Double) throws -> Bool
  ) throws -> Int64 {
    try score.sequence.restoreStates(of: own)
    var end = try self.end(frameLimit: limit.frames)
    var frame: Int64 = 0
    var goesOn = true
    func handOn() throws {
      let done = min(Double(frame) / Double(max(end.expectedFrames, 1)), 1)
      for index in stems.indices where goesOn && !staged[index].isEmpty {
        var samples: [Float] = []
        swap(&samples, &staged[index])
        goesOn = try take(index, samples.span, done)
        samples.removeAll(keepingCapacity: true)
        swap(&samples, &staged[index])
      }
    }
    while goesOn, frame < end.frameLimit {
      try ensemble.prepareQuantum(at: frame)
      guard !end.isReached(by: ensemble, at: frame) else { break }
      let count = Int(min(Int64(AudioFormat.quantum), end.frameLimit - frame))
      for index in stems.indices { stage(index, frameCount: count) }
      frame += Int64(count)
      if frame % Int64(Self.batch) == 0 { try handOn() }
    }
    try handOn()
    return frame
  }

  /// Where the song ends, the tail left out.
  ///
  /// - Throws: `TimeError` where they do not fit 64 bits.
  public func length() throws -> SampleTime {
    SampleTime(frames: try end(frameLimit: .max).length)
  }

  private func end(frameLimit: Int64) throws -> RenderEnd {
    try RenderEnd(
      tail, of: score, options, acceleration: acceleration, rate: rate, endFrame: endFrame.frames,
      frameLimit: frameLimit)
  }

  /// Adds up a quantum of a stem.
  private func stage(_ index: Int, frameCount: Int) {
    let buses = stems[index].buses.map { place in
      ensemble.sources[place.part].bus(place.output, quantum: ensemble.quantum)
    }
    for frame in 0..<frameCount {
      var left: Float = 0
      var right: Float = 0
      for bus in buses {
        left += unsafe bus.channel(0)[frame]
        right += unsafe bus.channel(min(1, bus.channelCount - 1))[frame]
      }
      staged[index].append(left * gain)
      staged[index].append(right * gain)
    }
  }
}
