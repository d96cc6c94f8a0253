// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import CommandKit
internal import CommandOptions
internal import JSONText
internal import PlayerControl
internal import PortTools
internal import SongTools

/// The command `downbeat ctl`, which controls a running player.
struct Ctl: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ctl",
    abstract: "Control a running player: pause, seek, set volume, show status.",
    discussion: """
      Controls the running player of this user: `play`, `sound play` or `synth`. If several \
      players are running, --socket selects one. Without --socket, the command goes to the player \
      that supports it if there is exactly one. A synth counts only if no other player supports \
      the command. Without a command, the player's status is shown. The exit status is 69 if no player is running, and 1 \
      if the player refuses the command; the message then lists the commands that the player \
      supports.

      EXAMPLES:
        downbeat ctl toggle
        downbeat ctl seek +10
        downbeat ctl seek 33.1.0
        downbeat ctl volume -3dB
        downbeat ctl program 1 violin
        downbeat ctl get time-pos title
        downbeat ctl observe pause playlist-pos --json
        downbeat ctl status --json

      COMMANDS:
      \(table(ControlVerb.allCases.compactMap(row)))

      PROPERTIES:
      \(table(ControlProperty.allCases.map { ($0.rawValue, $0.help) }))
      """)

  @Argument(
    parsing: .allUnrecognized,
    help: ArgumentHelp("Command and its arguments. Default: status.", valueName: "word"),
    completion: .controlWords)
  var words: [String] = []

  @Option(
    help: ArgumentHelp(
      "Socket of the player, if several players are running.", valueName: "socket"),
    completion: .file())
  var socket: String?

  @Flag(help: "Print the player's answers as JSON.")
  var json = false

  func run() throws {
    let name = words.first ?? "status"
    let verb = ControlVerb(name: name)
    let rest = Self.joined(Array(words.dropFirst()), of: verb)
    switch verb {
    case .get: try get(rest)
    case .observe: try observe(rest)
    default: try ask(verb, name, rest)
    }
  }

  /// Joins the words of times that were typed without quotes, such as `bar 33`.
  private static func joined(_ words: [String], of verb: ControlVerb?) -> [String] {
    switch verb {
    case .seek:
      let isMarked = words.count > 1 && ["absolute", "relative"].contains(words.last)
      let time = words.dropLast(isMarked ? 1 : 0)
      guard time.count > 1 else { return words }
      return [time.joined(separator: " ")] + words.suffix(isMarked ? 1 : 0)
    case .loop where words.count > 2 && words.count.isMultiple(of: 2):
      let half = words.count / 2
      return [words[..<half], words[half...]].map { $0.joined(separator: " ") }
    case .set where words.count > 2:
      return [words[0], words.dropFirst().joined(separator: " ")]
    default: return words
    }
  }

  private func ask(_ verb: ControlVerb?, _ name: String, _ words: [String]) throws {
    let values = words.map(JSONValue.text)
    // Wrong words are reported even without a player.
    _ = try ControlRequest.action(name, values)
    noteGain(verb, words)
    let client = try client(for: verb)
    let answer = try client.ask([.text(name)] + values)
    if let message = client.message { Terminal.report("\(name): \(message)") }
    if json {
      if case .null = answer { return }
      try Terminal.output(answer)
    } else if verb == .status {
      try Terminal.output(ControlText.lines(ofStatus: answer))
    } else if verb == .list {
      try Terminal.output(ControlText.lines(ofList: answer))
    }
  }

  /// Reports a volume that was probably meant as a factor: `volume 0.5`, `set volume 0.5`.
  private func noteGain(_ verb: ControlVerb?, _ words: [String]) {
    guard let gain = words.last,
      verb == .volume || verb == .set && words.first == ControlProperty.volume.rawValue
    else { return }
    Gain.note(on: gain, for: "volume ").map(Terminal.report)
  }

  private func get(_ names: [String]) throws {
    let properties = try properties(names)
    guard !properties.isEmpty else { _ = try ControlRequest.action("get", []); return }
    let client = try client()
    for property in properties {
      let value = try client.ask(["get", .text(property.rawValue)])
      if property == .playlist, !json {
        try Terminal.output(ControlText.lines(ofList: value))
      } else if json {
        try Terminal.output(value)
      } else {
        try Terminal.output(ControlText.text(of: property, value))
      }
    }
  }

  private func observe(_ names: [String]) throws {
    let properties = try properties(names)
    let client = try client()
    for (index, property) in properties.enumerated() {
      _ = try client.ask(["observe", .integer(index), .text(property.rawValue)])
    }
    while let event = try client.event() {
      if json { try Terminal.output(event) } else { try Terminal.output(Self.line(event)) }
    }
  }

  /// Returns an event as one line.
  private static func line(_ event: JSONValue) -> String {
    guard let name = event["name"]?.string, let property = ControlProperty(rawValue: name) else {
      return event["event"]?.string ?? ""
    }
    return "\(name) \(ControlText.text(of: property, event["data"] ?? .null))"
  }

  private func properties(_ names: [String]) throws -> [ControlProperty] {
    try names.map { name in
      guard case .get(let property) = try ControlRequest.action("get", [.text(name)]) else {
        throw Failure(.internalError, "internal error: get did not request a property")
      }
      return property
    }
  }

  /// Returns the player for a command.
  ///
  /// If several players run, it is the only one that supports the command. A synth, which may
  /// always run, is chosen only if no other player supports it.
  private func client(for verb: ControlVerb? = nil) throws -> ControlClient {
    if let socket { return try ControlClient(path: socket) }
    let paths = try RunningPlayers.paths()
    guard let first = paths.first else {
      throw Failure(.noDevice, "no player is running (start one: downbeat play SONG)")
    }
    return try ControlClient(path: paths.count == 1 ? first : Self.choice(of: paths, for: verb))
  }

  /// Chooses one of several players.
  private static func choice(of paths: [String], for verb: ControlVerb?) throws -> String {
    let players = paths.map(RunningPlayer.init)
    let able = players.filter { $0.kind.takes(verb) }
    let others = able.filter { $0.kind != .synth }
    let meant = others.isEmpty ? able : others
    if meant.count == 1 { return meant[0].path }
    let choice = players.map { "--socket \($0.path) \($0.words)" }.joined(separator: ", ")
    throw Failure(.usage, "\(paths.count) players are running (choose one: \(choice))")
  }
}

extension PlayStatus.Kind {
  /// Returns true if a player of this kind supports a command.
  ///
  /// Every kind supports commands that only ask, and no command.
  fileprivate func takes(_ verb: ControlVerb?) -> Bool {
    guard let verb, ![.status, .get, .set, .observe].contains(verb) else { return true }
    return switch self {
    case .song: PlayControls.verbs.contains(verb)
    case .sound: SoundControls.verbs.contains(verb)
    case .synth: SynthControls.verbs.contains(verb)
    case .clock: ClockControls.verbs.contains(verb)
    }
  }
}

extension Ctl {
  /// Returns the table row of a command, in the form that is typed here; nil if it cannot be used
  /// here.
  private static func row(_ verb: ControlVerb) -> (String, String)? {
    switch verb {
    case .get: ("get PROPERTY…", verb.help.text)
    case .observe: ("observe [PROPERTY…]", "print changes and events until the player ends")
    case .unobserve: nil
    default: ("\(verb.rawValue) \(verb.help.usage)", verb.help.text)
    }
  }

  private static func table(_ rows: [(String, String)]) -> String {
    let width = (rows.map(\.0.count).max() ?? 0) + 2
    return rows.map { name, text in
      "  \(name)\(String(repeating: " ", count: width - name.count))\(text)"
    }.joined(separator: "\n")
  }
}

extension CompletionKind {
  /// Completes commands for a player, and properties after the commands that need one.
  static var controlWords: CompletionKind {
    .custom { words, _, _ in
      let names = ["get", "set", "observe"]
      return words.dropLast().contains(where: names.contains)
        ? ControlProperty.allCases.map(\.rawValue) : ControlVerb.allCases.map(\.rawValue)
    }
  }
}
