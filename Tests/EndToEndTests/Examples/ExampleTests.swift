// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// The programs of `Examples/`, compiled against the modules beside the tests and run on ALSA's
/// device without hardware, with their input as lines.
@Suite struct ExampleTests {
  private static let examples = ToolRun.packageFolder.appendingPathComponent("Examples")
  private let scratch: ScratchFolder

  init() throws {
    scratch = try ScratchFolder()
    let syllable: [UInt8] = [0xFF, 5, 2] + Array("la".utf8)
    let song = SongBytes.file([
      (0, syllable), (0, [0x90, 60, 100]), (48, [0x80, 60, 64]), (0, [0x91, 64, 100]),
      (48, [0x81, 64, 64]),
    ])
    _ = try scratch.write("song.mid", song)
    _ = try scratch.write("font.sf2", TinySoundFont.bytes)
    _ = try scratch.write("kick.wav", WaveBytes.click(frames: 480))
    _ = try scratch.write("asound.conf", Array("pcm.!default { type null }\n".utf8))
  }

  /// Compiles an example.
  ///
  /// - Returns: the path of the program.
  private func compiled(_ name: String) throws -> String {
    let program = scratch.path(name)
    try BuiltModules(of: "downbeat").compile(
      [Self.examples.appendingPathComponent("\(name)/main.swift").path], to: program,
      ["-swift-version", "6", "-warnings-as-errors"])
    return program
  }

  /// What an example says to arguments and lines.
  private func run(_ name: String, _ arguments: [String], _ lines: [String] = []) throws -> [String]
  {
    let program = try compiled(name)
    let input = lines.map { $0 + "\n" }.joined()
    let run = try ToolRun(
      arguments, input: Data(input.utf8),
      environment: ["ALSA_CONFIG_PATH": scratch.path("asound.conf")],
      command: program, folder: scratch.url, limit: 60)
    #expect(run.status == 0 && run.errors.isEmpty, "\(name): \(run.errors)")
    return run.text.split(separator: "\n").map(String.init)
  }

  @Test func `Player plays a song from another place, faster`() throws {
    let said = try run("Player", ["song.mid", "font.sf2"])
    #expect(said.count == 1 && said[0].hasSuffix(" ticks, play rate 5/4"))
  }

  @Test func `RemotePlayer is paused, reports its status and quits by its socket`() async throws {
    // The folder of sockets must be private.
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o700], ofItemAtPath: scratch.url.path)
    _ = try scratch.write("long.mid", SongBytes.notes(20_000, every: 480))
    let runtime = ["XDG_RUNTIME_DIR": scratch.url.path]
    func ctl(_ words: String...) throws -> (text: String, status: Int32) {
      let run = try ToolRun(["ctl"] + words, environment: runtime)
      return (run.text.trimmingCharacters(in: .newlines), run.status)
    }
    let errors = scratch.path("errors")
    let player = try RunningTool(
      ["font.sf2", "long.mid", "song.mid"],
      environment: runtime.merging(["ALSA_CONFIG_PATH": scratch.path("asound.conf")]) { $1 },
      folder: scratch.url, errors: errors, command: try compiled("RemotePlayer"))
    try await wait { try ctl("get", "state").text == "playing" }
    #expect(try ctl("get", "path").text == "long.mid")
    #expect(try ctl("get", "playlist-count").text == "2")
    #expect(try ctl("pause").status == 0)
    #expect(try ctl("get", "state").text == "paused")
    #expect(try ctl("transpose", "2").status == 0)
    #expect(try ctl("get", "transpose").text == "2")
    #expect(try ctl("quit").status == 0)
    #expect(try player.end() == 0)
    #expect(try String(contentsOfFile: errors, encoding: .utf8) == "")
    #expect(try ctl("get", "state").status == 69)
    let names = try FileManager.default.contentsOfDirectory(atPath: scratch.path("downbeat"))
    #expect(names.filter { $0.hasSuffix(".socket") } == [])
  }

  @Test func `Karaoke shows a syllable`() throws {
    #expect(try run("Karaoke", ["song.mid", "font.sf2"]) == ["la"])
  }

  @Test func `StemRenderer writes a file of each channel`() throws {
    #expect(
      try run("StemRenderer", ["song.mid", "font.sf2"])
        == ["stem-1.wav channel 1", "stem-2.wav channel 2", "stem-3.wav effects"])
    for name in ["stem-1.wav", "stem-2.wav"] {
      let size = try Data(contentsOf: scratch.url.appendingPathComponent(name)).count
      #expect(size > 44_100 / 20 * 4)
    }
  }

  @Test func `TimeCalculator says a bar in samples and clocks`() throws {
    let said = try run("TimeCalculator", ["17|1", "120", "sec", "smp", "clk"])
    #expect(said == ["sec:32 ", "smp:1411200 ", "clk:1536 "])
  }

  @Test func `SamplerPad plays by numbers through its effect`() throws {
    #expect(try run("SamplerPad", ["kick.wav"], ["1", "+2", "1", ""]).count == 1)
  }

  @Test func `Clock is led, and says the same place in every format`() throws {
    let said = try run("Clock", ["120"], ["at 5|1", "start", "tempo 90", "stop", "at never"])
    #expect(said.count == 7)
    let places = "bbt:5|1|0 beat:16 sec:8 smpte:00:00:08:00 smp:384000 clk:384"
    #expect(said[1] == "\(places) stopped")
    #expect(said[2].hasSuffix(" running") && said[3].hasSuffix(" running"))
    #expect(said[4].hasSuffix(" stopped") && said[6] == said[4])
    #expect(said[5].contains("never"))
  }

  @Test func `Sequencer is written while it plays, undone and saved`() throws {
    let said = try run(
      "Sequencer", ["font.sf2"],
      ["42 1 3 5", "36 1", "tempo 96", "undo", "36 17", "48", "save bar.mid", "undo", ""])
    #expect(
      said.dropFirst() == [
        "7 hits", "6 hits", "6 hits", "7 hits", "use steps 1 to 16",
        "commands: KEY STEP…, tempo NUMBER, undo, save FILE", "7 hits", "6 hits",
      ])
    let saved = try ToolRun(["info", scratch.path("bar.mid")])
    #expect(saved.text.contains("7 notes") && saved.text.contains("1920 ticks"))
  }

  @Test func `LiveGraph puts effects in and takes them out while it sounds`() throws {
    let said = try run(
      "LiveGraph", [],
      ["tremolo", "speed 8", "reverb", "tremolo", "echo", "gain 0.5", "reverb", "pitch 440", ""])
    let names = ["mixer", "generator"]
    func shown(_ more: String...) -> String { "\(names + more)" }
    #expect(
      said.dropFirst() == [
        shown("tremolo"), shown("tremolo"), shown("tremolo", "reverb"), shown("reverb"),
        "unknown effect: echo", shown("reverb"), shown(), shown(),
      ])
  }

  @Test func `Metronome says how it is used`() throws {
    #expect(try run("Metronome", []) == ["usage: metronome PORT FONT.sf2"])
  }

  @Test func `none needs unsafe code, a try that traps, or a sleep`() throws {
    let folder = ToolRun.packageFolder.appendingPathComponent("Examples")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
      .filter { !$0.hasPrefix(".") && !$0.hasPrefix("Package.") }
    #expect(names.count == 10)
    for name in names {
      let main = folder.appendingPathComponent("\(name)/main.swift")
      let text = try String(contentsOf: main, encoding: .utf8)
      for word in ["unsafe", "Unsafe", "unchecked", "try!", "sleep"] {
        #expect(!text.contains(word), "\(name): \(word)")
      }
    }
  }

  @Test func `the manifest has every example, with the modules that it imports`() throws {
    let manifest = try String(
      contentsOf: Self.examples.appendingPathComponent("Package.swift"), encoding: .utf8)
    let toolchain: Set = ["Foundation", "Glibc", "Synchronization"]
    var names: Set<String> = []
    for entry in manifest.matches(of: /\n    example\(\s*(?<list>[^)]*)\)/) {
      let words = entry.list.matches(of: /"(\w+)"/).map { String($0.1) }
      let name = try #require(words.first)
      names.insert(name)
      let source = try String(
        contentsOf: Self.examples.appendingPathComponent("\(name)/main.swift"), encoding: .utf8)
      let imports = source.matches(of: /\nimport (\w+)/).map { String($0.1) }
      #expect(Set(imports).subtracting(toolchain) == Set(words.dropFirst()), "\(name)")
    }
    let folders = try FileManager.default.contentsOfDirectory(atPath: Self.examples.path)
      .filter { !$0.hasPrefix(".") && $0 != "Package.swift" && $0 != "Package.resolved" }
    #expect(names == Set(folders))
  }
}
