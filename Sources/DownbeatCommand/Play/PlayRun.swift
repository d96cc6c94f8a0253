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

/// The playback of one song, from its first sound to its last, or until a signal.
struct PlayRun {
  private static let step: Int64 = 20_000_000
  /// The time in which queued events should be sent after a stop.
  static let patience = Duration.milliseconds(100)

  let playback: Playback
  let ports: OutputPorts?
  var sync: PlaySync
  let loop: RunLoop
  /// The list of songs; nil for a single song.
  let songs: SongQueue?
  /// The gap between this song and the next, in nanoseconds.
  var gap: Int64 = 0
  var live: LivePlay?
  var plain: PlainPlay?
  /// The controls of the song; nil if it cannot be controlled.
  var controls: PlayControls?
  /// The programs that control or observe the song.
  var connections = PlayConnections()
  /// The events for programs that read standard output.
  private var playerEvents = PlayerEvents()
  /// The position at which the user ended the song.
  private(set) var lastTick = Tick.zero
  /// The sound device; nil if only ports are used.
  var device: DeviceWatch?
  /// The plug-ins that process the sound.
  var plugins = PluginWatch(nil, isQuiet: true)
  /// Reports the events that the ports sent late or lost.
  let trouble: PortTrouble
  /// The end of the gap after the song, in nanoseconds; nil before the end of the song.
  private var end: Int64?
  /// True if the user ended the song.
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

  /// Plays to the end of the song and of the gap after it, or until the user ends it.
  ///
  /// A signal ends the process.
  /// The display stays on the screen for the next song.
  ///
  /// - Throws: The error that ended the playback early.
  mutating func play() throws {
    // The display would hide the report, which follows the line of the song.
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

  /// Ends the song at its current position.
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

  /// Returns true after the end of the song and of the gap.
  ///
  /// If the user seeks back during the gap, the song continues.
  private mutating func isOver() -> Bool {
    guard playback.hasFinished, gap > 0, songs?.hasNext == true else {
      end = nil
      return playback.hasFinished
    }
    let end = end ?? DeadlineWait.now + gap
    self.end = end
    return DeadlineWait.now >= end
  }

  /// Silences the song, restores the terminal, and ends the process.
  private mutating func die(by number: Int32) -> Never {
    silence()
    live?.display.leave()
    live?.remember()
    connections.end()
    SignalWatch.die(by: number)
  }

  /// Updates ports, devices, plug-ins and commands, and shows the song.
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

  /// Performs the commands of signals and other programs.
  ///
  /// Returns true if there were any.
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

  /// Reconnects ports that are back, and restores their state.
  func reconnect() throws {
    guard let ports else { return }
    for case .back(let endpoint) in try ports.update().told() {
      for name in ports.names(to: endpoint) { try playback.restoreState(of: name) }
    }
  }

  /// Stops while the device is lost, also on ports, and continues when it is back.
  private mutating func followDevice() throws {
    switch try device?.look() {
    case .lost where device?.policy == .pause && controls?.transport == nil && controls != nil:
      try controls?.perform(.setPaused(true), at: nil)
    case .lost: playback.stop()
    case .back where controls?.isPaused != true: try start()
    case .back, .moved, nil: break
    }
  }

  /// Starts the playback again at the current tempo.
  private func start() throws {
    if let controls { try controls.start() } else { playback.start() }
  }

  /// Ends the playback at once, with all sounding notes.
  func silence() {
    playback.end(draining: false)
    sync.drain()
    // After a failure, notes may still sound; and a long SysEx message delays note-offs.
    if playback.failure != nil || ports?.drain(within: Self.patience) == false {
      ports?.silence()
      ports?.drain(within: Self.patience)
    }
  }

  /// Silences the song and suspends the process.
  ///
  /// Afterwards, the song continues from the same position, with its controllers and programs
  /// restored.
  func stop(by signals: SignalWatch) {
    playback.stop()
    // The event thread handles the stop at once, and removes the events that it queued.
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

  /// The position is read 50 times per second, because no descriptor reports it.
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
