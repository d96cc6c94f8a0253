// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import TestSupport
import Testing

/// What commands write for programs, held to the schemas of Documentation/schema.
@Suite struct SchemaTests {
  private static let python = "/usr/bin/python3"
  private static let folder = ToolRun.packageFolder.appendingPathComponent("Documentation/schema")
  static let hasValidator =
    (try? ToolRun(["-c", "import jsonschema"], command: python).status) == 0

  /// Reads a schema's path and documents, one a line, from standard input; tells what is wrong.
  private static let judge = """
    import json, sys, jsonschema
    schema = json.load(open(sys.argv[1]))
    jsonschema.Draft202012Validator.check_schema(schema)
    judge = jsonschema.Draft202012Validator(schema)
    for line in sys.stdin:
        for error in judge.iter_errors(json.loads(line)):
            print(error.message[:400], [e.message[:200] for e in error.context][:6])
    """

  /// What each schema is tried on; SONG, WAVE and FONT stand for files, BAD for one that is none.
  private static let cases: [(schema: String, commands: [String])] = [
    ("info", ["info --json SONG", "info --json BAD", "info --json Songs/groove.mid"]),
    ("check", ["check --json SONG", "check --json BAD", "check --json Songs/groove.mid"]),
    ("events", ["events --jsonl SONG", "events --jsonl Songs/groove.mid"]),
    (
      "convert",
      [
        "convert --json 1:30", "convert --json 1:30 2b", "convert --jsonl 12.3.240 7/3q nonsense",
        "convert --json --song SONG 50%", "convert --jsonl 01:00:00:00 --fps 29.97df",
        "convert --jsonl 125bpm --to ms",
      ]
    ),
    ("devices", ["devices --json"]), ("doctor", ["doctor --json"]),
    ("config", ["config show --json"]), ("graph", ["graph --form json", "graph SONG --form json"]),
    ("sound-formats", ["sound formats --json"]),
    ("sound-info", ["sound info --json WAVE", "sound info --json BAD"]),
    ("sound-play", ["sound play WAVE --audio null --json"]),
    ("lyrics", ["lyrics --json KARAOKE"]),
    (
      "soundfont-check",
      [
        "soundfont check --json FONT", "soundfont check --json BAD",
        "soundfont check --json FONT --song SONG",
      ]
    ),
    ("soundfont-info", ["soundfont info --json FONT"]),
    ("soundfont-list", ["soundfont list --json Soundfonts"]),
    ("soundfont-presets", ["soundfont presets --json FONT"]),
    ("soundfont-which", ["soundfont which --json"]),
  ]

  @Test(.enabled(if: hasValidator, "no jsonschema: apt install python3-jsonschema"))
  func `documents are as their schemas say`() throws {
    let scratch = try ScratchFolder()
    let sung = try LiveSong()
    defer { withExtendedLifetime(sung) {} }
    let names = [
      "SONG": try scratch.write("song.mid", SongBytes.notes(4, every: 240)),
      "BAD": try scratch.write("bad.mid", Array("nothing".utf8)),
      "KARAOKE": sung.path, "WAVE": scratch.path("wave.wav"),
      "FONT": "Soundfonts/Downbeat.sf2",
    ]
    let wave = try ToolRun(["render", names["SONG"]!, "-o", names["WAVE"]!, "--length", "1"])
    try #require(wave.status == 0)
    for (schema, commands) in Self.cases {
      for command in commands {
        let words = command.split(separator: " ").map { names[String($0)] ?? String($0) }
        let run = try ToolRun(words)
        #expect(!run.output.isEmpty, "\(command): \(run.errors)")
        #expect(try Self.faults(of: run.output, in: schema) == "", "\(command)")
      }
    }
  }

  /// What is wrong with documents, one a line; nothing where there is no validator.
  static func faults(of documents: Data, in schema: String) throws -> String {
    guard hasValidator else { return "" }
    let verdict = try ToolRun(
      ["-c", judge, folder.appendingPathComponent("\(schema).json").path], input: documents,
      command: python)
    return verdict.text + (verdict.status == 0 ? "" : verdict.errors)
  }

  @Test(.enabled(if: hasValidator, "no jsonschema: apt install python3-jsonschema"))
  func `a served clock is followed in lines as their schema says`() throws {
    let scratch = try ScratchFolder()
    let runtime = scratch.path("runtime")
    try FileManager.default.createDirectory(
      atPath: runtime, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    let served = try RunningTool(
      ["clock", "serve", "studio"], environment: ["XDG_RUNTIME_DIR": runtime], folder: scratch.url)
    defer { #expect(throws: Never.self) { try served.end(by: SIGKILL) } }
    var follow = try followed(in: runtime)
    for _ in 0..<50 where follow.output.isEmpty { follow = try followed(in: runtime) }
    try #require(!follow.output.isEmpty, "\(follow.errors)")
    #expect(try Self.faults(of: follow.output, in: "clock-follow") == "")
  }

  private func followed(in runtime: String) throws -> ToolRun {
    try ToolRun(
      ["clock", "follow", "--sync", "clock:studio", "--json", "--for", "2s"],
      environment: ["XDG_RUNTIME_DIR": runtime])
  }

  /// What only ports can bring about is held to its schema where there are ports.
  private static let live = ["clock-watch", "monitor", "mtc-watch", "ports"]

  /// `ControlTests` holds what programs and a player say to each other.
  private static let spoken = ["control"]

  @Test func `every schema is tried on what a command writes`() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
    let tried = Self.cases.map(\.schema) + Self.live + Self.spoken + ["clock-follow"]
    #expect(Set(names) == Set(tried.map { "\($0).json" }))
  }
}
