// SPDX-License-Identifier: Apache-2.0
package import TerminalViews

/// The common part of live views: the display, the title and the last message.
package struct LiveFrame {
  package let display: LiveDisplay
  package let title: String

  package init(_ display: LiveDisplay, title: String = "") {
    self.display = display
    self.title = title
  }

  /// Shows a message in place of the previous one.
  package func say(_ text: String) { display.messages.say(text) }

  /// The keys pressed since the last call; messages that were printed meanwhile are shown.
  package func keys() -> [Keystroke] {
    display.messages.update()
    return display.keys()
  }

  /// Draws a state with the title and the last message, if the last one was drawn at least 100 ms
  /// ago.
  ///
  /// - Parameters:
  ///   - isUrgent: True to draw at once, after an action of the user.
  ///   - fill: Sets the other values of the state.
  package func show(isUrgent: Bool, _ fill: (inout LiveState) -> Void) {
    display.show(isUrgent: isUrgent) {
      var state = LiveState()
      (state.title, state.message) = (title, display.messages.text)
      fill(&state)
      return state
    }
  }
}
