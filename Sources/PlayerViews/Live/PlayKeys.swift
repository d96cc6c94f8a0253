// SPDX-License-Identifier: Apache-2.0
internal import CommandKit
internal import JSONText
internal import PlayerControl
package import TerminalViews

/// The actions of the keys, with their help, and the user's changes.
package struct PlayKeys {
  /// Keys with the same action or opposite actions, with their help.
  private struct Entry {
    let label: String
    let help: String
    let keys: [(Keystroke, KeyAction)]

    init(
      _ label: String, _ help: String, _ keys: [(Keystroke, PlayCommand)],
      showing parts: [(Keystroke, LiveParts.Change)] = []
    ) {
      self.label = label
      self.help = help
      self.keys =
        keys.map { ($0, .perform($1)) } + parts.map { ($0, .show($1)) }
    }
  }

  /// The line at the bottom.
  ///
  /// - Parameter isPaused: True if the space bar resumes.
  /// - Returns: The most important keys.
  package static func hint(isPaused: Bool) -> String {
    // In ASCII, arrows would look like the keys < and >.
    let arrows = LocaleText.shown("←→")
    return "space \(isPaused ? "play" : "pause")   \(arrows) seek   ? all keys   q quit"
  }

  private static let entries: [Entry] = [
    Entry("Space p", "pause", [(.text(" "), .togglePause), (.text("p"), .togglePause)]),
    Entry(
      "← →", "5 seconds back, forward", [(.left, .skipSeconds(-5)), (.right, .skipSeconds(5))]),
    Entry(
      "Shift ← →", "1 second back, forward",
      [(.shiftLeft, .skipSeconds(-1)), (.shiftRight, .skipSeconds(1))]),
    Entry("↓ ↑", "1 minute back, forward", [(.down, .skipSeconds(-60)), (.up, .skipSeconds(60))]),
    Entry(", .", "a bar back, forward", [(.text(","), .skipBars(-1)), (.text("."), .skipBars(1))]),
    Entry(
      "PgDn PgUp, b n", "previous, next marker",
      [
        (.pageDown, .skipMarkers(-1)), (.pageUp, .skipMarkers(1)), (.text("b"), .skipMarkers(-1)),
        (.text("n"), .skipMarkers(1)),
      ]),
    Entry("Home r", "go to the beginning", [(.home, .restart), (.text("r"), .restart)]),
    Entry(
      "< >, Enter", "previous, next file",
      [(.text("<"), .skipFiles(-1)), (.text(">"), .skipFiles(1)), (.enter, .skipFiles(1))]),
    Entry(
      "l L", "loop: set A, set B, off; whole song",
      [(.text("l"), .cycleLoop), (.text("L"), .toggleSongLoop)]),
    Entry(
      "[ ]", "10 % slower, faster",
      [(.text("["), .changeSpeed(-10)), (.text("]"), .changeSpeed(10))]),
    Entry(
      "{ }", "half, double speed",
      [
        (.text("{"), .multiplySpeed(numerator: 1, denominator: 2)),
        (.text("}"), .multiplySpeed(numerator: 2, denominator: 1)),
      ]),
    Entry("Backspace", "play the song as written", [(.backspace, .resetAll)]),
    Entry("t", "tap the tempo", [(.text("t"), .tap)]),
    Entry(
      "- +", "a semitone down, up",
      [
        (.text("-"), .changeTransposition(-1)), (.text("+"), .changeTransposition(1)),
        (.text("="), .changeTransposition(1)),
      ]),
    Entry(
      "9 0, / *", "softer, louder",
      [
        (.text("9"), .changeVolume(-1)), (.text("0"), .changeVolume(1)),
        (.text("/"), .changeVolume(-1)),
        (.text("*"), .changeVolume(1)), (.wheelDown, .changeVolume(-1)),
        (.wheelUp, .changeVolume(1)),
      ]),
    Entry(
      "Tab, Shift-Tab", "select a channel",
      [(.tab, .selectChannel(1)), (.backTab, .selectChannel(-1))]),
    Entry("m s", "mute, solo the channel", [(.text("m"), .toggleMute), (.text("s"), .toggleSolo)]),
    Entry("M", "end all mutes and solos", [(.text("M"), .unmuteAll)]),
    Entry(
      "c o i", "show channels, other fields, song facts",
      [], showing: [(.text("c"), .channels), (.text("o"), .fields), (.text("i"), .facts)]),
    Entry("!", "panic: stop all notes", [(.text("!"), .panic)]),
    Entry("?", "show all keys", [], showing: [(.text("?"), .help), (.escape, .closeOverlay)]),
    Entry("q Ctrl-C", "quit", [(.text("q"), .quit)]),
    Entry("Q", "quit and save the position for --resume", [(.text("Q"), .quitToResume)]),
  ]

  /// The words for keys in addition to those of `ctl`.
  private static let keyWords: [(word: String, action: KeyAction)] = [
    ("loop-here", .perform(.cycleLoop)), ("choose-next", .perform(.selectChannel(1))),
    ("choose-previous", .perform(.selectChannel(-1))), ("mute-chosen", .perform(.toggleMute)),
    ("solo-chosen", .perform(.toggleSolo)), ("channels", .show(.channels)),
    ("fields", .show(.fields)),
    ("facts", .show(.facts)), ("keys", .show(.help)), ("leave", .perform(.quitToResume)),
  ]

  private var actions = Dictionary(
    entries.flatMap(\.keys), uniquingKeysWith: { first, _ in first })
  /// The words that the user has assigned to keys.
  private var own: [Keystroke: String] = [:]

  /// Assigns an action to a key.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - words: A command of `downbeat ctl`, such as `seek -10`; a word of the display, such as
  ///     `facts`; or `none`.
  /// - Throws: `ControlError.Kind.usage` for an unknown command.
  mutating func bind(_ key: Keystroke, to words: String) throws(ControlError) {
    if words == "none" {
      actions[key] = nil
    } else if let known = Self.keyWords.first(where: { $0.word == words }) {
      actions[key] = known.action
    } else {
      let parts = words.split(separator: " ").map(String.init)
      let action = try ControlRequest.action(parts.first ?? "", parts.dropFirst().map { .text($0) })
      guard case .perform(let command) = action else {
        throw ControlError(.usage, "'\(words)' is not a playback command")
      }
      actions[key] = .perform(command)
    }
    own[key] = words
  }

  /// The action of a key; nil for a key without one.
  package func action(of key: Keystroke) -> KeyAction? { actions[key] }

  /// True if a key ends a view that cannot be resumed.
  func quits(_ key: Keystroke) -> Bool {
    [.perform(.quit), .perform(.quitToResume)].contains(action(of: key))
  }

  /// The list of keys for a player.
  ///
  /// - Parameters:
  ///   - hasBar: True if a mouse click seeks.
  ///   - works: Returns true for the actions that the player has.
  /// - Returns: The keys and their actions.
  package func help(
    hasBar: Bool, _ works: (KeyAction) -> Bool = { _ in true }
  ) -> [LiveState.KeyHelp] {
    Self.entries.filter { entry in entry.keys.contains { works($0.1) } }.compactMap(help)
      + own.filter { key, _ in actions[key].map(works) ?? false }
      .map { LiveState.KeyHelp($0.name, $1) }.sorted { $0.keys < $1.keys }
      + (hasBar ? [LiveState.KeyHelp("click on the bar", "go to this position")] : [])
  }

  /// The help of an entry, without keys that the user has changed; nil if none is left.
  private func help(_ entry: Entry) -> LiveState.KeyHelp? {
    guard entry.keys.contains(where: { own[$0.0] != nil }) else {
      return LiveState.KeyHelp(LocaleText.shown(entry.label), entry.help)
    }
    let left = entry.keys.filter { own[$0.0] == nil }.map(\.0.name)
    return left.isEmpty ? nil : LiveState.KeyHelp(left.joined(separator: " "), entry.help)
  }
}
