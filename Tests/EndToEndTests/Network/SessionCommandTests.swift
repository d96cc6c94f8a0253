// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Commands that talk by MIDI over the network; `sessions.py` starts them.
@Suite struct SessionCommandTests {
  private func run(_ scene: String) throws -> ToolRun {
    let scratch = try ScratchFolder()
    let script = ToolRun.packageFolder.appendingPathComponent(
      "Tests/EndToEndTests/Network/sessions.py")
    let words = NetworkNamespace.words + ["/usr/bin/python3", script.path, scene]
    return try ToolRun(
      Array(words.dropFirst()),
      environment: [
        "TOOL": ToolRun.command, "FOLDER": scratch.url.path,
        "FONT": ToolRun.packageFolder.appendingPathComponent("Soundfonts/Downbeat.sf2").path,
        "DBUS_SESSION_BUS_ADDRESS": nil, "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nowhere",
      ], command: words[0], limit: 400)
  }

  private static let hasAvahi = ["/usr/sbin/avahi-daemon", "/usr/bin/dbus-daemon"]
    .allSatisfy { FileManager.default.isExecutableFile(atPath: $0) }

  @Test(arguments: ["song", "dumps", "record", "clocks", "thru", "synth", "datagrams"])
  func `another process receives the events of a process`(scene: String) throws {
    let run = try run(scene)
    #expect(run.status == 0, "\(run.text)\(run.errors)")
  }

  @Test func `missing and forbidden sessions are reported`() throws {
    let run = try run("bad")
    #expect(run.status == 0, "\(run.text)\(run.errors)")
  }

  @Test(.enabled(if: hasAvahi, "no Avahi: apt install avahi-daemon dbus"))
  func `sessions are found and listed by their names`() throws {
    let run = try run("names")
    #expect(run.status == 0, "\(run.text)\(run.errors)")
    if run.status == 0, SchemaJudge.isAvailable {
      #expect(try SchemaJudge.faults(of: run.output, in: "ports") == "")
    }
  }
}
