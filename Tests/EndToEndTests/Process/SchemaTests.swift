// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import TestSupport
import Testing

/// The JSON output of commands, checked against the schemas in Documentation/schema.
@Suite struct SchemaTests {
  /// The commands whose output is checked against each schema.
  ///
  /// SONG, WAVE, LIST and FONT stand for files, BAD for an invalid one, and MADE… for a new one.
  private static let cases: [(schema: String, commands: [String])] = [
    (
      "info",
      [
        "info --json SONG", "info --json BAD", "info --json Songs/groove.mid",
        "info --json WRAPPED",
      ]
    ),
    (
      "check",
      [
        "check --json SONG", "check --json BAD", "check --json Songs/groove.mid",
        "check --json SONG --soundfont FONT", "check --json WRAPPED",
      ]
    ),
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
    ("config", ["config show --json"]), ("graph", ["graph --json", "graph SONG --form json"]),
    ("sound-formats", ["sound formats --json"]),
    ("effects", ["effects --json", "effects delay high-pass --json"]),
    (
      "sound-info",
      [
        "sound info --json WAVE", "sound info --json --loudness WAVE", "sound info --json BAD",
      ]
    ),
    ("lyrics", ["lyrics --json KARAOKE"]),
    (
      "report",
      [
        "edit SONG -o MADE.mid --do reverse --json", "edit BAD -o MADE.mid --json",
        "edit SONG -o MADE.mid --json", "new MADE.mid -o MADE.mid --json",
        "new Songs/groove.score -o MADE2.mid --json", "events --import LIST -o MADE3.mid --json",
        "plot SONG -o MADE.svg --json", "plot WAVE -o MADE.html --json",
        "render SONG -o MADE.wav --soundfont FONT --json",
        "render SONG BAD KARAOKE --output-dir MADE4 --soundfont FONT --length 1s --json",
        "render SONG -o MADE5 --stems channel --soundfont FONT --json",
        "render SONG -o /dev/null --format wav --soundfont FONT --json --overwrite",
        "sound convert WAVE -o MADE.flac --json", "sound convert BAD -o MADE2.flac --json",
        "sound cut WAVE -o MADE10.wav --to 10smp --json",
        "sound join WAVE WAVE -o MADE11.wav --json",
        "sound play WAVE --audio null --json", "sound alert ping --audio null --json",
        "sound record -o MADE6.wav --audio null --length 0.1s --json",
        "soundfont demo -o MADE7.wav --soundfont FONT --json",
        "soundfont trim FONT --song SONG -o MADE10.sf2 --json",
        "soundfont trim FONT --song SONG --song none.mid -o MADE11.sf2 --json",
        "edit SONG --embed --soundfont FONT -o MADE12.rmi --json",
        "soundfont convert FONT -o MADE13.sf2 --json",
        "play SONG BAD --audio null --soundfont FONT --json",
        "play none.mid --audio null --soundfont FONT --json",
        "clock serve NAME --for 1s --json", "send -p 14 on 60 1 --json",
        "record -o MADE8.mid --json", "synth --json --audio null --soundfont FONT",
        "thru -f 14 -t 14 --json", "panic --json", "mtc send --json", "clock send --json",
        "ltc send -o MADE9.wav --for 1s --json", "ltc send --audio null --for 1s --json",
        "ports connect a b --json", "ports disconnect a b --json",
      ]
    ),
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
    ("ltc-watch", ["ltc watch LABELS --json", "ltc watch LABELS --json --frames"]),
  ]

  /// Commands that open devices or ports, which a process must release.
  private static let devices: Set = [
    "clock", "devices", "doctor", "ltc", "mtc", "panic", "play", "ports", "record", "send", "synth",
    "thru",
  ]

  private static func written(_ words: [String]) throws -> (output: Data, errors: String) {
    guard devices.contains(words[0]) else {
      let run = try CommandRun(words)
      return (run.output, run.errors)
    }
    let run = try ToolRun(words)
    return (run.output, run.errors)
  }

  @Test(.enabled(if: SchemaJudge.isAvailable, SchemaJudge.reason))
  func `documents match their schemas`() throws {
    let scratch = try ScratchFolder()
    let sung = try LiveSong()
    defer { withExtendedLifetime(sung) {} }
    let names = [
      "SONG": try scratch.write("song.mid", SongBytes.notes(4, every: 240)),
      "BAD": try scratch.write("bad.mid", Array("nothing".utf8)),
      "WRAPPED": try scratch.write(
        "wrapped.rmi",
        WrappedSong.file(
          SongBytes.notes(1, every: 240), [WrappedSong.text("INAM", "A"), ("IPIC", [1])],
          bank: TinySoundFont.bytes)),
      "KARAOKE": sung.path, "WAVE": scratch.path("wave.wav"),
      "LABELS": scratch.path("labels.wav"),
      "FONT": "Soundfonts/Downbeat.sf2", "NAME": "test\(UInt32.random(in: 0 ... .max))",
      "LIST": try scratch.write(
        "list.csv",
        Array(
          """
          0, 0, Header, 0, 1, 480
          1, 0, Start_track
          1, 0, Note_on_c, 0, 60, 100
          1, 480, Note_off_c, 0, 60, 0
          1, 480, End_track
          0, 0, End_of_file

          """.utf8)),
    ]
    let wave = try CommandRun(["render", names["SONG"]!, "-o", names["WAVE"]!, "--length", "1"])
    try #require(wave.status == 0)
    let labels = try CommandRun([
      "ltc", "send", "-o", names["LABELS"]!, "--for", "2s", "--fps", "29.97df",
    ])
    try #require(labels.status == 0)
    for (schema, commands) in Self.cases {
      for command in commands {
        let words = command.split(separator: " ").map { word in
          word.hasPrefix("MADE") ? scratch.path(String(word)) : names[String(word)] ?? String(word)
        }
        let (output, errors) = try Self.written(words)
        #expect(!output.isEmpty, "\(command): \(errors)")
        #expect(try SchemaJudge.faults(of: output, in: schema) == "", "\(command)")
      }
    }
  }

  @Test(.enabled(if: SchemaJudge.isAvailable, SchemaJudge.reason))
  func `the lines of clock follow match their schema`() throws {
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
    #expect(try SchemaJudge.faults(of: follow.output, in: "clock-follow") == "")
    let shown = try ToolRun(
      ["clock", "show", "--sync", "clock:studio", "--json", "--for", "2s"],
      environment: ["XDG_RUNTIME_DIR": runtime])
    #expect(!shown.output.isEmpty, "\(shown.errors)")
    #expect(try SchemaJudge.faults(of: shown.output, in: "clock-follow") == "")
  }

  private func followed(in runtime: String) throws -> ToolRun {
    try ToolRun(
      ["clock", "follow", "--sync", "clock:studio", "--json", "--for", "2s"],
      environment: ["XDG_RUNTIME_DIR": runtime])
  }

  /// A document of many lines.
  private static let lined = ["saved-graph"]

  @Test(
    .enabled(if: SchemaJudge.isAvailable, SchemaJudge.reason),
    arguments: [
      "--effect reverb",
      "Songs/groove.mid --on 2=delay --bus hall=reverb --send 2=hall:-6dB --send 3=hall",
    ])
  func `a saved graph matches its schema`(flags: String) throws {
    let run = try CommandRun(
      ["graph"] + flags.split(separator: " ").map(String.init) + ["--save", "-"])
    #expect(run.status == 0, "\(run.errors)")
    let line = Data(run.text.replacing("\n", with: " ").utf8)
    #expect(try SchemaJudge.faults(of: line, in: "saved-graph") == "")
  }

  /// These need ports, and are checked in the tests with ports.
  private static let live = ["clock-watch", "monitor", "ports"]

  /// The messages between programs and a player are checked in `ControlTests`.
  private static let spoken = ["control"]

  /// The reports on plug-ins are checked in `LV2CommandTests`.
  private static let plugins = ["lv2"]

  @Test func `every schema is tested with the output of a command`() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: SchemaJudge.folder.path)
    let tried =
      Self.cases.map(\.schema) + Self.live + Self.spoken + Self.lined + Self.plugins
      + ["clock-follow"]
    #expect(Set(names) == Set(tried.map { "\($0).json" }))
  }
}
