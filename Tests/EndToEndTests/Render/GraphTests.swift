// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@Suite struct GraphTests {
  private let font = ["--soundfont", "Soundfonts/Downbeat.sf2"]

  private func document(_ run: CommandRun) throws -> [String: Any] {
    // Progress may be printed before it.
    let last = run.text.split(separator: "\n").last ?? ""
    return try #require(
      try JSONSerialization.jsonObject(with: Data(last.utf8)) as? [String: Any])
  }

  @Test func `the graph of play ends with a limiter, and is a tree of inputs`() throws {
    let run = try CommandRun(["graph"] + font)
    #expect(run.status == 0, "\(run.errors)")
    let lines = run.text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    #expect(
      lines == [
        "head: limiter, latency 64 frames", "1: mixer", "1: output 1 of instrument",
        "2: output 2 of instrument", "3: output 3 of instrument",
      ])
    let dry = try CommandRun(["graph", "--no-reverb", "--no-chorus"] + font)
    #expect(dry.text.split(separator: "\n").last?.contains("1: instrument") == true)
  }

  @Test func `a rendered song may have several instruments`() throws {
    let run = try CommandRun(
      ["graph", "Songs/crossing.mid", "--for", "render", "--form", "json"] + font)
    let graph = try document(run)
    let units = try #require(graph["units"] as? [[String: Any]])
    let names = units.compactMap { $0["name"] as? String }
    #expect(names.filter { $0 == "instrument" }.count > 1)
    #expect(
      (graph["connections"] as? [Any])?.count == names.filter { $0 == "instrument" }.count * 3 + 1)
    #expect(graph["head"] as? Int == names.firstIndex(of: "limiter"))
  }

  private static func effects(_ kind: String = "delay", _ parameters: String = "") -> [UInt8] {
    Array(
      """
      {"v": 1, "type": "saved-graph",
       "units": [{"id": "in", "kind": "inlet"},
                 {"id": "echo", "kind": "\(kind)", "parameters": {\(parameters)}}],
       "connections": [{"from": "in", "to": "echo"}], "head": {"unit": "echo"}}
      """.utf8)
  }

  @Test func `effects of a file are before the limiter, in play and in render`() throws {
    let scratch = try ScratchFolder()
    let file = try scratch.write("echo.json", Self.effects())
    for purpose in ["play", "render"] {
      let run = try CommandRun(["graph", "--graph", file, "--for", purpose] + font)
      let lines = run.text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
      #expect(
        Array(lines.prefix(3)) == ["head: limiter, latency 64 frames", "1: echo", "1: mixer"],
        "\(run.errors)")
    }
  }

  /// A song of a second, dry, and with an echo a second and a half later, which is rendered to its
  /// end.
  @Test func `a file includes the tail of its effects`() throws {
    let scratch = try ScratchFolder()
    let file = try scratch.write(
      "echo.json", Self.effects("delay", #""time": 1.5, "feedback": 0, "mix": 0.5"#))
    let song = try scratch.write("song.mid", SongBytes.notes(2, every: 240))
    let render = ["render", song, "--no-reverb", "--no-chorus", "--json"] + font
    let dry = try document(try CommandRun(render + ["-o", scratch.path("dry.wav")]))
    let run = try CommandRun(render + ["-o", scratch.path("wet.wav"), "--graph", file])
    let wet = try document(run)
    let frames = { (document: [String: Any]) in document["frames"] as? Int ?? 0 }
    let more = frames(wet) - frames(dry)
    // The echo is softer than the song, and so is below −70 dB at another place of its end.
    #expect((72_000 - 4096...72_000 + 4096).contains(more), "\(more) \(run.errors)")
    let loud = wet["loudness"] as? Double ?? 0
    #expect(abs(loud - (dry["loudness"] as? Double ?? 0)) < 3, "\(loud)")
    let exact = try CommandRun(
      render + ["-o", scratch.path("cut.wav"), "--graph", file, "--tail", "none"])
    #expect(frames(try document(exact)) < frames(dry))
  }

  @Test func `effects of options are in series before the limiter`() throws {
    let run = try CommandRun(
      ["graph", "--effect", "high-pass frequency=80Hz", "--effect", "delay time=1/8."] + font)
    let lines = run.text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    #expect(
      Array(lines.prefix(4)) == [
        "head: limiter, latency 64 frames", "1: 2 delay", "1: 1 high-pass", "1: mixer",
      ], "\(run.text)\(run.errors)")
  }

  /// A dotted eighth at 120 beats a minute is 0.375 s, and the song's tempo is half of that.
  @Test func `note values follow the tempo of the song`() throws {
    let scratch = try ScratchFolder()
    let song = try scratch.write(
      "song.mid",
      SongBytes.file([
        (0, [0xFF, 0x51, 3, 0x0F, 0x42, 0x40]), (0, [0x90, 60, 100]), (120, [0x80, 60, 0]),
      ]))
    let render =
      ["render", song, "--no-reverb", "--no-chorus", "--json"] + font
    let frames = { (effect: String, name: String) in
      let run = try CommandRun(render + ["-o", scratch.path(name), "--effect", effect])
      return try #require(try document(run)["frames"] as? Int, "\(run.errors)")
    }
    let notes = try frames("delay time=1/8. feedback=0 mix=0.5", "notes.wav")
    #expect(try frames("delay time=0.75 feedback=0 mix=50%", "seconds.wav") == notes)
    #expect(
      try FileContent.data(scratch.path("notes.wav"))
        == FileContent.data(scratch.path("seconds.wav")))
  }

  @Test func `for an unknown effect, a similar one is suggested`() throws {
    for (effect, sentence) in [
      ("revreb", "did you mean reverb"), ("reverb wetness=1", "unknown parameter wetness"),
      ("delay time=100s", "out of range"), ("", "no name"), ("chorus mix", "is not a setting"),
    ] {
      let run = try CommandRun(["graph", "--effect", effect] + font)
      #expect(run.status == 64 && run.errors.contains(sentence), "\(effect): \(run.errors)")
    }
    let both = try CommandRun(["graph", "--effect", "reverb", "--graph", "x.json"] + font)
    #expect(both.status == 64 && both.errors.contains("leave one out"), "\(both.errors)")
    let list = try CommandRun(["effects"])
    #expect(list.text.contains("high-pass") && list.text.contains("reverb"), "\(list.errors)")
    let delay = try CommandRun(["effects", "delay"])
    #expect(delay.text.contains("feedback"), "\(delay.errors)")
    #expect(delay.text.contains(#/mix +0\.3 +.*, also wet\n/#), "\(delay.text)")
    let convolution = try CommandRun(["effects", "convolution", "--json"])
    #expect(convolution.text.contains(#""name":"mix""#), "\(convolution.text)")
    #expect(convolution.text.contains(#""aliases":["wet"]"#), "\(convolution.text)")
    let high = try CommandRun(["effects", "equaliser"])
    #expect(high.text.contains(#/band-4-gain .*, also high\n/#), "\(high.text)")
    #expect(try CommandRun(["effects", "dealy"]).status == 64)
  }

  @Test func `invalid effects are refused, with the file and the position in it`() throws {
    let scratch = try ScratchFolder()
    for (bytes, sentence) in [
      (Self.effects("dealy"), "units[1].kind: unknown kind of unit: dealy (available: chorus"),
      (
        Self.effects("reverb", #""decay": 1000"#),
        "units[1].parameters.decay: 1000.0 is out of range"
      ),
      (Self.effects("inlet"), "connections[0]: echo: input 0 does not exist (number of inputs: 0)"),
      (Array("[]".utf8), ""),
    ] {
      let file = try scratch.write("bad.json", bytes)
      let run = try CommandRun(["graph", "--graph", file] + font)
      #expect(run.status == 65 && run.errors.contains("bad.json: \(sentence)"), "\(run.errors)")
    }
    let none = try CommandRun(["play", "Songs/groove.mid", "--graph", "/nonexistent.json"] + font)
    #expect(none.status == 66, "\(none.errors)")
  }

  @Test func `Graphviz gets a description`() throws {
    let run = try CommandRun(["graph", "--form", "dot"] + font)
    #expect(run.text.hasPrefix("digraph downbeat {"))
    #expect(run.text.contains("label=\"mixer\""))
    #expect(run.text.hasSuffix("}\n"))
    #expect(run.text.filter { $0 == ">" }.count == 5)
  }

  @Test func `devices are listed, with their abilities or the error`() throws {
    let run = try CommandRun(["devices", "--json"])
    #expect(run.status == 0, "\(run.errors)")
    let devices = try #require(try document(run)["devices"] as? [[String: Any]])
    let null = try #require(devices.first { $0["name"] as? String == "null" })
    #expect((null["formats"] as? [String])?.contains("FLOAT_LE") == true)
    #expect(devices.allSatisfy { $0["rates"] != nil || $0["error"] != nil })
    let text = try CommandRun(["devices", "--long"])
    #expect(text.text.contains("null\n"))
    #expect(text.text.contains("S16_LE"))
  }

  @Test func `a missing kit of clips is an error`() throws {
    let run = try CommandRun(
      ["graph", "--soundfont", "Soundfonts/Downbeat.sf2", "--clips", "/nonexistent.json"])
    #expect(run.status == 66, "\(run.errors)")
  }
}
