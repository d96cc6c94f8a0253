// SPDX-License-Identifier: Apache-2.0
package import PlayerControl
package import TerminalViews

/// Sound that is led and can be shown: files, or streams.
///
/// - Note: one thread.
package protocol LiveTarget: ControlTarget {
  /// Whether it tells itself, with `--json`, where files begin and end.
  static var tellsFiles: Bool { get }

  /// Falls silent for a while, and goes on where it was if nobody has paused it.
  func rest(while body: () -> Void)

  /// Goes to a part of what is played, 0…1.
  func go(to part: Double)

  /// Gives a picture what it shows.
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
