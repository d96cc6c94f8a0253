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
  /// The time in which queued events must leave after a stop.
  static let patience = Duration.milliseconds(100)

  let playback: Playback
  let ports: OutputPorts?
  var sync: PlaySync
  let loop: RunLoop
  /// The queue of songs, of which another may be chosen; nil for a single song.
  let songs: SongQueue?
  /// The gap between this song and the next, in nanoseconds.
  var gap: Int64 = 0
  var live: LivePlay?
  var plain: PlainPlay?
  /// Its controls; nil if it cannot be controlled.
  var controls: PlayControls?
  /// The programs that control or observe it.
  var connections = PlayConnections()
  /// The events for programs that read standard output.
  private var playerEvents = PlayerEvents()
  /// The position at which a person ended it.
  private(set) var lastTick = Tick.zero
  /// The sound device; nil on ports alone.
  var device: DeviceWatch?
  /// The plug-ins that it goes through.
  var plugins = PluginWatch(nil, isQuiet: true)
  /// Events that the ports sent late or lost.
  let trouble: PortTrouble
  /// When the gap after the song is over.
  private var end: Int64?
  /// True once a person has ended the song.
  private var isLeft = false

  init(
    playback: Playback, ports: OutputPorts?, sync: PlaySync, loop: RunLoop,
    songs: SongQueue? = nil, isQuiet: Bool = false
  ) {
    self.playback = playback
    self.ports = ports
    self.sync = sync
    self.loop = loop
    self.songs = songs
    trouble = PortTrouble(ports, isQuiet: isQuiet)
  }

  /// Plays to the end and through the gap after it, or until a person ends it; a signal ends the
  /// process.
  ///
  /// The picture stays, for that of the next song.
  ///
  /// - Throws: what ended the playback before its time.
  mutating func play() throws {
    // A picture would hide it, and it follows the line of the song.
    if live != nil { sync.reportStart() }
    live?.display.enter()
    defer { live?.remember() }
    plain?.begin()
    if live == nil { sync.reportStart() }
    if let controls {
      connections.begin(controls)
      if JSONReport.isOn { JSONReport.tell(playerEvents.begin(controls.status)) }
    }
    do {
      let loop = loop
      if let number = try loop.run(&self) { die(by: number) }
    } catch {
      silence()
      tellEnd(.failed)
      throw error
    }
    isLeft ? leave() : finish()
  }

  /// Ends the song at its present position.
  private mutating func leave() {
    lastTick = playback.position().tick
    silence()
    tellEnd(songs?.hasQuit == true ? .quit : .stopped)
  }

  /// Ends the song after its last sound.
  private mutating func finish() {
    plugins.update()
    if let ports { trouble.update(ports, isLast: true) }
    tellEnd(.finished)
    playback.end(draining: true)
    sync.drain()
    ports?.leaveSounding()
    plain?.end()
  }

  /// True after the end of the song and of the gap.
  ///
  /// A person who seeks back in the gap goes on with the song.
  private mutating func isOver() -> Bool {
    guard playback.hasFinished, gap > 0, songs?.hasNext == true else {
      end = nil
      return playback.hasFinished
    }
    let end = end ?? DeadlineWait.now + gap
    self.end = end
    return DeadlineWait.now >= end
  }

  /// Ends everything that sounds, gives the terminal back, and ends the process.
  private mutating func die(by number: Int32) -> Never {
    silence()
    live?.display.leave()
    live?.remember()
    connections.end()
    SignalWatch.die(by: number)
  }

  /// Follows ports, devices, plug-ins, other programs and persons, and shows the song.
  private mutating func update() throws {
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

  /// Performs the commands of signals and other programs; true if there were any.
  private func follow() -> Bool {
    controls.map { connections.follow($0, loop.signals, sync.events) } ?? false
  }

  /// Reports changes of the song, at most ten times a second.
  private mutating func tellHappenings(_ controls: PlayControls, isUrgent: Bool) {
    guard playerEvents.isDue(isUrgent: isUrgent) else { return }
    JSONReport.tell(playerEvents.changes(to: controls.status))
  }

  /// Reports the reason of the end.
  private func tellEnd(_ reason: EndReason) {
    guard let controls else { return }
    connections.server?.finish(controls, reason)
    guard JSONReport.isOn else { return }
    JSONReport.tell(PlayerEvents.end(controls.status, reason))
    if reason == .quit { JSONReport.setReason(reason.rawValue) }
  }

  /// Connects ports again that are back.
  func reconnect() throws {
    guard let ports else { return }
    for case .back(let endpoint) in try ports.update().told() {
      for name in ports.names(to: endpoint) { try playback.restoreState(of: name) }
    }
  }

  /// Stops while the device is lost, on ports too, and continues once it is back.
  private mutating func followDevice() throws {
    switch try device?.look() {
    case .lost where device?.policy == .pause && controls?.transport == nil && controls != nil:
      try controls?.perform(.setPaused(true), at: nil)
    case .lost: playback.stop()
    case .back where controls?.isPaused != true: try start()
    case .back, .moved, nil: break
    }
  }

  /// Starts the playback again, at the tempo that was set.
  private func start() throws {
    if let controls { try controls.start() } else { playback.start() }
  }

  /// Ends the playback at once, with all sounding notes.
  func silence() {
    playback.end(draining: false)
    sync.drain()
    // A failed playback may have left notes sounding, and a long SysEx delays note-offs.
    if playback.failure != nil || ports?.drain(within: Self.patience) == false {
      ports?.silence()
      ports?.drain(within: Self.patience)
    }
  }

  /// Silences the song and stops the process; once continued, the song goes on from the same place,
  /// with its state restored.
  func stop(by signals: SignalWatch) {
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
    do {
      if controls?.isPaused != true { try start() }
    } catch {
      Terminal.report("\(error)")
    }
    live?.display.enter()
  }
}

extension PlayRun: RunLoopBody {
  var descriptors: [Int32] {
    (ports?.descriptors ?? []) + sync.descriptors + (live?.display.descriptors ?? [])
      + connections.descriptors
  }

  /// The position is read 50 times a second: no descriptor reports it.
  var deadline: Int64? { min(DeadlineWait.now + Self.step, connections.deadline) }

  mutating func turn() throws -> Bool {
    try update()
    if isOver() { return try ports?.hasDrained() == false }
    isLeft = songs?.hasMoved == true
    if isLeft { return false }
    if let failure = playback.failure { throw failure }
    return true
  }
}
