// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// A player that other programs control, such as `lead.py`.
@Suite struct ControlTests {
  private static let folder = ToolRun.packageFolder
  private let song: LiveSong
  private let scratch: ScratchFolder

  init() throws {
    song = try LiveSong()
    scratch = try ScratchFolder()
    // The folder for sockets must be private.
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o700], ofItemAtPath: scratch.url.path)
  }

  /// Twenty seconds of a tone that stands.
  private func sound() throws -> String {
    try scratch.write(
      "sound.wav", WaveBytes.file(frames: 160_000, channels: 1, rate: 8000) { _, _ in 0.125 })
  }

  private func lead(_ scene: String) throws -> ToolRun {
    let script = Self.folder.appendingPathComponent("Tests/EndToEndTests/Control/lead.py").path
    return try ToolRun(
      [script, scene],
      environment: [
        "TOOL": ToolRun.command, "SONG": song.path, "FONT": song.font,
        "SOUND": try sound(),
        "FOLDER": scratch.url.path, "DBUS_SESSION_BUS_ADDRESS": nil,
      ], command: "/usr/bin/python3")
  }

  @Test(arguments: ["commands", "observed", "sounds"])
  func `commands are performed and events reported in the form of the schema`(scene: String) throws
  {
    let run = try lead(scene)
    #expect(run.status == 0, "\(run.errors)")
    #expect(try SchemaJudge.faults(of: run.output, in: "control") == "")
  }

  private static let hasEncoder = FileManager.default.isExecutableFile(atPath: "/usr/bin/ffmpeg")

  @Test(.enabled(if: hasEncoder, "no ffmpeg (make setup-test)"))
  func `addresses are controlled like files, as far as the server supports it`() throws {
    let run = try lead("streams")
    #expect(run.status == 0, "\(run.errors)")
    #expect(try SchemaJudge.faults(of: run.output, in: "control") == "")
  }

  private static let hasDesktop = ["playerctl", "dbus-daemon", "dbus-send", "dbus-monitor"]
    .allSatisfy { FileManager.default.isExecutableFile(atPath: "/usr/bin/\($0)") }

  @Test(.enabled(if: hasDesktop, "no desktop: apt install playerctl dbus-daemon dbus-bin"))
  func `media keys control it through the session bus, and without a bus it plays`() throws {
    let run = try lead("media")
    #expect(run.status == 0, "\(run.errors)")
  }

  @Test(arguments: ["hostile", "full", "spent", "places", "signals", "ctl", "unbussed"])
  func `hostile, blocking or missing programs do no harm`(scene: String) throws {
    let run = try lead(scene)
    #expect(run.status == 0, "\(run.errors)")
  }
}
