// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization
import TestSupport
import Testing

/// Settings in files and variables: their priority, and the reports on invalid ones.
@Suite struct ConfigTests {
  private let scratch: ScratchFolder

  init() throws {
    scratch = try ScratchFolder()
  }

  private func run(
    _ command: String, _ settings: String? = nil, _ variables: [String: String] = [:]
  ) throws -> CommandRun {
    var environment: [String: String?] = variables
    if let settings {
      environment["DOWNBEAT_CONFIG"] = try scratch.write("config.toml", Array(settings.utf8))
    }
    let words = command.split(separator: " ").map(String.init)
    return try CommandRun(words, environment: environment, folder: scratch.url)
  }

  @Test func `the command line overrides variables, and these override files`() throws {
    let file = "tempo = 60\n[convert]\ntempo = 90\nto = [\"ms\", \"bbt\"]\n"
    #expect(try run("convert 1b --to ms", "tempo = 60").text == "1000\n")
    #expect(try run("convert 3b", file).text == "2000  1|4|0\n")
    // The name that the option had before.
    #expect(try run("convert 1b --to ms", "bpm = 60").text == "1000\n")
    #expect(try run("convert 1b --to ms", nil, ["DOWNBEAT_CONVERT_BPM": "60"]).text == "1000\n")
    let variable = ["DOWNBEAT_CONVERT_TEMPO": "180", "DOWNBEAT_TEMPO": "30"]
    #expect(try run("convert 3b", file, variable).text == "1000  1|4|0\n")
    #expect(try run("convert 3b --tempo 360", file, variable).text == "500  1|4|0\n")
    #expect(try run("convert 3b --to s", file, variable).text == "1\n")
    #expect(try run("convert 3b --to ms", file, ["DOWNBEAT_TEMPO": "30"]).text == "6000\n")
    #expect(try run("convert 3b --to ms", nil, ["DOWNBEAT_CONFIG": ""]).text == "1500\n")
  }

  @Test func `a profile overrides the rest of its file`() throws {
    let file = "[convert]\ntempo = 60\nto = \"ms\"\n[profile.fast.convert]\ntempo = 120\n"
    #expect(try run("convert 1b", file).text == "1000\n")
    #expect(try run("convert --profile fast 1b", file).text == "500\n")
    #expect(try run("convert 1b --profile=fast", file).text == "500\n")
    #expect(try run("convert 1b", file, ["DOWNBEAT_PROFILE": "fast"]).text == "500\n")
    let none = try run("convert 1b --profile fats", file)
    #expect(none.status == 78)
    #expect(none.errors.contains("did you mean fast?"), "\(none.errors)")
    #expect(try run("convert 1b --profile", file).status == 64)
  }

  @Test func `flags are set, unset and overridden by their opposites`() throws {
    _ = try scratch.write("song.mid", SongBytes.notes(2, every: 240))
    #expect(try run("info song.mid", "[info]\njson = true").text.hasPrefix("{"))
    #expect(!(try run("info song.mid", "[info]\njson = false").text.hasPrefix("{")))
    #expect(try run("info song.mid", nil, ["DOWNBEAT_INFO_JSON": "yes"]).text.hasPrefix("{"))
    let graph = "[graph]\nreverb = false\n"
    let (dry, wet) = (try run("graph song.mid --no-reverb"), try run("graph song.mid"))
    try #require(dry.text != wet.text)
    #expect(try run("graph song.mid", graph).text == dry.text)
    #expect(try run("graph song.mid --reverb", graph).text == wet.text)
  }

  @Test func `a setting that excludes a typed option is ignored`() throws {
    _ = try scratch.write("song.mid", SongBytes.notes(2, every: 240))
    let file = "[render]\ngain = \"-3dB\"\n"
    #expect(try run("render song.mid -o a.wav --absolute-gain 0.5", file).status == 0)
    #expect(try run("render song.mid -o b.wav --normalize -1dB", file).status == 0)
  }

  @Test(arguments: [
    ("[keys]\n\"F1\" = \"pause\"", 2, "not a key"),
    ("[keys]\nj = \"none\"\nk = \"seke 3\"", 3, "did you mean seek?"),
    ("[keys]\nj = \"status\"", 2, "is not a playback command"),
    ("[keys]\nj = 3", 2, "must be a command"),
    ("[colors]\naccent = \"pink\"", 2, "not a colour"),
    ("[colors]\n\ntext = \"red\"", 3, "not the name of a colour"),
  ])
  func `an invalid key or colour is named with its line`(
    settings: String, line: Int, reason: String
  ) throws {
    _ = try scratch.write("song.mid", SongBytes.notes(2, every: 240))
    let file = settings + "\n"
    for command in ["config check", "play song.mid --audio null"] {
      let run = try run(command, file)
      #expect(run.status == 78, "\(command): \(run.errors)")
      #expect(run.errors.contains("config.toml: line \(line): "), "\(run.errors)")
      #expect(run.errors.contains(reason), "\(run.errors)")
    }
  }

  @Test(arguments: [
    ("gain = loud", 1, "write \"loud\" for a string"),
    ("[convert]\ntmepo = 3", 2, "did you mean tempo?"),
    ("[convert]\n\ntempo = \"loud\"", 3, "loud"), ("[convert]\nexact = 7", 2, "true or false"),
    ("[convert]\ntempo = true", 2, "a text or a number"),
  ])
  func `an invalid setting is named with its line`(
    settings: String, line: Int, reason: String
  ) throws {
    let run = try run("convert 1b --to ms", settings)
    #expect(run.status == 78, "\(run.errors)")
    #expect(run.errors.contains("config.toml: line \(line): "), "\(run.errors)")
    #expect(run.errors.contains(reason), "\(run.errors)")
    #expect(try self.run("convert --help", settings).status == 0)
  }

  @Test func `every option of every command can be set, but not of unknown commands`() throws {
    let check = try run("config check", "[paly]\ngain = 1\n[clock.send]\nbpm = 125\nrate = 1\n")
    #expect(check.errors.contains("did you mean play?"), "\(check.errors)")
    #expect(check.errors.split(separator: "\n").count == 2, "\(check.errors)")
    let well =
      "rate = 44100\nsoundfont = \"a.sf2\"\n[clock.send]\nbpm = 125\n[play]\nport=[\"a\"]\n"
    let run = try run("config check", well)
    #expect(run.status == 0, "\(run.errors)")
  }

  @Test func `settings are shown with their places`() throws {
    let shown = try run("config show", "[play]\ngain = \"-3dB\"\n", ["DOWNBEAT_PLAY_RATE": "44100"])
    #expect(shown.text.contains("play.gain = \"-3dB\"  # "), "\(shown.text)")
    #expect(shown.text.contains("config.toml: line 2\n"), "\(shown.text)")
    #expect(shown.text.contains("DOWNBEAT_PLAY_RATE=44100"), "\(shown.text)")
    let json = try run("config show --json", "[play]\ngain = \"-3dB\"\n")
    #expect(json.text.contains(#""path":["play","gain"],"value":"-3dB""#), "\(json.text)")
    let home = scratch.path("home")
    let path = try CommandRun(["config", "path"], environment: ["XDG_CONFIG_HOME": home])
    #expect(path.text == "\(home)/downbeat/config.toml\n")
  }

  @Test func `an editor gets a first file, and the result is checked`() throws {
    let home = scratch.path("home")
    let edit = { (editor: String) in
      try CommandRun(
        ["config", "edit"], environment: ["XDG_CONFIG_HOME": home, "VISUAL": editor])
    }
    #expect(try edit("true").status == 0)
    let file = "\(home)/downbeat/config.toml"
    let first = try String(contentsOfFile: file, encoding: .utf8)
    #expect(first.hasPrefix("# Settings"))
    #expect(try edit("sed -i '$a[paly]'").status == 0)
    let bad = try edit("sed -i '$again'")
    #expect(bad.status == 78)
    #expect(bad.errors.contains("line 8: "), "\(bad.errors)")
    #expect(try edit("false").status == 1)
  }

  @Test func `an editor that needs a terminal is refused without one, with the file's path`() throws
  {
    let home = scratch.path("home")
    for editor in [nil, "vim", "/usr/bin/nano -w"] {
      let run = try CommandRun(
        ["config", "edit"],
        environment: ["XDG_CONFIG_HOME": home, "VISUAL": editor, "EDITOR": nil])
      #expect(run.status == 64)
      #expect(
        run.errors.contains("needs a terminal (edit \(home)/downbeat/config.toml, or use downbeat"),
        "\(run.errors)")
    }
    #expect(!FileManager.default.fileExists(atPath: "\(home)/downbeat/config.toml"))
  }

  @Test func `settings are set, printed and removed, and the rest of the file stays`() throws {
    let old = """
      # Mine
      rate = 44100  # the card's
      [play]
      gain = "-6dB"

      [clock.send]
      bpm = 125

      """
    func config(_ words: String) throws -> CommandRun {
      try CommandRun(
        ["config"] + words.split(separator: " ").map(String.init),
        environment: ["DOWNBEAT_CONFIG": scratch.path("config.toml")])
    }
    try scratch.write(old, to: "config.toml")
    for line in [
      "set rate 48000", "set play.gain -3dB", "set play.port UM-ONE 24:0",
      "set play.metronome true",
      "set soundfont Soundfonts/Downbeat.sf2", "set render.bits 24", "set keys.Ctrl-L panic",
    ] {
      let run = try config(line)
      #expect(run.status == 0 && run.errors.isEmpty && run.text.isEmpty, "\(line): \(run.errors)")
    }
    let new = try String(contentsOfFile: scratch.path("config.toml"), encoding: .utf8)
    #expect(
      new == """
        # Mine
        rate = 48000  # the card's
        soundfont = "Soundfonts/Downbeat.sf2"
        [play]
        gain = "-3dB"
        port = ["UM-ONE", "24:0"]
        metronome = true

        [clock.send]
        bpm = 125

        [render]
        bits = 24

        [keys]
        Ctrl-L = "panic"

        """, "\(new)")
    #expect(try config("check").status == 0)
    #expect(try config("get play.gain").text == "-3dB\n")
    #expect(try config("get play.rate").text == "48000\n")
    #expect(try config("get play.port").text == "UM-ONE\n24:0\n")
    #expect(try config("get keys.Ctrl-L").text == "panic\n")
    #expect(try config("list").text == (try config("show").text))
    #expect(try config("unset play.gain").status == 0)
    let none = try config("get play.gain")
    #expect(none.status == 1 && none.errors.contains("play.gain: is not set"), "\(none.errors)")
    #expect(try config("unset play.gain").status == 1)
  }

  @Test func `a new file and one with line ends of Windows can be changed`() throws {
    let home = scratch.path("home")
    let set = try CommandRun(
      ["config", "set", "rate", "48000"],
      environment: ["XDG_CONFIG_HOME": home, "DOWNBEAT_CONFIG": nil])
    #expect(set.status == 0, "\(set.errors)")
    let file = "\(home)/downbeat/config.toml"
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "rate = 48000\n")
    try scratch.write("rate = 1\r\n[play]\r\ngain = \"-6dB\"\r\n", to: "config.toml")
    let changed = try CommandRun(
      ["config", "set", "play.gain", "-3dB"],
      environment: ["DOWNBEAT_CONFIG": scratch.path("config.toml")])
    #expect(changed.status == 0, "\(changed.errors)")
    let bytes = try FileContent.data(scratch.path("config.toml"))
    #expect(bytes == Data("rate = 1\r\n[play]\r\ngain = \"-3dB\"\n".utf8))
  }

  @Test func `a file above the size limit is not changed`() throws {
    let old = String(repeating: "# a comment\n", count: 100_000) + "[play]\ngain = \"-3dB\"\n"
    try scratch.write(old, to: "config.toml")
    let set = try CommandRun(
      ["config", "set", "rate", "48000"],
      environment: ["DOWNBEAT_CONFIG": scratch.path("config.toml")])
    #expect(set.status == 78 && set.errors.contains("larger than 1 MiB"), "\(set.errors)")
    #expect(try FileContent.data(scratch.path("config.toml")) == Data(old.utf8))
  }

  @Test func `a link stays a link, and its file keeps its mode`() throws {
    let file = try scratch.write("own.toml", Array("rate = 1\n".utf8))
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
    try FileManager.default.createSymbolicLink(
      atPath: scratch.path("config.toml"), withDestinationPath: file)
    let set = try CommandRun(
      ["config", "set", "rate", "48000"],
      environment: ["DOWNBEAT_CONFIG": scratch.path("config.toml")])
    #expect(set.status == 0, "\(set.errors)")
    #expect(try FileContent.data(file) == Data("rate = 48000\n".utf8))
    let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions]
    #expect(mode as? Int == 0o600)
  }

  @Test func `a value is printed unchanged in every locale, a variable first`() throws {
    let file = "soundfont = \"flügel.sf2\"\nrate = 44100\n"
    #expect(try run("config get soundfont", file, ["LC_ALL": "C"]).text == "flügel.sf2\n")
    #expect(try run("config get rate", file).text == "44100\n")
    #expect(try run("config get rate", file, ["DOWNBEAT_RATE": "48000"]).text == "48000\n")
    #expect(try run("config get config", file).status == 1)
  }

  @Test func `the command of a key needs no quotes`() throws {
    let set = try run("config set keys.j seek -10", "[keys]\n")
    #expect(set.status == 0, "\(set.errors)")
    let file = try String(contentsOfFile: scratch.path("config.toml"), encoding: .utf8)
    #expect(file == "[keys]\nj = \"seek -10\"\n")
  }

  @Test func `settings that are changed at the same time are all kept`() throws {
    let path = try scratch.write("config.toml", Array("# my settings\n".utf8))
    let runs = Mutex<[CommandRun]>([])
    DispatchQueue.concurrentPerform(iterations: 8) { index in
      do {
        let run = try CommandRun(
          ["config", "set", "keys.\(index)", "seek -10"],
          environment: ["DOWNBEAT_CONFIG": path], folder: scratch.url)
        runs.withLock { $0.append(run) }
      } catch {
        Issue.record(error)
      }
    }
    #expect(runs.withLock { $0.map(\.status) } == Array(repeating: 0, count: 8))
    let file = try String(contentsOfFile: path, encoding: .utf8)
    for index in 0..<8 { #expect(file.contains("\n\(index) = \"seek -10\"")) }
  }

  @Test func `a name that is not UTF-8 cannot be a setting`() throws {
    let set = try CommandRun(
      ["config", "set", "soundfont", "caf\u{10FEE9}.sf2"],
      environment: ["DOWNBEAT_CONFIG": scratch.path("config.toml")])
    #expect(set.status == 64 && set.errors.contains("not UTF-8"), "\(set.errors)")
  }

  @Test func `a gain that may be meant as a factor is reported once`() throws {
    let check = try run("config check", "gain = \"0.5\"\n")
    #expect(check.errors.components(separatedBy: "raises the level").count == 2, "\(check.errors)")
  }

  @Test func `settings that are not valid are refused, and the file stays as it was`() throws {
    let old = "play = { gain = \"-6dB\" }\n"
    try scratch.write(old, to: "config.toml")
    for (line, status, part) in [
      (
        "set play.gian 3", 64,
        "play.gian: gian: not an option of downbeat play (did you mean gain?)"
      ),
      ("set paly.gain 3", 64, "[paly]: not a command (did you mean play?)"),
      ("set render.bits many", 64, "bits"),
      ("set play.gain -3dB", 78, "downbeat config edit"),
      ("set keys.j frobnicate", 64, "frobnicate"),
      ("set play.gain", 64, "needs a name and a value"),
      ("set foo bar", 64, "downbeat: config set: foo: not an option of downbeat"),
      ("set play.gain=-3dB", 64, "(write a space: downbeat config set play.gain -3dB)"),
      ("set play..gain 3", 64, "not the name of a setting"),
    ] as [(String, Int32, String)] {
      let run = try CommandRun(
        ["config"] + line.split(separator: " ").map(String.init),
        environment: ["DOWNBEAT_CONFIG": scratch.path("config.toml")])
      #expect(run.status == status, "\(line): \(run.status) \(run.errors)")
      #expect(run.errors.contains(part), "\(line): \(run.errors)")
    }
    #expect(try String(contentsOfFile: scratch.path("config.toml"), encoding: .utf8) == old)
  }
}
