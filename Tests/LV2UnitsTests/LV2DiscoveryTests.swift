// SPDX-License-Identifier: Apache-2.0
import Foundation
import LV2Units
import TestSupport
import Testing

/// Discovery of plug-ins by another process, and its cache.
@Suite(.enabled(if: ProbePlugins.isLilvInstalled, "liblilv-0-0 is not installed"))
struct LV2DiscoveryTests {
  /// A folder with the probes, and a bundle of damaged Turtle.
  private static func furnish(_ scratch: borrowing TestSupport.ScratchFolder) throws -> LV2Discovery
  {
    let folder = scratch.path("lv2")
    for name in ["lv2", "lv2/broken.lv2"] {
      try FileManager.default.createDirectory(
        atPath: scratch.path(name), withIntermediateDirectories: true)
    }
    try FileManager.default.copyItem(
      atPath: ProbePlugins.bundle(), toPath: folder + "/probe.lv2")
    try Data("<urn:a> a".utf8).write(to: URL(fileURLWithPath: folder + "/broken.lv2/manifest.ttl"))
    return LV2Discovery(
      command: [ToolRun.program("LV2Trial")], cache: scratch.path("cache/lv2.json"),
      folders: [folder, "/nowhere"], seconds: 300)
  }

  @Test func `a plug-in that crashes is named, and the others are found`() throws {
    let scratch = try TestSupport.ScratchFolder()
    let discovery = try Self.furnish(scratch)
    let found = try discovery.findings()
    #expect(found.plugins.count == 14 && found.triedBundleCount == 2)
    #expect(found.problems == [.emptyBundle(path: scratch.path("lv2/broken.lv2"))])
    let refused = found.plugins.filter { $0.refusal != nil }
    #expect(refused.map(\.shortName) == ["crashes", "needy", "sulks"])
    let sentences = refused.map { "\($0.refusal.map { "\($0)" } ?? "")" }
    #expect(sentences[0] == "it crashed in a test run: Aborted")
    #expect(sentences[1].contains("urn:nobody:has-it"))
    #expect(sentences[2].contains("not today"))
  }

  @Test func `results are kept until the bundle changes`() throws {
    let scratch = try TestSupport.ScratchFolder()
    let discovery = try Self.furnish(scratch)
    let first = try discovery.findings()
    var deaf = discovery
    deaf.command = ["/nowhere/program"]
    let again = try deaf.findings()
    #expect(again.plugins == first.plugins && again.problems == first.problems)
    #expect(again.triedBundleCount == 0)
    try Data("# changed\n".utf8).write(
      to: URL(fileURLWithPath: scratch.path("lv2/broken.lv2/more.ttl")))
    #expect(throws: LV2Error.self) { try deaf.findings() }
    #expect(try discovery.findings().triedBundleCount == 1)
  }

  @Test func `a damaged cache is ignored, and a program without answers is named`() throws {
    let scratch = try TestSupport.ScratchFolder()
    var discovery = try Self.furnish(scratch)
    _ = try discovery.findings()
    for text in ["", "nonsense", "{\"v\":2}", "{\"v\":1,\"path\":\"/x\",\"stamp\":\"0\"}\n{"] {
      try Data(text.utf8).write(to: URL(fileURLWithPath: scratch.path("cache/lv2.json")))
      #expect(try discovery.findings().plugins.count == 14)
    }
    discovery.cache = nil
    discovery.command = ["/bin/true"]
    let error = #expect(throws: LV2Error.self) { try discovery.findings() }
    #expect("\(try #require(error))" == "/bin/true: cannot test plug-ins: no answer")
  }

  @Test func `of two plug-ins with one URI the first is used; a lost binary is named`()
    throws
  {
    let scratch = try TestSupport.ScratchFolder()
    let discovery = try Self.furnish(scratch)
    let (probe, copy) = (scratch.path("lv2/probe.lv2"), scratch.path("lv2/second.lv2"))
    try FileManager.default.copyItem(atPath: probe, toPath: copy)
    let found = try discovery.findings()
    #expect(found.plugins.count == 14 && found.plugins.allSatisfy { $0.bundle.contains("probe") })
    let told = found.problems.dropFirst().map { "\($0)" }
    #expect(told.count == 14)
    let sentence =
      "\(copy): urn:probe:amp is ignored, because it is also in \(probe)"
      + " (remove one of the two)"
    #expect(told.contains(sentence))
    // Without the first bundle's binary, all its plug-ins are refused, each by name.
    try FileManager.default.removeItem(atPath: copy)
    try FileManager.default.removeItem(atPath: probe + "/probe.so")
    let refused = try discovery.findings().plugins
    #expect(refused.count == 14)
    let reasons = refused.map { $0.refusal.map { "\($0)" } ?? "" }
    let lost = "it failed a test run: urn:probe:amp: cannot be loaded: "
    #expect(reasons.count { $0.hasPrefix("it failed a test run: urn:probe:") } == 13)
    #expect(reasons.contains { $0.hasPrefix(lost) && $0.contains("No such file") })
  }

  @Test func `a line contains everything known about a plug-in`() throws {
    for plugin in try ProbePlugins.world().plugins {
      #expect(LV2Plugin(text: plugin.text) == plugin)
      #expect(LV2Plugin(text: String(plugin.text.dropLast())) == nil)
    }
    #expect(LV2Plugin(text: "{\"v\":1}") == nil)
  }

  @Test func `reading a bundle's files may take longer than testing a plug-in`() throws {
    let scratch = try TestSupport.ScratchFolder()
    for name in ["lv2", "lv2/large.lv2"] {
      try FileManager.default.createDirectory(
        atPath: scratch.path(name), withIntermediateDirectories: true)
    }
    let manifest = URL(fileURLWithPath: scratch.path("lv2/large.lv2/manifest.ttl"))
    try Data("# many\n".utf8).write(to: manifest)
    let marker = scratch.path("tried")
    func findings(_ program: String) throws -> LV2Discovery.Findings {
      try LV2Discovery(
        command: ["/bin/sh", "-c", program, marker], folders: [scratch.path("lv2")], seconds: 1
      ).findings()
    }
    #expect(try findings(#"sleep 2; echo "end $1""#).triedBundleCount == 1)
    // A second process leaves out the plug-in whose test gave no output for a second.
    _ = try findings(
      #"if [ -e "$0" ]; then echo "$2" > "$0"; echo "end $3"; else : > "$0"; echo "try urn:slow"; exec sleep 9; fi"#
    )
    let told = String(decoding: try FileContent.data(marker), as: UTF8.self)
    #expect(told == "urn:slow=no answer for 1 s\n")
  }
}
