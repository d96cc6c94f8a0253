// SPDX-License-Identifier: Apache-2.0

/// A sound that plays with all that leads it and shows it.
struct LedSound {
  let controls: SoundControls
  /// What lets other programs lead it; nil where none may.
  let server: ControlServer?
  let live: LiveSound?
  private var happenings = PlayHappenings()

  init(_ controls: SoundControls, server: ControlServer?, live: LiveSound?) {
    self.controls = controls
    self.server = server
    self.live = live
  }

  mutating func begin() {
    live?.frame.display.enter()
    server?.begin(controls)
    JSONReport.tell(happenings.begin(controls.status))
  }

  /// Does what is asked for, and draws.
  mutating func update(_ signals: SignalWatch, xruns: Int) {
    let isLed = controls.follow(signals, server)
    if JSONReport.isOn, happenings.isDue(isUrgent: isLed) {
      JSONReport.tell(happenings.changes(to: controls.status))
    }
    live?.update(xruns: xruns, isUrgent: isLed)
  }

  /// Ctrl-Z: silent until it is continued.
  func pause(_ signals: SignalWatch, afterFade fade: () -> Void) {
    controls.rest {
      fade()
      live?.frame.display.leave()
      signals.pause()
      live?.frame.display.enter()
    }
  }

  /// Gives the terminal back, and tells other programs why it is over; nothing of a signal.
  mutating func end(_ reason: String?) {
    live?.frame.display.leave()
    if let reason {
      server?.finish(controls, reason)
      // A short one may have begun since it was looked at last.
      JSONReport.tell(happenings.changes(to: controls.status))
      JSONReport.tell(PlayHappenings.end(controls.status, reason))
    }
    if reason == "quit" { JSONReport.setReason("quit") }
    server?.end()
  }
}
