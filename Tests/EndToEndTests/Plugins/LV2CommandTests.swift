// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// `downbeat lv2`: what there is, and what is wrong with it.
@Suite(.enabled(if: PluginFolder.isMDAInstalled, "mda-lv2 is not installed"))
struct LV2CommandTests {
  private static func run(
    _ words: [String], _ scratch: borrowing ScratchFolder, folders: [String] = ["/usr/lib/lv2"]
  ) throws -> ToolRun {
    try ToolRun(
      words, environment: PluginFolder.environment(folders, cache: scratch.path("cache")))
  }

  @Test func `plug-ins are listed by names that name one each, from the cache too`() throws {
    let scratch = try ScratchFolder()
    let first = try Self.run(["lv2", "list"], scratch)
    #expect(first.status == 0 && first.errors.isEmpty, "\(first.errors)")
    let lines = first.text.split(separator: "\n")
    #expect(lines.contains { $0.hasPrefix("mda-epiano ") && $0.contains("instrument") })
    #expect(lines.contains { $0.hasPrefix("mda-ambience ") && $0.contains("effect") })
    let names = lines.compactMap { $0.split(separator: " ").first }
    #expect(Set(names).count == names.count)
    #expect(try Self.run(["lv2", "list"], scratch).text == first.text)
    #expect(FileManager.default.fileExists(atPath: scratch.path("cache/downbeat/lv2.jsonl")))
    let instruments = try Self.run(["lv2", "list", "--instruments", "mda"], scratch)
    #expect(instruments.text.contains("mda-piano") && !instruments.text.contains("ambience"))
  }

  @Test func `the cache is private to this user`() throws {
    let scratch = try ScratchFolder()
    #expect(
      try Self.run(["lv2", "list"], scratch, folders: [PluginFolder.mda + "/.."]).status == 0)
    for (name, mode) in [
      ("cache", 0o700), ("cache/downbeat", 0o700), ("cache/downbeat/lv2.jsonl", 0o600),
    ] {
      let attributes = try FileManager.default.attributesOfItem(atPath: scratch.path(name))
      #expect(attributes[.posixPermissions] as? Int == mode, "\(name)")
    }
  }

  @Test func `a pipe in place of the cache does not block`() throws {
    let scratch = try ScratchFolder()
    try FileManager.default.createDirectory(
      atPath: scratch.path("cache/downbeat"), withIntermediateDirectories: true)
    #expect(unsafe mkfifo(scratch.path("cache/downbeat/lv2.jsonl"), 0o600) == 0)
    let run = try ToolRun(
      ["lv2", "info", "mda-ambience"],
      environment: PluginFolder.environment(["/usr/lib/lv2"], cache: scratch.path("cache")),
      limit: 120)
    #expect(run.status == 0, "\(run.errors)")
  }

  @Test(.enabled(if: SchemaJudge.isAvailable, SchemaJudge.reason))
  func `documents match their schema`() throws {
    let scratch = try ScratchFolder()
    for words in [
      ["list"], ["info", "mda-ambience"], ["presets", "mda-epiano"], ["check", "mda-limiter"],
    ] {
      let run = try Self.run(["lv2"] + words + ["--json"], scratch)
      #expect(try SchemaJudge.faults(of: run.output, in: "lv2") == "", "\(words): \(run.errors)")
    }
  }

  @Test func `parameters are shown, and presets with their labels`() throws {
    let scratch = try ScratchFolder()
    let info = try Self.run(["lv2", "info", "mda-ambience"], scratch)
    #expect(info.text.contains("http://drobilla.net/plugins/mda/Ambience"), "\(info.errors)")
    #expect(info.text.contains("mix"))
    let presets = try Self.run(["lv2", "presets", "mda-epiano"], scratch)
    #expect(presets.text.split(separator: "\n").contains("Bright"), "\(presets.errors)")
    let near = try Self.run(["lv2", "info", "mda-ambiance"], scratch)
    #expect(
      near.status == 64 && near.errors.contains("did you mean mda-ambience"), "\(near.errors)")
  }

  @Test func `one that crashes causes one line and status 1 in every command`() throws {
    let scratch = try ScratchFolder()
    let folder = try PluginFolder.make("abort()", in: scratch)
    for words in [
      ["graph", "--soundfont", "Soundfonts/Downbeat.sf2", "--effect", "lv2:bad-one"],
      [
        "render", "Songs/groove.mid", "-o", scratch.path("x.wav"), "--effect", "lv2:bad-one",
        "--soundfont", "Soundfonts/Downbeat.sf2",
      ],
    ] {
      let run = try Self.run(words, scratch, folders: [folder])
      #expect(run.status == 1 && run.errors.split(separator: "\n").count == 1, "\(run.errors)")
      #expect(run.errors.contains("urn:test:bad-one: cannot be used"), "\(run.errors)")
    }
    let check = try Self.run(["lv2", "check", "bad-one"], scratch, folders: [folder])
    #expect(check.status == 1 && check.text.contains("Aborted"), "\(check.text)")
    let refused = try Self.run(["lv2", "list", "--refused"], scratch, folders: [folder])
    #expect(refused.text.contains("bad-one") && refused.text.contains("Aborted"))
  }

  @Test func `check reports NaN, and passes a correct plug-in`() throws {
    let scratch = try ScratchFolder()
    let folder = try PluginFolder.make("(void)r", in: scratch)
    let bad = try Self.run(["lv2", "check", "bad-one"], scratch, folders: [folder])
    #expect(bad.status == 3 && bad.text.contains("NaN or infinite"), "\(bad.text)\(bad.errors)")
    let good = try Self.run(["lv2", "check", "mda-limiter"], scratch)
    #expect(
      good.status == 0 && good.text.contains("no problems found"), "\(good.text)\(good.errors)")
  }

  @Test func `a damaged bundle causes one line, and lilv's messages are not shown`() throws {
    let scratch = try ScratchFolder()
    let bundle = scratch.path("lv2/broken.lv2")
    try FileManager.default.createDirectory(atPath: bundle, withIntermediateDirectories: true)
    try Data("<urn:a> a".utf8).write(to: URL(fileURLWithPath: bundle + "/manifest.ttl"))
    let run = try Self.run(
      ["lv2", "list"], scratch, folders: [scratch.path("lv2"), "/usr/lib/lv2"])
    #expect(run.errors.split(separator: "\n").count == 1, "\(run.errors)")
    #expect(run.errors.contains("broken.lv2: .ttl files are missing or damaged"), "\(run.errors)")
    #expect(run.status == 0 && run.text.contains("mda-ambience"))
  }
}
