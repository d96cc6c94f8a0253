// SPDX-License-Identifier: Apache-2.0
internal import CommandKit
internal import CommandOptions
internal import Downbeat
internal import Glibc
internal import MIDIPorts
internal import MusicalTime
internal import PlayerControl
internal import PlayerViews
internal import PortTools
internal import Realtime

/// A song that plays, from its first sound to its last or to a signal.
struct PlayRun {
  private static let step: Int64 = 20_000_000
  /// How long what is queued may take to leave once it is silent.
  static let patience = Duration.milliseconds(100)

  let playback: Playback
  let ports: OutputPorts?
  var sync: PlaySync
  let signals: SignalWatch
  let wait: SignalWait
  /// The songs of which this is one: who goes to another ends it; nil where it is by itself.
  let songs: SongQueue?
  /// How long the song stays after its end where another follows, in nanoseconds.
  var gap: Int64 = 0
  var live: LivePlay?
  var plain: PlainPlay?
  /// What changes it; nil where nobody can.
  var controls: PlayControls?
  /// The other programs that lead it or are told of it.
  var company = PlayCompany()
  /// What happens to it, for programs that are told of it on standard output.
  private var happenings = PlayHappenings()
  /// Where it was when somebody ended it.
  private(set) var lastTick = Tick.zero
  /// The sound device; nil on ports alone.
  var device: DeviceWatch?
  /// The plug-ins that it goes through.
  var plugins = PluginWatch(nil, isQuiet: true)
  /// What the ports send late or not at all.
  let trouble: PortTrouble
  /// When the gap after the song is over.
  private var end: Int64?

  init(
    playback: Playback, ports: OutputPorts?, sync: PlaySync, signals: SignalWatch, wait: SignalWait,
    songs: SongQueue? = nil, isQuiet: Bool = false
  ) {
    self.playback = playback
    self.ports = ports
    self.sync = sync
    self.signals = signals
    self.wait = wait
    self.songs = songs
    trouble = PortTrouble(ports, isQuiet: isQuiet)
  }

  /// Plays to the end and through the gap after it, or to where a person ends it; a signal ends the
  /// process.
  ///
  /// The picture stays, for that of the next song.
  ///
  /// - Throws: what ended the playback before its time.
  mutating func play() throws {
    live?.display.enter()
    defer { live?.remember() }
    plain?.begin()
    if let controls {
      company.begin(controls)
      if JSONReport.isOn { JSONReport.tell(happenings.begin(controls.status)) }
    }
    do {
      while !isOver() {
        if songs?.hasMoved == true {
          lastTick = playback.position().tick
          silence()
          return tellEnd(songs?.hasQuit == true ? "quit" : "stop")
        }
        if let failure = playback.failure { throw failure }
        try takeNote()
      }
      while let ports, try !ports.hasDrained() { try takeNote() }
    } catch {
      silence()
      tellEnd("error")
      throw error
    }
    plugins.update()
    if let ports { trouble.update(ports, isLast: true) }
    tellEnd("eof")
    playback.end(draining: true)
    sync.drain()
    ports?.leaveSounding()
    plain?.end()
  }

  /// Whether it has finished, and stayed as long as it is to; who goes back meanwhile hears it on.
  private mutating func isOver() -> Bool {
    guard playback.hasFinished, gap > 0, songs?.hasNext == true else {
      end = nil
      return playback.hasFinished
    }
    let end = end ?? DeadlineWait.now + gap
    self.end = end
    return DeadlineWait.now >= end
  }

  /// Waits a moment for a signal, or for a port that comes or goes.
  private mutating func takeNote() throws {
    let descriptors =
      (ports?.descriptors ?? []) + sync.descriptors
      + (live?.display.descriptors ?? []) + company.descriptors
    let deadline = min(DeadlineWait.now + Self.step, company.deadline)
    switch wait.until(deadline, readable: descriptors) {
    case .signal(SIGTSTP): pause()
    case .signal(let number):
      silence()
      live?.display.leave()
      live?.remember()
      company.end()
      SignalWatch.die(by: number)
    case .readable, .deadline: break
    }
    try followDevice()
    plugins.update()
    if let ports { trouble.update(ports) }
    try sync.update { Terminal.report($0) }
    try reconnect()
    let isLed = follow()
    live?.update(isUrgent: isLed)
    plain?.update(playback.position().tick, drift: playback.outputClock?.drift)
    if JSONReport.isOn, let controls {
      tellHappenings(controls, isUrgent: isLed)
    }
  }

  /// Does what signals and other programs ask for; true where it did anything.
  private func follow() -> Bool {
    controls.map { company.follow($0, signals, sync.events) } ?? false
  }

  /// Tells other programs what became of the song, ten times a second at most.
  private mutating func tellHappenings(_ controls: PlayControls, isUrgent: Bool) {
    guard happenings.isDue(isUrgent: isUrgent) else { return }
    JSONReport.tell(happenings.changes(to: controls.status))
  }

  /// Tells other programs why the song is over.
  private func tellEnd(_ reason: String) {
    guard let controls else { return }
    company.server?.finish(controls, reason)
    guard JSONReport.isOn else { return }
    JSONReport.tell(PlayHappenings.end(controls.status, reason))
    if reason == "quit" { JSONReport.setReason(reason) }
  }

  /// Connects ports again that are back.
  func reconnect() throws {
    guard let ports else { return }
    for case .back(let endpoint) in try ports.update().told() {
      for name in ports.names(to: endpoint) { try playback.restoreState(of: name) }
    }
  }

  /// Without its device the music stands, on ports too, and goes on where it was.
  private mutating func followDevice() throws {
    switch try device?.look() {
    case .lost where device?.policy == .pause && controls?.transport == nil && controls != nil:
      try controls?.perform(.setPaused(true), at: nil)
    case .lost: playback.stop()
    case .back where controls?.isPaused != true: playback.start()
    case .back, .moved, nil: break
    }
  }

  /// Ends the playback where it is, and everything that sounds.
  func silence() {
    playback.end(draining: false)
    sync.drain()
    // A playback that failed may have left something, and a long SysEx holds releases back.
    if playback.failure != nil || ports?.drain(within: Self.patience) == false {
      ports?.silence()
      ports?.drain(within: Self.patience)
    }
  }

  /// Falls silent and stops; continued, it goes on where it was, in the state of the place.
  func pause() {
    playback.stop()
    // The event thread takes the command at once; what it sent for later is taken back with it.
    let limit = DeadlineWait.now + 5 * Self.step
    while playback.isRunning, DeadlineWait.now < limit { usleep(1_000) }
    if let ports, !ports.drain(within: Self.patience) {
      trouble.cutShort(ports)
      ports.drain(within: Self.patience)
    }
    live?.display.leave()
    signals.pause()
    if controls?.isPaused != true { playback.start() }
    live?.display.enter()
  }
}
