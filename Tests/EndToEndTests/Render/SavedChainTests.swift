// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Instruments, effects, buses and sends of tracks in saved graphs.
@Suite struct SavedChainTests {
  private static let font = ["--soundfont", "Soundfonts/Downbeat.sf2"]
  private static let song = "Songs/groove.mid"
  private static let flags = [
    "--on", "2=delay time=1/8. mix=0.4", "--on", "2=saturation drive=6dB", "--on",
    "3,4=reverb wet=0.3", "--bus", "hall=reverb wet=1", "--bus", "hall=high-pass", "--send",
    "2=hall:-6dB", "--send", "5=hall", "--effect", "equaliser low=3dB",
  ]
  private let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  /// Renders a part of a song, and returns the bytes of the file.
  private func sound(_ words: [String]) throws -> Data {
    let out = scratch.path("\(UUID().uuidString).wav")
    // A plug-in may crash: a process loads it.
    let run = try ToolRun(
      ["render", Self.song, "-o", out, "-q", "--length", "2s", "--absolute-gain", "0.3"] + words)
    #expect(run.status == 0, "\(words): \(run.errors)")
    return try FileContent.data(out)
  }

  private func saved(_ words: [String], for song: String? = song) throws -> String {
    let file = scratch.path("\(UUID().uuidString).json")
    let run = try ToolRun(["graph"] + (song.map { [$0] } ?? []) + words + ["--save", file])
    #expect(run.status == 0, "\(words): \(run.errors)")
    return file
  }

  @Test func `a saved graph renders the bytes of the flags that it was made of`() throws {
    let heard = try sound(Self.flags + Self.font)
    #expect(try heard != sound(Self.font))
    let file = try saved(Self.flags + Self.font)
    #expect(try sound(["--graph", file] + Self.font) == heard)
    // It can be saved once more, and is the same.
    let again = try saved(["--graph", file] + Self.font)
    #expect(try FileContent.data(again) == FileContent.data(file))
  }

  @Test(.enabled(if: PluginFolder.isMDAInstalled, "mda-lv2 is not installed"))
  func `a saved graph has plug-ins with their presets`() throws {
    let flags = [
      "--instrument", #"lv2:mda-epiano preset="Bright""#, "--on", "2=lv2:mda-piano", "--on",
      "2=chorus mix=0.3", "--on", "5=lv2:mda-leslie", "--bus", "room=lv2:mda-ambience mix=1",
      "--send", "2=room:-6dB", "--effect", "lv2:mda-bandisto",
    ]
    let heard = try sound(flags)
    #expect(try sound(["--graph", saved(flags)]) == heard)
    let other = flags.map { $0.replacing(#" preset="Bright""#, with: "") }
    #expect(try sound(other) != heard)
  }

  @Test func `without a song, tracks are saved by their names`() throws {
    let file = try saved(
      ["--on", "2=delay", "--on", "bass=gate", "--on", "2=chorus"] + Self.font, for: nil)
    let text = String(decoding: try FileContent.data(file), as: UTF8.self)
    #expect(text.contains(#""tracks":"bass""#) && text.contains(#""kind":"chorus""#), "\(text)")
    #expect(text.components(separatedBy: #""tracks":"2""#).count == 2)
  }

  @Test func `a saved graph is drawn with the effects of its tracks`() throws {
    let file = try saved(Self.flags + Self.font)
    for purpose in ["play", "render"] {
      let run = try CommandRun(
        ["graph", Self.song, "--graph", file, "--for", purpose, "--no-reverb", "--no-chorus"]
          + Self.font)
      let lines = run.text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
      let start = try #require(lines.firstIndex { $0.hasSuffix("2 saturation, latency 32 frames") })
      #expect(
        Array(lines[(start + 1)...].prefix(2)) == ["1: 1 delay", "1: track 2"],
        "\(run.text)\(run.errors)")
      #expect(lines.contains("1: hall"))
    }
  }

  @Test func `an invalid saved graph is refused with the position of the fault`() throws {
    let whole = #""v": 1, "type": "saved-graph", "units": [], "connections": [], "head": null"#
    let room =
      #""units": [{"id": "in", "kind": "inlet"}], "connections": [], "head": {"unit": "in"}"#
    for (members, sentence) in [
      (#""buses": [{"name": "hall", \#(room)}]"#, "buses[0]: nothing is sent to this bus"),
      (
        #""tracks": [{"tracks": "2", "sends": [{"bus": "hall"}]}]"#,
        "tracks[0].sends[0].bus: unknown bus hall"
      ),
      (
        #""buses": [{"name": "a", \#(room)}], "tracks": [{"tracks": "2", "sends": [{"bus": "a", "gain": 17}]}]"#,
        "tracks[0].sends[0].gain: expected a number 0…16"
      ),
      (
        #""tracks": [{"tracks": "2", "units": [], "connections": [], "head": null}]"#,
        "tracks[0].units: expected exactly one unit of kind inlet"
      ),
      (
        #""tracks": [{"tracks": "2", "instrument": {"id": "a", "kind": "reverb"}}]"#,
        "tracks[0].instrument: a is not an instrument"
      ),
      (#""instrument": {"id": "a", "kind": "organ"}"#, "instrument.kind: unknown kind of unit"),
      (#""tracks": [{"tracks": 2}]"#, "tracks[0].tracks: expected a string"),
    ] {
      let file = try scratch.write("bad.json", Array("{\(whole), \(members)}".utf8))
      let run = try CommandRun(["graph", Self.song, "--graph", file] + Self.font)
      #expect(
        run.status == 65 && run.errors.contains("bad.json: \(sentence)"), "\(run.errors)")
    }
  }

  @Test func `a saved graph of tracks excludes other track options, and needs tracks`()
    throws
  {
    let file = try saved(["--on", "2=delay"] + Self.font)
    let far = try saved(["--on", "99=delay"] + Self.font, for: nil)
    let graph = ["--graph", file]
    for (words, sentence) in [
      (
        ["render", Self.song, "-o", scratch.path("x.wav"), "--on", "3=gate"] + graph,
        "leave one out"
      ),
      (
        ["render", Self.song, "-o", scratch.path("x.wav"), "--graph", far],
        "tracks 99: the song has"
      ),
      (["synth", "--audio", "null"] + graph, "not used by a synth"),
      (["sound", "play", Self.song, "--audio", "null"] + graph, "does not contain tracks"),
      (["play", Self.song, "--audio", "null", "--route", "2=3,4"] + graph, "--route"),
    ] {
      let font = words[0] == "sound" ? [] : Self.font
      let run = try CommandRun(words + font)
      #expect(run.status == 64 && run.errors.contains(sentence), "\(words): \(run.errors)")
    }
  }

  /// The samples of a file, left and right one behind the other.
  private func samples(_ path: String) throws -> [Float] {
    try #require(WaveAudio(FileContent.data(path))).channels.flatMap(\.self)
  }

  @Test(arguments: [([], "track"), (["--effect", "delay time=0.1 mix=0.4"], "channel")])
  func `stems with instruments, effects and buses add up to the mix`(
    effects: [String], choice: String
  ) throws {
    let words =
      ["-q", "--length", "2s", "--absolute-gain", "0.3", "--bits", "float"] + Self.font
      + Self.flags.dropLast(2) + effects
    let (mix, folder) = (scratch.path("mix.wav"), scratch.path("stems"))
    let whole = try CommandRun(["render", Self.song, "-o", mix] + words)
    #expect(whole.status == 0, "\(whole.errors)")
    let run = try CommandRun(["render", Self.song, "-o", folder, "--stems", choice] + words)
    #expect(run.status == 0, "\(run.errors)")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    for name in ["bus-01-hall.wav", "effects.wav", "track-02-drums.wav", "track-03+04.wav"] {
      #expect(names.contains(name), "\(names)")
    }
    #expect(names.contains { $0.hasPrefix("channel-") } == (choice == "channel"))
    let stems = try names.map { try samples("\(folder)/\($0)") }
    let sum = try samples(mix)
    #expect(stems.allSatisfy { $0.count == sum.count })
    var worst: Float = 0
    for index in sum.indices {
      worst = max(worst, abs(stems.reduce(0) { $0 + $1[index] } - sum[index]))
    }
    #expect(sum.contains { abs($0) > 0.01 })
    #expect(worst < 1e-6)
    let again = try CommandRun(
      ["render", Self.song, "-o", folder, "--stems", choice, "--overwrite"] + words)
    #expect(again.status == 0, "\(again.errors)")
  }

  @Test(.enabled(if: PluginFolder.isMDAInstalled, "mda-lv2 is not installed"))
  func `a plug-in that replaces the soundfont is one stem, plus those of tracks`() throws {
    let words = [
      "-q", "--length", "2s", "--absolute-gain", "0.3", "--bits", "float", "--instrument",
      "lv2:mda-epiano", "--on", "2=lv2:mda-piano", "--on", "2=lv2:mda-leslie",
    ]
    let (mix, folder) = (scratch.path("mix.wav"), scratch.path("stems"))
    #expect(try ToolRun(["render", Self.song, "-o", mix] + words).status == 0)
    let run = try ToolRun(["render", Self.song, "-o", folder, "--stems", "track"] + words)
    #expect(run.status == 0, "\(run.errors)")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    #expect(names == ["instrument.wav", "track-02-drums.wav"])
    let stems = try names.map { try samples("\(folder)/\($0)") }
    let sum = try samples(mix)
    #expect(sum.indices.allSatisfy { abs(stems[0][$0] + stems[1][$0] - sum[$0]) < 1e-6 })
  }
}
