// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// The words of the command line: names of commands, fonts and files, numbers of programs, and
/// times.
@Suite struct CommandLineTests {
  private let scratch: ScratchFolder

  init() throws {
    scratch = try ScratchFolder()
  }

  private func run(
    _ command: String, environment: [String: String?] = [:], _ files: [String: String] = [:]
  ) throws -> CommandRun {
    let words = command.split(separator: " ").map { files[String($0)] ?? String($0) }
    return try CommandRun(words, environment: environment)
  }

  @Test func `a file that is too large is refused unread`() throws {
    // Sparse: 64 GiB would take minutes to read.
    let path = try scratch.write("large.mid", SongBytes.notes(2, every: 240))
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    try file.truncate(atOffset: 64 << 30)
    try file.close()
    let script = "ulimit -v 1000000; \"$0\" info \"$1\" && exit 1; exec \"$0\" info - < \"$1\""
    let run = try ToolRun(
      ["-c", script, ToolRun.command, path], command: "/bin/bash", limit: 60)
    #expect(run.status == 66, "\(run.status) \(run.errors)")
    #expect(run.errors.contains("large.mid: larger than 1 GiB"), "\(run.errors)")
    #expect(run.errors.contains("standard input: larger than 1 GiB"), "\(run.errors)")
  }

  @Test(arguments: [
    ("graph --graph /dev/zero", 66, "/dev/zero: larger than 64 MiB"),
    ("new /dev/zero -o x.mid", 66, "/dev/zero: larger than 4 MiB"),
    ("render Songs/canon.mid -o x.wav --clips /dev/zero", 66, "/dev/zero: larger than 4 MiB"),
  ])
  func `an endless document is refused at its limit`(
    command: String, status: Int32, sentence: String
  ) throws {
    let words = command.split(separator: " ").map {
      $0.hasPrefix("x.") ? scratch.path("\($0)") : "\($0)"
    }
    let run = try ToolRun(words, limit: 60)
    #expect(run.status == status && run.errors.contains(sentence), "\(run.status) \(run.errors)")
  }

  @Test func `a list of events of empty lines takes the memory of its bytes`() throws {
    let path = try scratch.write(
      "list.jsonl",
      Array((#"{"type":"header","format":1,"tracks":1,"division":{"ppqn":480}}"# + "\n").utf8)
        + [UInt8](repeating: 0x0A, count: 12 << 20))
    // An array of the lines would take 384 MiB, and half of that more as it grows.
    let script = "ulimit -d 400000; exec \"$0\" events --import \"$1\" -o \"$1.mid\""
    let run = try ToolRun(["-c", script, ToolRun.command, path], command: "/bin/bash")
    #expect(run.status == 0, "\(run.status) \(run.errors)")
  }

  @Test func `the short flag shows the version`() throws {
    let run = try run("-V")
    #expect(run.status == 0)
    #expect(try run.text == self.run("--version").text)
  }

  @Test(arguments: [
    ("plya", "did you mean play?"), ("help nosuch", "downbeat --help"),
    ("help sound nfo", "did you mean info?"), ("sound nfo", "did you mean info?"),
    ("clock nosuch", "downbeat clock --help"), ("soundfont lsit", "did you mean list?"),
    ("ports conect a b", "did you mean connect?"), ("clock snd", "did you mean send?"),
    ("soundfont lst", "did you mean list?"), ("help soundfont lst", "did you mean list?"),
    ("help clock wach", "did you mean watch?"), ("mtc sned", "did you mean send?"),
    ("help plya", "did you mean play?"), ("help doctr", "did you mean doctor?"),
  ])
  func `a name that no command has is refused`(command: String, hint: String) throws {
    let run = try run(command)
    #expect(run.status == 64, "\(run.errors)")
    #expect(run.errors.contains(hint), "\(run.errors)")
    #expect(run.output.isEmpty)
  }

  @Test func `for a file that starts with a hyphen, the right spelling is suggested`() throws {
    _ = try scratch.write("-dash.mid", SongBytes.notes(2, every: 240))
    let run = try CommandRun(["info", "-dash.mid"], folder: scratch.url)
    #expect(run.status == 64)
    #expect(run.errors.contains("./-dash.mid"), "\(run.errors)")
    #expect(try CommandRun(["info", "./-dash.mid"], folder: scratch.url).status == 0)
    #expect(try CommandRun(["info", "--", "-dash.mid"], folder: scratch.url).status == 0)
    #expect(try CommandRun(["info", "-39dash.mid"], folder: scratch.url).status == 64)
  }

  @Test(arguments: [
    "render SONG -o OUT --length -1s", "render SONG -o OUT --tail -1", "events SONG --from -1s",
    "events SONG --to -1s", "events SONG --track -1", "play SONG --from -1s", "play SONG --to -1s",
    "play SONG --speed -1", "play SONG --count-in -1", "sound play WAVE --audio null --from -1s",
    "sound play WAVE --audio null --to -1s", "sound record -o OUT --length -1s",
    "monitor --for -1s",
    "clock send --for -1s", "clock follow --every -1s", "render SONG -o OUT --rate -1",
    "render SONG -o OUT --threads -1", "soundfont demo --program -1", "lyrics SONG --track -1",
  ])
  func `a negative value is refused as such, and not as missing`(command: String) throws {
    let song = try scratch.write("song.mid", SongBytes.notes(2, every: 240))
    let wave = try scratch.write("click.wav", WaveBytes.click(frames: 480))
    let run = try run(command, ["SONG": song, "WAVE": wave, "OUT": scratch.path("out.wav")])
    #expect(!run.errors.contains("Missing value"), "\(command): \(run.errors)")
    // Before the song there is nothing to leave out of a list.
    let isList = command.hasPrefix("events") && !command.contains("--track")
    #expect(isList || run.status == 64, "\(command): \(run.errors)")
  }

  @Test(arguments: [
    ("render SONG -o OUT --soundfont FONT --length 1 --tail none", ""),
    ("events SONG --from 0.5 --to 1", ""), ("sound play WAVE --audio null --from 0", ""),
  ])
  func `a plain number is seconds if only a time is possible`(command: String, _: String) throws {
    let files = [
      "SONG": try scratch.write("song.mid", SongBytes.notes(8, every: 480)),
      "WAVE": try scratch.write("click.wav", WaveBytes.click(frames: 480)),
      "OUT": scratch.path("out.wav"), "FONT": "Soundfonts/Downbeat.sf2",
    ]
    let run = try run(command, files)
    #expect(run.status == 0, "\(run.errors)")
    guard command.hasPrefix("render") else { return }
    let sound = try #require(WaveAudio(FileContent.data(scratch.path("out.wav"))))
    #expect(sound.channels[0].count == 48_000)
  }

  @Test func `programs count from 1 in text, with the name, and from 0 in JSON`() throws {
    let song = try scratch.write("song.mid", SongBytes.notes(2, every: 240, program: 40))
    #expect(try run("info SONG", ["SONG": song]).text.contains("program 41 Violin"))
    #expect(try run("info --json SONG", ["SONG": song]).text.contains(#""programs":[40]"#))
    #expect(try run("events SONG", ["SONG": song]).text.contains("41 Violin"))
    #expect(try run("events --jsonl SONG", ["SONG": song]).text.contains(#""program":40"#))
    let kit = try scratch.write("kit.mid", SongBytes.notes(2, every: 240, channel: 9, program: 40))
    #expect(try run("info SONG", ["SONG": kit]).text.contains("program 41 Brush Kit"))
  }

  @Test func `names can replace the numbers of instruments, keys and controllers`() throws {
    let song = try scratch.write("song.mid", SongBytes.notes(2, every: 240, program: 40))
    let places: [(octaves: String, name: String)] = [("3", "C3"), ("4", "C4"), ("5", "C5")]
    for place in places {
      let file = scratch.path("c.mid")
      let made = try CommandRun([
        "new", "a: \(place.name)/4 @program pan-flute @cc volume 90".lowercased(), "-o", file,
        "--overwrite", "--octaves", place.octaves,
      ])
      #expect(made.status == 0, "\(made.errors)")
      let list = try CommandRun(["events", file, "--octaves", place.octaves]).text
      for words in ["\(place.name) (60) 80", "76 Pan Flute", "7 volume = 90"] {
        #expect(list.contains(words), "\(list)")
      }
      let told = try CommandRun(["info", file, "--octaves", place.octaves]).text
      #expect(told.contains("key \(place.name) (60)"), "\(told)")
      #expect(told.contains("a (channel 1: 76 Pan Flute)"), "\(told)")
    }
    #expect(try CommandRun(["events", song, "--middle-c", "3"]).text.contains("C3 (60)"))
    #expect(try CommandRun(["events", song, "--octaves", "2"]).status == 64)
    #expect(try CommandRun(["info", song, "--json"]).text.contains(#""trackChannels":[[0]]"#))
    let drums = try scratch.write("drums.mid", SongBytes.notes(2, every: 240, channel: 9, key: 38))
    #expect(try CommandRun(["events", drums]).text.contains("Acoustic Snare (38)"))
    #expect(try CommandRun(["info", drums]).text.contains("key Acoustic Snare (38)"))
    for text in ["a: @program bass c4", "a: @program theremin c4", "a: @cc vibrato 1 c4"] {
      let run = try CommandRun(["new", text, "-o", scratch.path("no.mid")])
      #expect(run.status == 65)
      #expect(run.errors.contains("matches several") || run.errors.contains("1…128"))
    }
  }

  @Test func `a font is found by its name in the folders of fonts`() throws {
    let fonts = scratch.url.appendingPathComponent("soundfonts")
    try FileManager.default.createDirectory(at: fonts, withIntermediateDirectories: true)
    _ = try scratch.write("soundfonts/Tiny.sf2", TinySoundFont.bytes)
    let places: [String: String?] = ["XDG_DATA_HOME": scratch.url.path, "HOME": scratch.url.path]
    for name in ["Tiny.sf2", "Tiny"] {
      let run = try run("soundfont info \(name)", environment: places)
      #expect(run.status == 0, "\(run.errors)")
      #expect(run.text.hasPrefix(fonts.path + "/Tiny.sf2"))
    }
    for name in ["tiny.sf2", "Tinny"] {
      let run = try run("soundfont presets \(name)", environment: places)
      #expect(run.status == 78)
      #expect(run.errors.contains("did you mean Tiny"), "\(run.errors)")
    }
    let song = try scratch.write("song.mid", SongBytes.notes(2, every: 240))
    let render = try run(
      "render SONG -o OUT --soundfont Tiny,gain=-3dB", environment: places,
      ["SONG": song, "OUT": scratch.path("out.wav")])
    #expect(render.status == 0, "\(render.errors)")
  }

  @Test func `a folder without soundfonts is reported`() throws {
    let run = try run("soundfont check FOLDER", ["FOLDER": scratch.url.path])
    #expect(run.status == 66)
    #expect(run.errors.contains(".sf2"), "\(run.errors)")
  }

  @Test func `a file that is not a song is named, with the command for it`() throws {
    let files: [(name: String, bytes: [UInt8], words: String)] = [
      ("a.wav", WaveBytes.click(frames: 10), "downbeat sound play"),
      ("a.mp3", Array("ID3".utf8) + [3, 0, 0], "downbeat sound play"),
      ("b.mp3", [0xFF, 0xFB, 0x90, 0x64, 0], "downbeat sound play"),
      ("a.flac", Array("fLaC".utf8) + [0, 0], "downbeat sound play"),
      ("a.ogg", Array("OggS".utf8) + [0, 2], "downbeat sound play"),
      ("a.sf2", TinySoundFont.bytes, "downbeat soundfont info"),
      ("a.png", [0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10], "picture (PNG)"),
      ("a.score", Array("piano: c4 e4 g4\n".utf8), "downbeat new"),
      ("a.html", Array("\n<!DOCTYPE html><html>".utf8), "a web page"),
      ("a.mid", Array("version https://git-lfs.github.com/spec/v1\n".utf8), "git lfs pull"),
      ("a.musicxml", Array("<?xml version=\"1.0\"?><score-partwise>".utf8), "MusicXML"),
      ("a.mxl", Array("PK\u{3}\u{4}\u{14}\0META-INF/container.xml".utf8), "packed MusicXML"),
      ("a.zip", Array("PK\u{3}\u{4}\u{14}\0".utf8), "unzip"),
      ("a.mid.xz", [0xFD] + Array("7zXZ\0".utf8), "xz -d"),
      ("a.hmi", Array("HMI-MIDISONG061595\0".utf8), "wildmidi --tomidi"),
      ("a.hmp", Array("HMIMIDIP013195\0".utf8), "wildmidi --tomidi"),
      ("a.gmd", Array("GMD \0\0".utf8), "LucasArts"), ("a.xmf", Array("XMF_1.00".utf8), "XMF"),
      ("a.rcp", Array("RCM-PC98V2.0(C)COME ON MUSIC".utf8), "Recomposer"),
      ("a.midi2", Array("SMF2CLIP\0".utf8), "MIDI 2.0"),
      ("a.txt", [0xFF, 0xFE, 0x61, 0], "text in UTF-16"),
      ("a.csv", Array("0, 0, Header, 0, 1, 480\n".utf8), "downbeat events --import"),
    ]
    for file in files {
      let path = try scratch.write(file.name, file.bytes)
      for command in ["info", "check", "events", "lyrics"] {
        let run = try CommandRun([command, path])
        #expect(run.status == 65, "\(command) \(file.name): \(run.errors)")
        #expect(run.errors.contains(file.words), "\(command) \(file.name): \(run.errors)")
        #expect(run.errors.split(separator: "\n").count == 1)
      }
    }
  }

  @Test(arguments: [
    "info DENIED", "info --json DENIED", "check DENIED", "events DENIED",
    "convert --song DENIED 1s",
    "sound info DENIED", "soundfont info DENIED", "soundfont check DENIED", "new DENIED",
    "render SONG -o FOLDER/x.wav -s Soundfonts/Downbeat.sf2", "edit SONG -o FOLDER/x.mid",
    "render SONG -o OUT -s DENIED", "sound convert WAVE -o FOLDER/x.wav",
    "render SONG -o OUT --clips DENIED -s Soundfonts/Downbeat.sf2", "soundfont list FOLDER",
  ])
  func `a lack of permission gives status 77`(command: String) throws {
    let folder = scratch.path("closed")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let files = [
      "SONG": try scratch.write("song.mid", SongBytes.notes(2, every: 240)),
      "WAVE": try scratch.write("click.wav", WaveBytes.click(frames: 480)),
      "DENIED": try scratch.write("denied", [1]), "FOLDER": folder, "OUT": scratch.path("o.wav"),
    ]
    _ = unsafe chmod(files["DENIED"] ?? "", 0)
    _ = unsafe chmod(folder, 0)
    defer { _ = unsafe chmod(folder, 0o700) }
    let words = command.split(separator: " ").map { word in
      files.reduce(String(word)) { $0.replacing($1.key, with: $1.value) }
    }
    // The right of the superuser to everything is laid down first.
    let script = """
      if [ "$(id -u)" = 0 ]; then exec setpriv --bounding-set -all --inh-caps -all "$0" "$@"; fi
      exec "$0" "$@"
      """
    let run = try ToolRun(["-c", script, ToolRun.command] + words, command: "/bin/bash")
    #expect(run.status == 77, "\(command): \(run.errors)")
  }
}
