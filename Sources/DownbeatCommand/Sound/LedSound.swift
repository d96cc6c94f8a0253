// SPDX-License-Identifier: Apache-2.0

/// A sound that plays with all that leads it and shows it.
struct LedSound {
  let controls: SoundControls
  /// What lets other programs lead it; nil where none may.
  let server: ControlServer?
  let live: LiveSound?

  func begin() {
    live?.frame.display.enter()
    server?.begin(controls)
  }

  /// Does what is asked for, and draws.
  func update(_ signals: SignalWatch, xruns: Int) {
    let isLed = controls.follow(signals, server)
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
  func end(_ reason: String?) {
    live?.frame.display.leave()
    if let reason { server?.finish(controls, reason) }
    if reason == "quit" { JSONReport.setReason("quit") }
    server?.end()
  }
}
