// SPDX-License-Identifier: Apache-2.0
package import PlayerControl

/// The action of a key: a command for the player, or a change of the display.
package enum KeyAction: Hashable {
  case perform(PlayCommand)
  case show(LiveParts.Change)

  /// True if a player of this kind has the action; the displays of sounds and synths do not have
  /// channels and facts.
  ///
  /// - Parameter kind: The type of the controls, of a sound or a synth.
  /// - Returns: False for a command that the player refuses, and for a part that it does not have.
  package func works(with kind: any ControlTarget.Type) -> Bool {
    switch self {
    case .perform(.quitToResume): kind == PlayControls.self || kind == SoundControls.self
    case .perform(let command): kind.takes(command)
    case .show(let change): [.help, .closeOverlay].contains(change)
    }
  }
}
