// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Songs with plug-ins, and tracks with separate instruments and effects.
@Suite struct PluginSongTests {
  private static let font = ["--soundfont", "Soundfonts/Downbeat.sf2"]
  private static let short = ["--length", "3s", "--absolute-gain", "0.3"]

  /// Renders a song, and returns the bytes of the file.
  private static func sound(
    _ words: [String], _ scratch: borrowing ScratchFolder, song: String = "Songs/groove.mid"
  ) throws -> Data {
    let out = scratch.path("\(UUID().uuidString).wav")
    let run = try ToolRun(["render", song, "-o", out, "-q"] + short + words)
    #expect(run.status == 0, "\(words): \(run.errors)")
    return try FileContent.data(out)
  }

  @Test(.enabled(if: PluginFolder.isMDAInstalled, "mda-lv2 is not installed"))
  func `a plug-in plays a song to the same bytes on one core and on two`() throws {
    let scratch = try ScratchFolder()
    let words = ["--instrument", "lv2:mda-epiano", "--on", "2=lv2:mda-piano"]
    let one = try Self.sound(words + ["--threads", "1"], scratch)
    #expect(one.contains { $0 != 0 })
    #expect(try Self.sound(words + ["--threads", "2"], scratch) == one)
    let bright = #"lv2:mda-epiano preset="Bright""#
    #expect(try Self.sound(["--instrument", bright, "--on", "2=lv2:mda-piano"], scratch) != one)
  }

  @Test(.enabled(if: PluginFolder.isMDAInstalled, "mda-lv2 is not installed"))
  func `a plug-in is an effect, and goes into a saved graph`() throws {
    let scratch = try ScratchFolder()
    let dry = try Self.sound(Self.font, scratch)
    let wet = try Self.sound(Self.font + ["--effect", "lv2:mda-ambience mix=0.5"], scratch)
    #expect(wet != dry)
    let file = scratch.path("room.json")
    let save = try ToolRun(
      ["graph", "--effect", "lv2:mda-ambience mix=0.5", "--save", file] + Self.font)
    #expect(save.status == 0, "\(save.errors)")
    #expect(try Self.sound(Self.font + ["--graph", file], scratch) == wet)
  }

  @Test func `an effect of one track is not that of all`() throws {
    let scratch = try ScratchFolder()
    let plain = Self.font + ["--no-reverb", "--no-chorus"]
    let dry = try Self.sound(plain, scratch)
    let one = try Self.sound(plain + ["--on", "2=delay time=0.1 mix=0.5"], scratch)
    let all = try Self.sound(plain + ["--effect", "delay time=0.1 mix=0.5"], scratch)
    #expect(one != dry && one != all)
  }

  @Test func `a send to a bus is mixed with the track, at its gain`() throws {
    let scratch = try ScratchFolder()
    let plain = Self.font + ["--no-reverb", "--no-chorus"]
    let bus = ["--bus", "hall=reverb wet=1"]
    let loud = try Self.sound(plain + bus + ["--send", "2=hall:-6dB"], scratch)
    let soft = try Self.sound(plain + bus + ["--send", "2=hall:-20dB"], scratch)
    #expect(loud != soft)
    let dry = try Self.sound(plain, scratch)
    #expect(loud != dry)
    let graph = try CommandRun(
      ["graph", "Songs/groove.mid", "--send", "2=hall"] + bus + plain)
    #expect(graph.text.contains("hall") && graph.text.contains("track 2"), "\(graph.errors)")
  }

  @Test func `impossible options are refused with one line`() throws {
    let scratch = try ScratchFolder()
    let out = ["render", "Songs/groove.mid", "-o", scratch.path("x.wav")] + Self.font
    for (words, status, sentence) in [
      (["--on", "99=reverb"], Int32(64), "the song has"),
      (["--on", "reverb"], 64, "not TRACKS=VALUE"),
      (["--on", "missing=reverb"], 64, "no track has that name"),
      (["--on", "2=revreb"], 64, "did you mean reverb"),
      (["--send", "2=hall"], 64, "unknown bus hall"),
      (["--bus", "hall=reverb"], 64, "nothing is sent to it"),
      (["--effect", "lv2:"], 64, "the plug-in's name is missing"),
    ] {
      let run = try CommandRun(out + words)
      #expect(run.status == status && run.errors.contains(sentence), "\(words): \(run.errors)")
    }
  }

  @Test(.enabled(if: PluginFolder.isMDAInstalled, "mda-lv2 is not installed"))
  func `unknown plug-ins and parameters are refused with the available ones`() throws {
    let scratch = try ScratchFolder()
    let out = ["render", "Songs/groove.mid", "-o", scratch.path("x.wav")]
    for (words, sentence) in [
      (["--effect", "lv2:mda-ambiance"], "did you mean"),
      (["--effect", "lv2:mda-ambience mix=7"], "out of range"),
      (["--effect", "lv2:mda-ambience mix=much"], "is not a valid value"),
      (["--effect", "lv2:mda-ambience nix=1"], "unknown parameter nix"),
      (["--effect", "lv2:mda-epiano"], "not an effect"),
      (["--instrument", "lv2:mda-ambience"], "not an instrument"),
      (["--instrument", #"lv2:mda-epiano preset="Nobody's""#], "Bright"),
    ] {
      let font = words[0] == "--effect" ? Self.font : []
      let run = try ToolRun(out + words + font)
      #expect(run.status == 64 && run.errors.contains(sentence), "\(words): \(run.errors)")
      #expect(run.errors.split(separator: "\n").count == 1, "\(run.errors)")
    }
  }
}
