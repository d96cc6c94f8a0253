// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@Suite struct GraphTests {
  private let font = ["--soundfont", "Soundfonts/Downbeat.sf2"]

  private func document(_ run: ToolRun) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: run.output) as? [String: Any])
  }

  @Test func `the graph of play ends in a limiter, and is a tree of what it hears`() throws {
    let run = try ToolRun(["graph"] + font)
    #expect(run.status == 0, "\(run.errors)")
    let lines = run.text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    #expect(
      lines == [
        "head: limiter, 64 frames late", "1: mixer", "1: output 1 of instrument",
        "2: output 2 of instrument", "3: output 3 of instrument",
      ])
    let dry = try ToolRun(["graph", "--no-reverb", "--no-chorus"] + font)
    #expect(dry.text.split(separator: "\n").last?.contains("1: instrument") == true)
  }

  @Test func `a rendered song may have several instruments`() throws {
    let run = try ToolRun(
      ["graph", "Songs/crossing.mid", "--for", "render", "--form", "json"] + font)
    let graph = try document(run)
    let units = try #require(graph["units"] as? [[String: Any]])
    let names = units.compactMap { $0["name"] as? String }
    #expect(names.filter { $0 == "instrument" }.count > 1)
    #expect(
      (graph["connections"] as? [Any])?.count == names.filter { $0 == "instrument" }.count * 3 + 1)
    #expect(graph["head"] as? Int == names.firstIndex(of: "limiter"))
  }

  @Test func `Graphviz gets a description`() throws {
    let run = try ToolRun(["graph", "--form", "dot"] + font)
    #expect(run.text.hasPrefix("digraph downbeat {"))
    #expect(run.text.contains("label=\"mixer\""))
    #expect(run.text.hasSuffix("}\n"))
    #expect(run.text.filter { $0 == ">" }.count == 5)
  }

  @Test func `devices are listed, with what each can do or why it cannot be asked`() throws {
    let run = try ToolRun(["devices", "--json"])
    #expect(run.status == 0, "\(run.errors)")
    let devices = try #require(try document(run)["devices"] as? [[String: Any]])
    let null = try #require(devices.first { $0["name"] as? String == "null" })
    #expect((null["formats"] as? [String])?.contains("FLOAT_LE") == true)
    #expect(devices.allSatisfy { $0["rates"] != nil || $0["error"] != nil })
    let text = try ToolRun(["devices", "--long"])
    #expect(text.text.contains("null\n"))
    #expect(text.text.contains("S16_LE"))
  }

  @Test func `a kit of clips that is not there is missed`() throws {
    let run = try ToolRun(
      ["graph", "--soundfont", "Soundfonts/Downbeat.sf2", "--clips", "/nonexistent.json"])
    #expect(run.status == 66, "\(run.errors)")
  }
}
