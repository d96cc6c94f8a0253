// SPDX-License-Identifier: Apache-2.0
package import TerminalViews

/// What every live view begins with: where it is drawn, its title, and what was said last.
package struct LiveFrame {
  package let display: LiveDisplay
  package let title: String

  package init(_ display: LiveDisplay, title: String = "") {
    self.display = display
    self.title = title
  }

  /// Says something in the place of what was said before.
  package func say(_ text: String) { display.messages.say(text) }

  /// The keys that were typed since the last call; what was said meanwhile is taken up.
  package func keys() -> [Keystroke] {
    display.messages.update()
    return display.keys()
  }

  /// Draws a state with the title and what was said, where the last was drawn a while ago.
  ///
  /// - Parameters:
  ///   - isUrgent: whether a person waits to see it.
  ///   - fill: gives the state all else.
  package func show(isUrgent: Bool, _ fill: (inout LiveState) -> Void) {
    display.show(isUrgent: isUrgent) {
      var state = LiveState()
      (state.title, state.message) = (title, display.messages.text)
      fill(&state)
      return state
    }
  }
}
