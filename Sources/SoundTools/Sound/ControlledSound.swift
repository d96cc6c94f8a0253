// SPDX-License-Identifier: Apache-2.0
internal import CommandKit
internal import PlayerControl
internal import PlayerViews
internal import Realtime

/// The playback of a sound, with its remote control, keys and display.
struct ControlledSound<Target: LiveTarget> {
  let controls: Target
  /// The remote control; nil for none.
  let server: ControlServer?
  private(set) var live: LiveSound<Target>?
  /// The line to print when a file starts, for each file; empty to print nothing.
  private let lines: [String]
  /// The file whose line was printed last; nil for none.
  private var shown: Int?
  private var playerEvents = PlayerEvents()
  /// The time of the next progress report.
  private var nextPlace = Int64.max

  init(
    _ controls: Target, server: ControlServer?, live: LiveSound<Target>?, lines: [String] = []
  ) {
    self.controls = controls
    self.lines = lines
    self.server = server
    self.live = live
  }

  mutating func begin() {
    live?.frame.display.enter()
    server?.begin(controls)
    nextPlace = DeadlineWait.now + Self.second
    let status = controls.status
    printLine(status)
    tell(playerEvents.begin(status))
  }

  /// Applies the commands of the user, and updates the display.
  mutating func update(_ signals: SignalWatch, xruns: Int) {
    let isLed = controls.follow(signals, server)
    if JSONReport.isOn || !lines.isEmpty, playerEvents.isDue(isUrgent: isLed) {
      let status = controls.status
      printLine(status)
      tell(playerEvents.changes(to: status))
    }
    tellPlace()
    live?.update(xruns: xruns, isUrgent: isLed)
  }

  /// The file descriptors of the keys and the remote control.
  var descriptors: [Int32] {
    (live?.frame.display.descriptors ?? []) + (server?.descriptors ?? [])
  }

  private static var second: Int64 { 1_000_000_000 }
  /// The length of the fade before a pause, in nanoseconds.
  private static var fade: Int64 { 20_000_000 }

  /// Reports the position once a second while the sound plays.
  private mutating func tellPlace() {
    guard JSONReport.isOn, DeadlineWait.now >= nextPlace else { return }
    nextPlace += Self.second
    let status = controls.status
    guard !status.isPaused else { return }
    let told: [ControlProperty] = [.path, .index, .position, .duration]
    JSONReport.tell("progress", told.map { ($0.rawValue, $0.value(of: status)) })
  }

  /// Stops the process for Ctrl-Z.
  ///
  /// The sound fades out first, and continues afterwards.
  func stop(by signals: SignalWatch) {
    controls.rest {
      DeadlineWait.sleep(until: DeadlineWait.now + Self.fade)
      live?.frame.display.leave()
      signals.pause()
      live?.frame.display.enter()
    }
  }

  /// Restores the terminal, and reports the reason of the end, unless it is a signal.
  mutating func end(_ reason: EndReason?) {
    live?.frame.display.leave()
    if let reason {
      server?.finish(controls, reason)
      // A short file may have started since the last update.
      tell(playerEvents.changes(to: controls.status))
      tell(PlayerEvents.end(controls.status, reason))
    }
    if reason == .quit { JSONReport.setReason("quit") }
    server?.end()
  }

  /// Prints the line of the current file once, when it starts.
  private mutating func printLine(_ status: PlayStatus) {
    guard shown != status.index, lines.indices.contains(status.index) else { return }
    shown = status.index
    Terminal.report(lines[status.index])
  }

  /// Reports events.
  ///
  /// Those on files are reported only if the controls do not report them.
  private func tell(_ events: [PlayerEvents.Event]) {
    JSONReport.tell(
      events.filter { !Target.tellsFiles || !["start-file", "end-file"].contains($0.name) })
  }
}
