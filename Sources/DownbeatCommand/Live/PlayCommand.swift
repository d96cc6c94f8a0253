// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime
internal import TerminalViews

/// What a key, another program or a signal does to a song that plays.
enum PlayCommand: Hashable {
  /// Pauses, or goes on.
  case pause
  case setPaused(Bool)
  /// Pauses at the beginning.
  case stop
  /// So many seconds on.
  case seek(Int)
  case locate(SeekTime)
  case bars(Int)
  case marker(Int)
  case restart
  /// So many files on.
  case file(Int)
  /// Goes to a file, counted from 0.
  case goTo(Int)
  /// Percent of the written speed, more or less.
  case speed(Int)
  case speedFactor(numerator: Int64, denominator: Int64)
  case normalSpeed
  case setSpeed(Ratio)
  case tap
  case transpose(Int)
  case setTransposition(Int)
  /// Decibels more or less.
  case volume(Int)
  case setVolume(Double)
  case select(Int)
  case mute, solo, hearAll
  /// Which of some channels are mute, or played alone; bit n for channel index n.
  case setMuted(UInt16, among: UInt16)
  case setSoloed(UInt16, among: UInt16)
  case loopPart, loopSong
  case setLoop(SeekTime, SeekTime)
  case endLoop
  case panic
  case toggleChannels, toggleStatus, showFacts, showHelp, back
  case quit
  /// To quit, and to go on here another time.
  case leave
}

/// Which key does what: one table for the keys, their help, and the tests.
struct PlayKeys {
  /// Keys that do the same or the opposite, as they are told of.
  private struct Entry {
    let label: String
    let help: String
    let keys: [(Keystroke, PlayCommand)]

    init(_ label: String, _ help: String, _ keys: [(Keystroke, PlayCommand)]) {
      self.label = label
      self.help = help
      self.keys = keys
    }
  }

  /// What is told at the bottom.
  static let hint = "space pause   ←→ seek   ? all keys   q quit"

  private static let entries: [Entry] = [
    Entry("Space p", "pause", [(.text(" "), .pause), (.text("p"), .pause)]),
    Entry("← →", "5 seconds back, on", [(.left, .seek(-5)), (.right, .seek(5))]),
    Entry("Shift ← →", "1 second back, on", [(.shiftLeft, .seek(-1)), (.shiftRight, .seek(1))]),
    Entry("↓ ↑", "1 minute back, on", [(.down, .seek(-60)), (.up, .seek(60))]),
    Entry(", .", "a bar back, on", [(.text(","), .bars(-1)), (.text("."), .bars(1))]),
    Entry(
      "PgDn PgUp, b n", "the marker before, the next",
      [
        (.pageDown, .marker(-1)), (.pageUp, .marker(1)), (.text("b"), .marker(-1)),
        (.text("n"), .marker(1)),
      ]),
    Entry("Home r", "from the beginning", [(.home, .restart), (.text("r"), .restart)]),
    Entry(
      "< >, Enter", "the file before, the next",
      [(.text("<"), .file(-1)), (.text(">"), .file(1)), (.enter, .file(1))]),
    Entry(
      "l L", "loop: A, then B, then none; the whole song",
      [(.text("l"), .loopPart), (.text("L"), .loopSong)]),
    Entry("[ ]", "10 % slower, faster", [(.text("["), .speed(-10)), (.text("]"), .speed(10))]),
    Entry(
      "{ }", "half, double speed",
      [
        (.text("{"), .speedFactor(numerator: 1, denominator: 2)),
        (.text("}"), .speedFactor(numerator: 2, denominator: 1)),
      ]),
    Entry("Backspace", "as it is written: speed, tempo", [(.backspace, .normalSpeed)]),
    Entry("t", "tap the tempo", [(.text("t"), .tap)]),
    Entry(
      "- +", "a semitone down, up",
      [(.text("-"), .transpose(-1)), (.text("+"), .transpose(1)), (.text("="), .transpose(1))]),
    Entry(
      "9 0, / *", "softer, louder",
      [
        (.text("9"), .volume(-1)), (.text("0"), .volume(1)), (.text("/"), .volume(-1)),
        (.text("*"), .volume(1)), (.wheelDown, .volume(-1)), (.wheelUp, .volume(1)),
      ]),
    Entry(
      "Tab, Shift-Tab", "choose a channel", [(.tab, .select(1)), (.backTab, .select(-1))]),
    Entry("m s", "mute it, play it alone", [(.text("m"), .mute), (.text("s"), .solo)]),
    Entry("M", "hear all channels", [(.text("M"), .hearAll)]),
    Entry(
      "c o i", "channels, the rest, the song's facts",
      [
        (.text("c"), .toggleChannels), (.text("o"), .toggleStatus), (.text("i"), .showFacts),
      ]),
    Entry("!", "panic: end all that sounds", [(.text("!"), .panic)]),
    Entry("?", "these keys", [(.text("?"), .showHelp), (.escape, .back)]),
    Entry("q Ctrl-C", "quit", [(.text("q"), .quit)]),
    Entry("Q", "quit; play --resume goes on here", [(.text("Q"), .leave)]),
  ]

  private static let commands = Dictionary(
    entries.flatMap(\.keys), uniquingKeysWith: { first, _ in first })

  /// What a key does; nil for one that does nothing.
  static func command(of key: Keystroke) -> PlayCommand? { commands[key] }

  /// Whether a key ends what has no place to go on at.
  static func quits(_ key: Keystroke) -> Bool {
    [.quit, .leave].contains(command(of: key))
  }

  /// The keys that do something where not all commands do.
  ///
  /// - Parameters:
  ///   - hasBar: whether the mouse goes to places.
  ///   - isTaken: whether a command does something.
  /// - Returns: the keys and what they do.
  static func help(hasBar: Bool, _ isTaken: (PlayCommand) -> Bool = { _ in true })
    -> [LiveState.KeyHelp]
  {
    entries.filter { entry in entry.keys.contains { isTaken($0.1) } }
      .map { LiveState.KeyHelp($0.label, $0.help) }
      + (hasBar ? [LiveState.KeyHelp("click on the bar", "go there")] : [])
  }
}
