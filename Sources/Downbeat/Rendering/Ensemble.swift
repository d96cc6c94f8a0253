// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import ClipPlayback
internal import ClockService
package import MIDIMessages
internal import MusicSequences
internal import MusicalTime
internal import Realtime
package import SequencePlayback
internal import SoundFontInstruments

/// The instruments that render one song together on several cores, each playing some of the
/// channels.
///
/// They share the voices. All events up to a time are sent to them, and they are rendered one batch
/// of quanta ahead of the graph. The sound does not depend on the number of cores.
///
/// - Note: One thread at a time.
final class Ensemble {
  /// A number of rendered quanta.
  private struct Batch {
    /// For each quantum, true if all instruments were silent after it.
    var silences: [Bool] = []
    /// True if every event had been sent before.
    var isFinished = false
  }

  /// The parts as sources of a graph.
  let parts: [AheadUnit]
  /// All sources: the parts, the clips and the custom instruments.
  var sources: [AheadUnit] { parts + (clips.map { [$0] } ?? []) + own }
  /// The source that plays the clips that notes start; nil without clips.
  let clips: AheadUnit?
  /// The custom instruments, as sources of a graph.
  let own: [AheadUnit]
  /// The presets that the song selects and no soundfont has, without duplicates.
  let missingPresets: [MissingPreset]
  /// The effects that the song requests and Downbeat's own voices do not have, without duplicates.
  let missingEffects: [RequestedEffect]

  /// The frame at which sounding notes are released and playing ends.
  var endFrame = Int64.max
  /// The increase of the play rate with each loop pass, as a fraction of the play rate.
  var acceleration: Ratio = 0

  private let kit: ClipKit?
  private let playRate: Ratio
  private var pass = 0
  private var hasEnded = false
  private let scheduler: EventScheduler
  private let sequence: MusicSequence
  /// The start of the song, until it has been started.
  private var start: Tick?
  /// The tracks that have been assigned to the unit that they name.
  private var namedTracks: Set<Int> = []
  private let rate: SampleRate
  /// True if events are played at their exact frames.
  private let isExact: Bool
  private let renderer: BatchRenderer
  /// The batch that the graph receives now; and, for the batch that is rendered meanwhile, whether
  /// every event was sent.
  private var batch = Batch()
  private var isNextFinished: Bool?
  /// Quanta that the graph has received, in total and of the batch.
  private var total = 0
  private var taken = 0
  private var wasSilent = true

  /// Loads the instruments and prepares the song to start at frame 0.
  ///
  /// - Parameters:
  ///   - score: The song.
  ///   - everything: All its events.
  ///   - shares: The part of each instrument.
  ///   - settings: The soundfonts and the settings of the synthesiser.
  ///   - options: The start, the speed, the loop and other options.
  ///   - kit: The clips that notes start in place of an instrument.
  ///   - own: Custom instruments, which play the tracks that name them; without a soundfont, the
  ///     first plays the other tracks, too.
  ///   - threadCount: The number of threads.
  /// - Throws: `InstrumentError` if a soundfont cannot be used; `RealtimeError` if a thread cannot
  ///   be started.
  init(
    _ score: PlayerScore, events everything: EventBuffer, parts shares: [EnsemblePart],
    settings: SessionSettings, options: PlaybackOptions, kit: ClipKit?,
    own: [any PlayableUnit] = [], threadCount: Int
  ) throws {
    let sourceCount = shares.count + own.count + (kit == nil ? 0 : 1)
    let team = try WorkerTeam(threadCount: min(threadCount, sourceCount))
    self.kit = kit
    sequence = score.sequence
    start = options.start
    rate = settings.rate
    isExact = settings.instrument.hasExactTimes
    let (instruments, missing) = try Self.load(shares, everything, settings, by: team)
    missingPresets = missing
    missingEffects = instruments.missingEffects
    let played = instruments.map { instrument in
      BatchRenderer.Source(instrument) { instrument.isSilent }
    }
    // The board knows whether clips sound.
    let pads = (kit?.board.unit).map { unit in BatchRenderer.Source(unit) { true } }
    parts = played.map(\.unit)
    clips = pads?.unit
    let owned = own.map { unit in BatchRenderer.Source(unit) { unit.isSilent } }
    self.own = owned.map(\.unit)
    renderer = BatchRenderer(played + (pads.map { [$0] } ?? []) + owned, by: team)
    let router = Router()
    let others = shares.isEmpty ? own.first.map { [($0, EnsemblePart(channels: .max))] } ?? [] : []
    let parted: [(any PlayableUnit, EnsemblePart)] = zip(instruments, shares).map { ($0, $1) }
    let named = own.dropFirst(others.count)
    let drums = sequence.portDrums(in: settings.bankMode)
    let unnamed = sequence.tracks(namingNone: named.map(\.name))
    for (unit, share) in parted + others {
      let destination = router.addDestination(unit.sink(with: kit))
      let transform = options.transform.sparing(drums[Int(share.port ?? 0)])
      router.addRoute(
        Route(
          port: share.port, to: destination, filter: MessageFilter(channels: share.channels),
          transform: transform))
      // A track with its own route uses no other, so it needs one to each destination.
      guard share.tracks != nil else { continue }
      for track in unnamed.map(UInt16.init(clamping:)) {
        router.addRoute(
          Route(
            track: track, port: share.port, to: destination,
            filter: share.filter(forTrack: track), transform: transform))
      }
    }
    playRate = options.playRate
    var clock = MusicClock(tempoMap: score.tempoMap)
    try clock.setPlayRate(playRate, at: .zero)
    clock.setLoop(options.loop, at: .zero)
    let player = MusicPlayer(score)
    player.restartsHeldNotes = options.restartsHeldNotes
    player.playsToEnd = options.playsToEnd
    player.device = instruments.isEmpty ? .published : .synthesizer
    scheduler = EventScheduler(clock: clock, sources: [player], router: router)
    for unit in named {
      addDestination(
        unit.sink(), named: unit.name, transform: options.transform.sparing(drums[0]))
    }
  }

  /// Adds a destination for the tracks that name it and that are not assigned yet.
  ///
  /// Call it before the first quantum.
  func addDestination(
    _ sink: any EventSink<ReferenceTime>, named name: String,
    transform: MessageTransform = MessageTransform()
  ) {
    let tracks = sequence.tracks.indices.filter {
      sequence.tracks[$0].settings.destination == name && namedTracks.insert($0).inserted
    }
    guard !tracks.isEmpty else { return }
    let destination = scheduler.router.addDestination(sink)
    for track in tracks {
      scheduler.router.addRoute(
        Route(track: UInt16(clamping: track), to: destination, transform: transform))
    }
  }

  deinit {
    renderer.abandon()
  }

  /// Provides the next quantum of each part.
  ///
  /// - Parameter frame: The first frame of the quantum.
  /// - Throws: The errors of sinks; instruments do not throw.
  func prepareQuantum(at frame: Int64) throws {
    if taken == batch.silences.count {
      try turn(at: frame)
    } else {
      wasSilent = batch.silences[taken - 1]
    }
    taken += 1
    total += 1
    kit?.board.deliver(heardThrough: SampleTime(frames: frame))
  }

  /// The index of the quantum that the graph renders next, from 0.
  var quantum: Int { total - 1 }

  /// True if every event was sent.
  var isFinished: Bool { batch.isFinished }

  /// True if no event waited and nothing sounded before the next quantum.
  var isSilent: Bool { wasSilent && (kit?.board.activeCount ?? 0) == 0 }

  /// The time of the song's last event.
  var lastTime: ReferenceTime { scheduler.lane.lastTime }

  /// Continues with the batch that was rendered meanwhile, and starts the one after it.
  private func turn(at frame: Int64) throws {
    if isNextFinished == nil { try startBatch(at: frame) }
    // Before the first quantum events may wait.
    wasSilent = batch.silences.last ?? false
    batch = Batch(silences: renderer.finish(), isFinished: isNextFinished ?? false)
    taken = 0
    try startBatch(at: frame + Int64(batch.silences.count * AudioFormat.quantum))
  }

  private func startBatch(at frame: Int64) throws {
    if let start = start.take() { try scheduler.start(from: start, at: .zero) }
    var count = BatchRenderer.batch
    try send(to: eventLimit(at: frame + Int64((count - 1) * AudioFormat.quantum)))
    // An instrument whose queue is full gets the rest one quantum at a time.
    if !scheduler.router.isDrained { count = 1 }
    // After the song, the quantum in which the last sound fades must be known exactly.
    let isFinished = hasEnded ? scheduler.router.isDrained : scheduler.isFinished
    isNextFinished = isFinished
    renderer.start(at: frame, count: count, inRuns: !isFinished)
  }

  /// Sends the events before a time and before the end.
  private func send(to limit: ReferenceTime) throws {
    guard !hasEnded else { return try scheduler.router.flush() }
    let end = endFrame == .max ? limit : rate.timeRoundedUp(of: SampleTime(frames: endFrame))
    try play(to: min(limit, end))
    guard end < limit else { return }
    try scheduler.router.release(at: end)
    hasEnded = true
  }

  /// Steps to a time; an accelerating song changes its speed at most one quantum after its loop.
  private func play(to limit: ReferenceTime) throws {
    guard acceleration != 0 else { return try scheduler.step(to: limit) }
    let quantum = rate.timeRoundedUp(of: SampleTime(frames: Int64(AudioFormat.quantum)))
    while scheduler.end < limit {
      let next = scheduler.end.advanced(saturating: quantum.nanoseconds)
      try scheduler.step(to: min(limit, next))
      let passed = scheduler.lane.position(at: scheduler.end).pass
      guard passed > pass else { continue }
      pass = passed
      try scheduler.setPlayRate(RenderEnd.playRate(playRate, acceleration, pass: pass))
    }
  }

  /// The time before which events belong to the quantum that begins at a frame.
  ///
  /// An event belongs to the quantum whose start is nearest, or, if it is played at its exact
  /// frame, to the quantum that contains it.
  private func eventLimit(at frame: Int64) -> ReferenceTime {
    let count = isExact ? AudioFormat.quantum : AudioFormat.quantum / 2 + 1
    return rate.timeRoundedUp(of: SampleTime(frames: frame + Int64(count)))
  }

  private static func load(
    _ shares: [EnsemblePart], _ everything: EventBuffer, _ settings: SessionSettings,
    by team: WorkerTeam
  ) throws -> ([InstrumentUnit], [MissingPreset]) {
    typealias Loaded = Result<(InstrumentUnit, [MissingPreset]), any Error>
    let fonts = try settings.fonts(for: everything)
    let voices = EnsemblePart.voices(settings.polyphony, of: shares, in: everything)
    var loaded = [Loaded?](repeating: nil, count: shares.count)
    unsafe loaded.withUnsafeMutableBufferPointer { loaded in
      team.run(shares.count) { part in
        unsafe loaded[part] = Result {
          try InstrumentUnit.load(
            fonts, settings, for: everything, share: shares[part], voiceCount: voices[part])
        }
      }
    }
    var missing: [MissingPreset] = []
    let instruments = try loaded.compactMap { try $0?.get() }.map { instrument, lacks in
      missing += lacks.filter { lack in
        !missing.contains { ($0.bank, $0.program) == (lack.bank, lack.program) }
      }
      return instrument
    }
    return (instruments, missing)
  }
}

extension InstrumentUnit {
  /// Loads an instrument with the samples of everything that its share of a song plays, so that
  /// samples are not read during playback.
  ///
  /// It knows other presets only if it reads all.
  static func load(
    _ fonts: SharedFonts, _ settings: SessionSettings, for events: EventBuffer,
    share: EnsemblePart = EnsemblePart(channels: .max), voiceCount: Int? = nil,
    readsAllPresets: Bool = false, workShare: Double? = nil
  ) throws -> (InstrumentUnit, [MissingPreset]) {
    var own = events
    own.filter { share.plays($0) }
    var configuration = settings.instrument
    configuration.polyphony = voiceCount ?? configuration.polyphony
    configuration.workShare = workShare
    if !readsAllPresets {
      configuration.limitPrograms(to: own.events.span, payloads: own.payloads.span)
    }
    let instrument = try InstrumentUnit(fonts, configuration: configuration)
    let missing = try instrument.prepare(own.events.span, payloads: own.payloads.span)
    return (instrument, missing)
  }
}

extension PlayerScore {
  /// Every event in order, with times as if the first tempo were used throughout.
  ///
  /// Looped tracks are included once, because more passes add nothing new and may never end.
  package func everything() throws -> EventBuffer {
    var everything = EventBuffer()
    let timeline = try tempoMap.timeline(
      at: .zero, originTick: .zero, origin: ReferenceTime.zero, playRate: 1)
    let forever = ReferenceTime.zero..<ReferenceTime(nanoseconds: .max)
    MusicPlayer(try withoutLoops()).emit(forever, along: timeline, into: &everything)
    return everything
  }

  /// Every event for the synthesiser: without the tracks that name custom instruments.
  func everything(for own: [any PlayableUnit]) throws -> EventBuffer {
    var everything = try everything()
    guard !own.isEmpty else { return everything }
    let rest = Set(sequence.tracks(namingNone: own.map(\.name)).map(UInt16.init(clamping:)))
    everything.filter { rest.contains($0.track) || $0.track == TimedEvent.noTrack }
    return everything
  }

  private func withoutLoops() throws -> PlayerScore {
    guard sequence.tracks.contains(where: { $0.settings.loop != nil }) else { return self }
    var once = sequence
    for track in once.tracks.indices { once.tracks[track].settings.loop = nil }
    return try PlayerScore(once)
  }
}

extension MusicSequence {
  /// The indices of the tracks whose destination is none of these names.
  func tracks(namingNone names: [String]) -> [Int] {
    tracks.indices.filter { index in
      tracks[index].settings.destination.map { !names.contains($0) } ?? true
    }
  }
}
