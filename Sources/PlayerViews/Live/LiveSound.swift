// SPDX-License-Identifier: Apache-2.0
internal import PlayerControl
internal import TerminalViews

/// The live view of a sound, with its keys.
package struct LiveSound<Target: LiveTarget> {
  package let frame: LiveFrame
  package let controls: Target
  private var parts = LiveParts()

  /// Creates a view.
  package init(frame: LiveFrame, controls: Target) {
    self.frame = frame
    self.controls = controls
  }

  /// Performs the keys, and draws; at once if another command was performed, too.
  package mutating func update(xruns: Int, isUrgent: Bool) {
    let keys = frame.keys()
    parts.pageCount = frame.display.pageCount
    for key in keys where !controls.hasEnded { act(key) }
    if isUrgent || !keys.isEmpty { frame.say(controls.message) }
    frame.show(isUrgent: isUrgent || !keys.isEmpty) { state in
      controls.fill(&state, xruns: xruns)
      state.hint = PlayKeys.hint(isPaused: state.mode == .paused)
      guard parts.overlay != nil else { return }
      state.helpPage = parts.page
      state.help = frame.display.bindings.help(hasBar: true) { $0.works(with: Target.self) }
    }
  }

  private mutating func act(_ key: Keystroke) {
    if case .click(let column, let row) = key {
      if let part = frame.display.fraction(column: column, row: row) { controls.go(to: part) }
    } else {
      controls.act(on: key, frame.display.bindings, &parts)
    }
  }
}
