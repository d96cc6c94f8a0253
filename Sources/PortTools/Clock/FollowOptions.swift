// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import ClockService
internal import CommandKit
internal import CommandOptions
internal import MIDIPorts
internal import MusicalTime
internal import PlayerControl
internal import PlayerViews
internal import Realtime
internal import Synchronization

/// The options for following a clock, and for the maps of its position.
struct FollowOptions: ParsableArguments {
  static let twoMasters = ValidationError(
    "--sync and an argument each name a clock (use one of them)")

  @Argument(
    help: ArgumentHelp(
      "Clock to follow, named as for --sync. Default: the MIDI clock of the port given"
        + " with -p.",
      valueName: "master"),
    completion: .masters)
  var master: SyncSource?

  @OptionGroup var ports: PortOptions
  @OptionGroup var session: SessionOptions

  @Option(
    help: ArgumentHelp(
      """
      Clock to follow, if not the MIDI clock from a port: mtc:PORT, ltc:DEVICE, clock:NAME, link \
      or jack.
      """,
      valueName: "master"), completion: .masters)
  var sync: SyncSource?

  @OptionGroup var following: MasterOptions

  @OptionGroup var setting: ClockSetting

  @Option(
    parsing: .unconditional, help: "Sample rate for positions in samples, such as 44.1k.")
  var rate = RateChoice.standard

  @Option(
    name: .customLong("for"), parsing: .unconditional, help: "End after this time, such as 10s.")
  var duration: TypedTime?

  /// The sync source of the options.
  private func source() throws -> SyncSource {
    guard master == nil || sync == nil else { throw Self.twoMasters }
    let named = master ?? sync
    guard named == nil || ports.port.isEmpty else {
      throw ValidationError("-p PORT and --sync each select a master (use one of them)")
    }
    try session.check(named == nil && ports.port.isEmpty, against: "--sync and --port")
    let source = named ?? SyncSource(.midi, ports.texts)
    try following.check(source)
    return following.applied(to: source)
  }

  /// The maps: those of the options, or of a served clock.
  private func context(of source: SyncSource) throws -> TimeContext {
    var context = try setting.context(markers: true)
    context.sampleRate = rate.rate
    guard source.kind == .clock, setting.song == nil else { return context }
    guard [setting.tempo, setting.ramp, setting.meter].allSatisfy({ $0 == nil }) else {
      throw ValidationError(
        "--tempo, --ramp and --meter: clock:NAME sets tempo and meter (leave them out)")
    }
    let state = try source.reader().read().value
    context.tempoMap = try state.tempoMap()
    context.meterMap = try state.meterMap()
    return context
  }

  /// Follows the clock until a signal or the end of the time.
  ///
  /// - Parameters:
  ///   - web: The web page that shows it; nil, the default, for none.
  ///   - digits: The size of the digits in the live display.
  ///   - live: Opens the terminal for a live display; nil for lines.
  ///   - show: Shows the clock without a live display; called at least every 20 ms on this thread.
  /// - Throws: `Failure` if the clock does not exist, or the error that ended it.
  func follow(
    web: WebClock? = nil, digits: LiveClock.Digits = .plain,
    live: (SignalWatch) throws -> LiveDisplay? = { _ in nil },
    _ show: @escaping (ClockSnapshot, TimeContext) throws -> Void
  ) throws {
    let signals = SignalWatch(whilePlaying: true)
    let loop = try RunLoop(signals)
    let source = try source()
    let context = try context(of: source)
    let (master, input) = try source.open(
      context: context, waits: ports.wait, loop: loop, session: session)
    var sync = ClockSync()
    (sync.master, sync.input) = (master, input?.input)
    signals.holdForCleanUp()
    // Used only by the clock from here on.
    nonisolated(unsafe) let given = sync
    let clock = try Transport(MusicClock(tempoMap: context.tempoMap), sync: unsafe given)
    defer { clock.end() }
    let console = Console.current
    let news = Mutex(MasterNews(of: source.kind))
    try clock.observe { event in
      guard case .master(let event) = event,
        let words = news.withLock({ $0.sentence(about: event) })
      else { return }
      console.say("downbeat: \(words)")
    }
    let picture = try live(signals).map {
      LiveClock(frame: LiveFrame($0, title: source.name), digits: digits)
    }
    var run = FollowRun(
      clock: clock, source: source, song: setting.song, context: context, keeper: input?.keeper,
      web: web, picture: picture, end: duration?.after(DeadlineWait.now), show: show)
    picture?.frame.display.enter()
    defer { picture?.frame.display.leave() }
    defer { web?.end() }
    guard let number = try loop.run(&run) else { return }
    picture?.frame.display.leave()
    clock.end()
    web?.end()
    SignalWatch.die(by: number)
  }
}
