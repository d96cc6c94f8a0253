// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import ClockService
internal import CommandKit
internal import CommandOptions
internal import JSONText
internal import MIDIPorts
internal import MusicalTime
internal import PlayerControl
internal import Realtime
internal import Synchronization

/// The command `downbeat clock serve`, which runs a clock that other programs can read by its name.
struct ClockServe: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Run a clock that other programs can read and follow.",
    discussion: """
      Any number of programs of the same user can read the clock from shared memory. Other \
      programs and machines can follow it by MIDI clock (--clock-out) or MIDI time code \
      (--mtc-out). With --sync, the clock itself follows a master. --control works as in `clock \
      send`.

      EXAMPLES:
        downbeat clock serve studio --tempo 90
        downbeat clock serve studio --song song.mid --control
        downbeat clock serve studio --sync midi:UM-ONE
        downbeat clock serve studio --sync link --clock-out UM-ONE --mtc-out 32:0
        downbeat clock serve studio --song song.mid --osc 9000 --web
        downbeat clock serve studio --sync ltc:hw:1 --fps 25 --mtc-out UM-ONE
        downbeat play song.mid --sync clock:studio
        downbeat convert --clock studio               show the current bar
        downbeat convert --clock studio 17.1.0 --to host
      """)

  @Argument(help: "Name of the clock.")
  var name: String

  @OptionGroup var setting: ClockSetting

  @Option(parsing: .unconditional, help: "Start at this position, such as 17.1.0 or 30s.")
  var from: String?

  @Option(
    help: "Clock to follow: midi:PORT, mtc:PORT, ltc:DEVICE, clock:NAME, link or jack.",
    completion: .masters)
  var sync: SyncSource?

  @OptionGroup var following: MasterOptions
  @OptionGroup(title: "Clock outputs") var leads: ClockOutputOptions

  @Option(
    help: ArgumentHelp(
      "Receive OSC commands on this port. Without a host, only programs on this machine can send"
        + " them.",
      valueName: "[host:]port"))
  var osc: ListenAddress?

  @OptionGroup var web: WebOptions

  @Option(
    name: .customLong("for"), parsing: .unconditional, help: "End after this time, such as 10s.")
  var duration: TypedTime?

  @Flag(help: "Leave the clock stopped until a command starts it.")
  var stopped = false

  @Flag(help: "Read commands from standard input.")
  var control = false

  @Flag(name: [.short, .long], help: "Print only errors.")
  var quiet = false

  @OptionGroup var report: JSONOption

  func validate() throws {
    try following.check(sync)
    guard sync == nil || (from == nil && !stopped) else {
      throw ValidationError("--from and --stopped: with --sync, the master sets start and position")
    }
  }

  func run() throws {
    let signals = SignalWatch()
    let loop = try RunLoop(signals)
    let context = try setting.context(markers: web.web != nil)
    let start = try from.map { try context.tick($0) } ?? .zero
    var (follows, input) = try followed(context, loop)
    let (outputs, ports) = try leads.open(context, on: nil, waits: false, loop: loop)
    follows.outputs = outputs
    let receiver = try osc.map { try OSCReceiver($0.known("--osc")) { Terminal.report($0) } }
    let shown = try web.open(leads: sync == nil)
    let telling = try leads.openTelling().map { (output: $0, log: ClockLog()) }
    signals.holdForCleanUp()
    // Used only by the clock from here on.
    nonisolated(unsafe) let given = follows
    let clock = try Transport(MusicClock(context), sync: unsafe given, name: name)
    let log = telling?.log
    let console = Console.current
    let news = Mutex(MasterNews(of: sync?.kind))
    try clock.observe { event in
      log?.note(event)
      guard case .master(let event) = event,
        let words = news.withLock({ $0.sentence(about: event) })
      else { return }
      console.say("downbeat: \(words)")
    }
    var members: [(name: String, value: JSONValue)] = [
      ("clock", .text(name)), ("sync", JSONReport.text(sync?.name)),
    ]
    if !ports.isEmpty { members.append(("ports", PortReport.json(ports.flatMap(\.targets)))) }
    try clock.begin(members, following: sync?.kind)
    if !quiet {
      Terminal.report(
        "clock '\(name)' is running: follow it with --sync clock:\(name), end it with Ctrl-C")
    }
    if !clock.servesWholeMaps {
      Terminal.report(
        "clock '\(name)': other programs see only its first \(SharedClockState.tempoCapacity)"
          + " tempo changes and \(SharedClockState.meterCapacity) meter changes")
    }
    if !stopped, sync == nil {
      try clock.start(from: start)
    } else if from != nil {
      try clock.locate(to: start)
    }
    var engine = ClockEngine(clock: clock, ports: ports, keeper: input?.keeper, telling: telling)
    engine.led = (
      ClockControls(clock, named: name), receiver.map { ControlServer(sockets: [], osc: $0) }, shown
    )
    engine.source = sync?.name ?? ""
    engine.markers = sync == nil ? context.orderedMarkers : []
    defer { shown?.end() }
    try engine.run(
      loop, for: duration, control: control ? ClockControl(context: context) : nil)
  }
}

extension ClockServe {
  /// Opens the sync source of the options, and its ports.
  private func followed(
    _ context: TimeContext, _ loop: RunLoop
  ) throws -> (ClockSync, InputPorts?) {
    var follows = ClockSync()
    guard let sync = sync.map(following.applied) else { return (follows, nil) }
    // A service may start before its sync source.
    loop.waitForServers(for: [sync.name])
    let (master, input) = try sync.open(context: context, waits: false, loop: loop)
    follows.master = master
    follows.input = input?.input
    return (follows, input)
  }
}
