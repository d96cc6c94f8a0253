// SPDX-License-Identifier: Apache-2.0
internal import CommandKit
internal import PlayerControl
internal import PlayerViews
internal import Realtime

/// A sound that plays, with its remote control, keys and display.
struct ControlledSound<Target: LiveTarget> {
  let controls: Target
  /// The remote control; nil for none.
  let server: ControlServer?
  private(set) var live: LiveSound<Target>?
  /// The line that is printed when a file begins, for each file; empty to print none.
  private let lines: [String]
  /// The file whose line was printed last.
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

  /// Does what is asked for, and draws.
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

  /// The descriptors of keys and remote control.
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

  /// Ctrl-Z: silent until it is continued.
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
      // A short one may have begun since it was looked at last.
      tell(playerEvents.changes(to: controls.status))
      tell(PlayerEvents.end(controls.status, reason))
    }
    if reason == .quit { JSONReport.setReason("quit") }
    server?.end()
  }

  /// Prints the line of the present file once when it begins.
  private mutating func printLine(_ status: PlayStatus) {
    guard shown != status.index, lines.indices.contains(status.index) else { return }
    shown = status.index
    Terminal.report(lines[status.index])
  }

  /// Reports events; those about files only if the controls do not report them.
  private func tell(_ events: [PlayerEvents.Event]) {
    JSONReport.tell(
      events.filter { !Target.tellsFiles || !["start-file", "end-file"].contains($0.name) })
  }
}
