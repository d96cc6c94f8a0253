// SPDX-License-Identifier: Apache-2.0
internal import CommandKit
internal import PlayerControl
internal import PlayerViews
internal import Realtime

/// A sound that plays with all that leads it and shows it.
struct LedSound<Target: LiveTarget> {
  package let controls: Target
  /// What lets other programs lead it; nil where none may.
  package let server: ControlServer?
  package let live: LiveSound<Target>?
  private var happenings = PlayHappenings()
  /// When its place is told next.
  private var nextPlace = Int64.max

  package init(_ controls: Target, server: ControlServer?, live: LiveSound<Target>?) {
    self.controls = controls
    self.server = server
    self.live = live
  }

  package mutating func begin() {
    live?.frame.display.enter()
    server?.begin(controls)
    nextPlace = DeadlineWait.now + Self.second
    tell(happenings.begin(controls.status))
  }

  /// Does what is asked for, and draws.
  package mutating func update(_ signals: SignalWatch, xruns: Int) {
    let isLed = controls.follow(signals, server)
    if JSONReport.isOn, happenings.isDue(isUrgent: isLed) {
      tell(happenings.changes(to: controls.status))
    }
    tellPlace()
    live?.update(xruns: xruns, isUrgent: isLed)
  }

  private static var second: Int64 { 1_000_000_000 }

  /// Tells other programs once a second where it is, while it plays.
  private mutating func tellPlace() {
    guard JSONReport.isOn, DeadlineWait.now >= nextPlace else { return }
    nextPlace += Self.second
    let status = controls.status
    guard !status.isPaused else { return }
    let told: [ControlProperty] = [.path, .index, .position, .duration]
    JSONReport.tell("progress", told.map { ($0.rawValue, $0.value(of: status)) })
  }

  /// Ctrl-Z: silent until it is continued.
  package func pause(_ signals: SignalWatch, afterFade fade: () -> Void) {
    controls.rest {
      fade()
      live?.frame.display.leave()
      signals.pause()
      live?.frame.display.enter()
    }
  }

  /// Gives the terminal back, and tells other programs why it is over; nothing of a signal.
  package mutating func end(_ reason: String?) {
    live?.frame.display.leave()
    if let reason {
      server?.finish(controls, reason)
      // A short one may have begun since it was looked at last.
      tell(happenings.changes(to: controls.status))
      tell(PlayHappenings.end(controls.status, reason))
    }
    if reason == "quit" { JSONReport.setReason("quit") }
    server?.end()
  }

  /// Tells other programs; of files only where nobody else does.
  private func tell(_ events: [PlayHappenings.Event]) {
    JSONReport.tell(
      events.filter { !Target.tellsFiles || !["start-file", "end-file"].contains($0.name) })
  }
}
