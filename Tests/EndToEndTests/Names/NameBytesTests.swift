// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Files whose names are bytes: Latin-1, Shift-JIS, no encoding's, escape sequences.
///
/// `names.py` makes them, since Foundation passes arguments as UTF-8.
@Suite struct NameBytesTests {
  private func run(_ scene: String) throws {
    let script = ToolRun.packageFolder.appendingPathComponent("Tests/EndToEndTests/Names/names.py")
    let run = try ToolRun(
      [script.path, scene],
      environment: [
        "TOOL": ToolRun.command, "DBUS_SESSION_BUS_ADDRESS": nil,
        "FONT": ToolRun.packageFolder.appendingPathComponent("Soundfonts/Downbeat.sf2").path,
      ], command: "/usr/bin/python3", limit: 600)
    #expect(run.status == 0, "\(run.errors)")
  }

  @Test(arguments: ["files", "rendered", "folders", "lists", "led", "resumed"])
  func `files of any name are read, written, shown and remembered`(scene: String) throws {
    try run(scene)
  }

  private static let hasDesktop = ["dbus-daemon", "dbus-send"]
    .allSatisfy { FileManager.default.isExecutableFile(atPath: "/usr/bin/\($0)") }

  @Test(.enabled(if: hasDesktop, "no desktop: apt install dbus-daemon dbus-bin"))
  func `a desktop gets every byte of a name in its address`() throws {
    try run("media")
  }
}
