// SPDX-License-Identifier: Apache-2.0
internal import JSONText

/// Advice for names that are not commands of a player: commands of other players, and misspellings.
enum ForeignVerbs {
  /// Commands of other players, such as mpv, VLC and mocp, with the command to use instead.
  private static let meanings = [
    "resume": "play", "unpause": "play", "continue": "play", "start": "play",
    "gain": "volume", "vol": "volume", "loudness": "volume",
    "volup": "louder", "volume-up": "louder", "voldown": "softer", "volume-down": "softer",
    "quieter": "softer", "rewind": "seek -10", "backward": "seek -10", "forward": "seek +10",
    "jump": "seek", "goto": "seek", "position": "seek", "pos": "seek", "time": "get time-pos",
    "skip": "next", "prev": "previous", "back": "previous", "begin": "restart",
    "exit": "quit", "kill": "quit", "end": "quit", "info": "status", "show": "status",
    "rate": "speed", "bpm": "tempo", "pitch": "transpose",
    "repeat": "loop-song", "unloop": "no-loop", "ab-loop": "loop", "playlist": "list",
    "queue": "list", "instrument": "program", "patch": "program", "silence": "panic",
    "all-notes-off": "panic", "pause-toggle": "toggle", "play-pause": "toggle",
    "playpause": "toggle", "cycle": "toggle",
  ]

  /// Describes the command that replaces an unknown one.
  ///
  /// - Parameter name: The command.
  /// - Returns: A phrase for the brackets of an error: `try play`, `did you mean pause?`, or the
  ///   help that lists all commands.
  static func advice(for name: String) -> String {
    let names = ControlVerb.allCases.map(\.rawValue)
    if let ours = meanings[name.lowercased()] { return "try \(ours)" }
    if ControlProperty(rawValue: name) != nil { return "try get \(name)" }
    if let verbAndValue = verbAndValue(name) { return verbAndValue }
    let near = NearestNames.nearest(to: name, among: names)
    return near.map { "did you mean \($0)?" } ?? ControlWords.help
  }

  /// The advice for a command and its value in one word, such as `louder5` or `seek+10`.
  private static func verbAndValue(_ name: String) -> String? {
    guard let match = name.wholeMatch(of: /([a-z-]*[a-z])([+-]?[0-9].*)/),
      let verb = ControlVerb(rawValue: String(match.1))
    else { return nil }
    let (usage, text) = verb.help
    return usage.isEmpty ? "try \(verb.rawValue): \(text)" : "try \(verb.rawValue) \(match.2)"
  }
}
