// SPDX-License-Identifier: Apache-2.0
internal import PlayerControl
internal import TerminalViews

/// The live view of sound that is led, and its keys.
package struct LiveSound<Target: LiveTarget> {
  package let frame: LiveFrame
  package let controls: Target

  /// Creates it from its parts.
  package init(frame: LiveFrame, controls: Target) {
    self.frame = frame
    self.controls = controls
  }

  /// Does what was typed, and draws, at once where something else was done too.
  package func update(xruns: Int, isUrgent: Bool) {
    let keys = frame.keys()
    for key in keys where !controls.hasMoved { act(key) }
    if isUrgent || !keys.isEmpty { frame.say(controls.said) }
    frame.show(isUrgent: isUrgent || !keys.isEmpty) { state in
      controls.fill(&state, xruns: xruns)
      state.hint = PlayKeys.hint
      state.help =
        controls.showsHelp ? frame.display.bindings.help(hasBar: true, Target.takes) : nil
    }
  }

  private func act(_ key: Keystroke) {
    if case .click(let column, let row) = key {
      if let part = frame.display.fraction(column: column, row: row) { controls.go(to: part) }
    } else {
      controls.act(frame.display.bindings.command(of: key) ?? .back)
    }
  }
}
