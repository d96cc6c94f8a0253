// SPDX-License-Identifier: Apache-2.0
package import PlayerControl
package import TerminalViews

/// The controls of sounds that have a live view: files or streams.
///
/// - Note: One thread.
package protocol LiveTarget: ControlTarget {
  /// True if the player itself reports, with `--json`, when files begin and end; false by default.
  static var tellsFiles: Bool { get }

  /// Silences the player while the body runs, then continues unless it is paused.
  func rest(while body: () -> Void)

  /// Moves to a fraction of the sound, 0…1.
  func go(to part: Double)

  /// Fills a display with the state of the player.
  func fill(_ state: inout LiveState, xruns: Int)
}

extension LiveTarget {
  package static var tellsFiles: Bool { false }
}

extension ControlTarget {
  /// Performs the action of a key; another key closes the list in front.
  func act(on key: Keystroke, _ bindings: PlayKeys, _ parts: inout LiveParts) {
    switch bindings.action(of: key) ?? .show(.closeOverlay) {
    case .perform(let command): act(command)
    case .show(let change):
      if KeyAction.show(change).works(with: Self.self) { parts.apply(change) }
      message = ""
    }
  }
}
