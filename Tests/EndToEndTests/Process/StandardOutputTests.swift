// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// If standard output cannot be written, every command reports it and returns status 74.
@Suite struct StandardOutputTests {
  private static let font = "Soundfonts/Downbeat.sf2"

  /// The commands that write to standard output and need no port.
  ///
  /// SONG, WAVE and OUT… stand for files.
  static let commands = [
    "--version", "--help", "help", "help play", "help sound play", "info --help",
    "--generate-completion-script bash", "--experimental-dump-help",
    "info SONG", "info --json SONG", "info --json none.mid", "check SONG", "check --json SONG",
    "check --json none.mid", "events SONG", "events --csv SONG", "events --jsonl SONG",
    "lyrics SONG", "lyrics --lrc SONG", "lyrics --srt SONG",
    "convert 1:30", "convert 1:30 --to smpte", "convert 1:30 --json", "convert 1:30 2:30 --jsonl",
    "convert --table 4", "convert --table 4 --json", "convert --batch",
    "convert --batch --to beats",
    "convert --batch --jsonl",
    "edit SONG -o - --do reverse", "new NOTES -o -", "events --import LIST -o -",
    "render SONG -o - --soundfont FONT", "sound convert WAVE -o -",
    "plot SONG -o - --format svg", "plot SONG -o - --format html",
    "sound info WAVE", "sound info --json WAVE", "sound info --json none.wav", "sound formats",
    "sound formats --json", "sound play WAVE --audio null --json",
    "sound alert ping --audio null --json", "edit SONG -o OUT.mid --do reverse --json",
    "new NOTES -o OUT.mid --json", "events --import LIST -o OUT.mid --json",
    "plot SONG -o OUT.svg --json", "render SONG -o OUT.wav --soundfont FONT --json",
    "sound convert WAVE -o OUT.flac --json", "play SONG --audio null --soundfont FONT --json",
    "sound record -o OUT.wav --audio null --length 0.1s --json", "clock serve CLOCK --json",
    "soundfont list Soundfonts", "soundfont list --json Soundfonts", "soundfont which",
    "soundfont which --json", "soundfont presets FONT", "soundfont presets --json FONT",
    "soundfont info FONT", "soundfont info --json FONT", "soundfont check FONT",
    "soundfont trim FONT --song SONG -o -", "soundfont trim FONT --song SONG -o OUT.sf2 --json",
    "edit SONG --embed --soundfont FONT -o -", "soundfont convert FONT -o -",
    "edit SONG --embed --soundfont FONT -o OUT.rmi --json",
    "devices", "devices --long", "devices --json",
    "graph --soundfont FONT", "graph --form dot --soundfont FONT",
    "graph --form json SONG --soundfont FONT",
  ]

  private let scratch: ScratchFolder
  private let files: [String: String]

  init() throws {
    scratch = try ScratchFolder()
    let song = SongBytes.file([
      (0, [0xFF, 5, 5] + Array("words".utf8)), (0, [0x90, 60, 100]), (480, [0x80, 60, 64]),
    ])
    files = [
      "SONG": try scratch.write("song.mid", song), "FONT": Self.font,
      "OUT.mid": scratch.path("out.mid"), "OUT.svg": scratch.path("out.svg"),
      "OUT.wav": scratch.path("out.wav"), "OUT.flac": scratch.path("out.flac"),
      "OUT.sf2": scratch.path("out.sf2"), "OUT.rmi": scratch.path("out.rmi"),
      "CLOCK": "test\(UInt32.random(in: 0 ... .max))",
      "WAVE": try scratch.write("click.wav", WaveBytes.click(frames: 480)),
      "NOTES": try scratch.write("song.score", Array("piano: c4 e4 g4\n".utf8)),
      "LIST": try scratch.write(
        "song.csv",
        Array(
          """
          0, 0, Header, 0, 1, 480
          1, 0, Start_track
          1, 0, End_track
          0, 0, End_of_file

          """.utf8)),
    ]
  }

  private func run(_ command: String, redirecting: String) throws -> ToolRun {
    let words = command.split(separator: " ").map { files[String($0)] ?? String($0) }
    let script = "\"$0\" \"$@\" \(redirecting)"
    return try ToolRun(
      ["-c", script, ToolRun.command] + words, input: Data("1:30\n{\"id\":1}\n".utf8),
      environment: ["DOWNBEAT_SOUNDFONT": Self.font], command: "/bin/bash")
  }

  @Test(arguments: commands)
  func `a full disk is reported with status 74`(command: String) throws {
    let run = try run(command, redirecting: "> /dev/full")
    #expect(run.status == 74, "\(command): \(run.errors)")
    #expect(run.errors.contains("standard output"), "\(command): \(run.errors)")
  }

  @Test(arguments: commands)
  func `a closed output is reported with status 74`(command: String) throws {
    let run = try run(command, redirecting: ">&-")
    #expect(run.status == 74, "\(command): \(run.errors)")
    #expect(run.errors.contains("standard output"), "\(command): \(run.errors)")
  }

  @Test(arguments: [
    "clock follow --sync clock:NAME --for 3s", "clock follow --sync clock:NAME --for 3s --json",
    "clock show --sync clock:NAME --for 3s", "clock show --sync clock:NAME --for 3s --json",
    "convert --clock NAME now",
  ])
  func `a full disk is reported for a served clock, too`(command: String) throws {
    let name = "test\(UInt32.random(in: 0 ... .max))"
    let script = """
      "$0" clock serve \(name) --for 60s & server=$!
      for turn in $(seq 200); do "$0" convert --clock \(name) now > /dev/null 2>&1 && break; done
      "$0" \(command.replacing("NAME", with: name)) > /dev/full; status=$?
      kill $server; exit $status
      """
    let run = try ToolRun(["-c", script, ToolRun.command], command: "/bin/bash")
    #expect(run.status == 74, "\(command): \(run.errors)")
    #expect(run.errors.contains("standard output"), "\(command): \(run.errors)")
  }

  @Test func `a reader that goes away ends a command by the signal`() throws {
    let run = try run("events SONG", redirecting: "| true; exit ${PIPESTATUS[0]}")
    // The command may be done before the reader is gone.
    #expect([0, 128 + SIGPIPE].contains(run.status), "\(run.errors)")
  }

  @Test func `an output file does not take the place of a closed output`() throws {
    let wave = scratch.path("out.wav")
    let run = try run("edit SONG -o \(wave) --do reverse", redirecting: ">&- 2>&-")
    #expect(run.status == 0)
    #expect(try FileContent.data(wave).starts(with: Data("MThd".utf8)))
  }
}
