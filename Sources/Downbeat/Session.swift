// SPDX-License-Identifier: Apache-2.0
public import AudioProcessing
public import ClipPlayback
internal import ClockService
public import FluidSynthInstruments
internal import MIDIMessages
public import MusicSequences
internal import MusicalTime
internal import SequencePlayback

/// One sequence wired to one instrument: player, clock, synthesiser, mixer.
///
/// It is used once: rendered, or played on an output. A fresh synthesiser for every session is
/// what makes two renders of one song the same bytes.
///
/// - Note: One thread at a time.
public final class Session {
  /// The channels of the mix: left and right.
  public static let channelCount = 2

  let rate: SampleRate
  let plan: RenderPlan
  let instrument: InstrumentUnit
  /// The kit of clips, where there is one.
  let kit: ClipKit?
  let score: PlayerScore

  /// The programs that the sequence plays and no soundfont has, each once.
  public let missingPresets: [MissingPreset]

  /// Loads the soundfont's presets that the sequence uses and wires everything.
  ///
  /// - Parameters:
  ///   - sequence: what to play.
  ///   - settings: what to make the sound with.
  ///   - pads: clips that notes start in place of the synthesiser, at the settings' rate.
  /// - Throws: where the soundfont cannot be used, or the sequence's time does not fit 64 bits.
  public init(
    _ sequence: MusicSequence, settings: SessionSettings, pads: [ClipKit.Pad] = []
  ) throws {
    score = try PlayerScore(sequence)
    rate = settings.rate
    let layers = try settings.soundFonts.map { choice in
      SoundFontLayer(
        try SoundFont(path: choice.path), bankOffset: choice.bankOffset, gain: choice.gain)
    }
    instrument = try InstrumentUnit(layers, configuration: settings.instrument)
    let everything = try Self.events(of: score)
    // Samples are read now that the song will ask for, so that none is read while it sounds.
    missingPresets = try instrument.prepare(
      everything.events.span, payloads: everything.payloads.span)
    var levelled = settings
    if let loudness = settings.loudness {
      levelled.gain *= LoudnessEstimate(everything.events.span).gain(to: loudness)
    }
    kit = pads.isEmpty ? nil : ClipKit(pads, on: SoundBoard(rate: settings.rate))
    plan = try Self.plan(instrument, kit, levelled)
  }

  /// The dry sound, the returns of the effects that are wanted, and the clips, each on a strip of a
  /// mixer.
  private static func plan(
    _ instrument: InstrumentUnit, _ kit: ClipKit?, _ settings: SessionSettings
  ) throws -> RenderPlan {
    let buses = settings.instrumentBuses
    let stripCount = buses.count + (kit == nil ? 0 : 1)
    let mixer = MixerUnit(stripCount: stripCount, rate: settings.rate)
    mixer.sum.gain = settings.gain
    var graph = AudioGraph()
    let source = graph.add(instrument)
    let head = graph.add(mixer)
    for (strip, bus) in buses.enumerated() {
      try graph.connect(source, output: bus, to: head, input: strip)
    }
    if let kit { try graph.connect(graph.add(kit.board.unit), to: head, input: buses.count) }
    try graph.setHead(head)
    return try graph.compile()
  }

  /// Every event, in order; times are those of the first tempo throughout.
  private static func events(of score: PlayerScore) throws -> EventBuffer {
    var everything = EventBuffer()
    let timeline = try score.tempoMap.timeline(
      at: .zero, originTick: .zero, originHost: .zero, playRate: 1)
    let forever = HostTime.zero..<HostTime(nanoseconds: .max)
    MusicPlayer(score).emit(forever, along: timeline, into: &everything)
    return everything
  }

  /// Renders the whole sequence, until its last note has rung out.
  ///
  /// - Parameters:
  ///   - frameLimit: the frame at which to stop, whatever still sounds.
  ///   - clamping: whether samples above full scale are brought down to it.
  ///   - take: takes interleaved samples of two channels and how much is done, 0…1; returns
  ///     whether to go on.
  /// - Returns: what the renderer had to put right.
  /// - Throws: what `take` throws.
  @discardableResult
  public func render(
    upTo frameLimit: Int64 = .max, clamping: Bool = true,
    _ take: (Span<Float>, Double) throws -> Bool
  ) throws -> RenderReport {
    let scheduler = try makeScheduler()
    let renderer = OfflineRenderer(plan: plan, rate: rate, clamps: clamping)
    let length = try Double(max(min(frameCount(), frameLimit), 1))
    var tail = RingOut(rate: rate)
    var goesOn = true
    try renderer.render(upTo: frameLimit) { _ in
      try scheduler.step(to: eventLimit(at: renderer.position))
      kit?.board.deliver(heardThrough: renderer.position)
      guard scheduler.isFinished else { return goesOn }
      return goesOn && !tail.isOver(isSilent: isSilent)
    } take: { samples in
      goesOn = try take(samples, min(Double(renderer.position.frames) / length, 1))
    }
    return RenderReport(
      frameCount: renderer.position.frames, clampedSampleCount: renderer.clampedSampleCount,
      faultySampleCount: renderer.faultySampleCount)
  }

  /// Whether neither the synthesiser nor a clip sounds.
  private var isSilent: Bool { instrument.isSilent && (kit?.board.activeCount ?? 0) == 0 }

  /// What the events go to.
  private var sink: any EventSink { kit.map { KitSplit($0, instrument) } ?? instrument }

  /// Plays the sequence on an output, and on ports in line with it.
  ///
  /// - Throws: where the output cannot be started, or a port is gone.
  public func play(
    on output: any OutputUnit, ports: [PlaybackPort] = [],
    options: PlaybackOptions = PlaybackOptions()
  ) throws -> Playback {
    try Playback(
      score, instrument: instrument, kit: kit, plan: plan, rate: rate, output: output, ports,
      options)
  }

  /// A scheduler that stands at the beginning, its player started at reference time zero.
  func makeScheduler() throws -> EventScheduler {
    let scheduler = EventScheduler(
      clock: MusicClock(tempoMap: score.tempoMap), sources: [MusicPlayer(score)],
      router: Router(sinks: [sink]))
    try scheduler.start(at: .zero, time: .zero)
    return scheduler
  }

  /// The instant before which events belong to the quantum that begins at a position.
  ///
  /// An event goes to the quantum whose start is nearest: half a quantum on.
  private func eventLimit(at position: SampleTime) -> HostTime {
    let frames = position.frames + Int64(AudioFormat.quantum / 2)
    return rate.hostTimeRoundedUp(of: SampleTime(frames: frames))
  }

  /// The frames from the start to the sequence's end, its last notes' ringing left out.
  private func frameCount() throws -> Int64 {
    let end = score.sequence.length
    return try score.tempoMap.sampleTime(at: end, rate: rate, rounding: .ceil).value.frames
  }
}
