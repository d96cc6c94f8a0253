// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// The clock in a browser: `web.py` looks at it with curl, websockets and Chromium.
@Suite struct WebCommandTests {
  private let song: LiveSong
  private let scratch: ScratchFolder

  init() throws {
    song = try LiveSong()
    scratch = try ScratchFolder()
    // The folder for sockets must be private.
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o700], ofItemAtPath: scratch.url.path)
  }

  private func look(_ scene: String, python: String = "/usr/bin/python3") throws -> ToolRun {
    let script = ToolRun.packageFolder.appendingPathComponent("Tests/EndToEndTests/Network/web.py")
    let words = NetworkNamespace.words + [python, script.path, scene]
    return try ToolRun(
      Array(words.dropFirst()),
      environment: [
        "TOOL": ToolRun.command, "SONG": song.path, "FONT": song.font,
        "FOLDER": scratch.url.path, "DBUS_SESSION_BUS_ADDRESS": nil,
      ], command: words[0], limit: 900)
  }

  /// The script's output in one line, which a log keeps whole.
  private func words(_ run: ToolRun) -> String {
    (run.text + run.errors).split(separator: "\n").joined(separator: " | ")
  }

  private static func has(_ program: String) -> Bool {
    FileManager.default.isExecutableFile(atPath: "/usr/bin/\(program)")
  }

  @Test(.enabled(if: has("curl"), "no curl: apt install curl"))
  func `the page is complete, and shown only to those with access`() throws {
    let run = try look("page")
    #expect(run.status == 0, "\(words(run))")
  }

  @Test(.enabled(if: PythonWitness.has("websockets"), "no websockets: run make setup-test"))
  func `another client sees the clock, and controls it only with the token`() throws {
    let run = try look("sockets", python: PythonWitness.path)
    #expect(run.status == 0, "\(words(run))")
  }

  @Test(.enabled(if: has("curl"), "no curl: apt install curl"))
  func `a crowd, silence and noise do no harm`() throws {
    let run = try look("hostile")
    #expect(run.status == 0, "\(words(run))")
  }

  private static let isLong = ProcessInfo.processInfo.environment["DOWNBEAT_LONG"] != nil

  @Test(
    .enabled(
      if: isLong && has("chromium") && PythonWitness.has("websockets"),
      "in make test-long, where there is a browser: apt install chromium"))
  func `a browser shows each beat within 20 ms, by a network of 30 ms`() throws {
    let run = try look("chrome", python: PythonWitness.path)
    #expect(run.status == 0, "\(words(run))")
  }

  @Test func `a port that is in use, and an invalid one, are reported`() throws {
    for (words, status, sentence) in [
      (["--web", "99999"], 64, "99999"),
      (["--web", "203.0.113.1:80"], 69, "not an address of this"),
      (["--web", "nowhere.invalid:80"], 69, "unknown host"),
    ] {
      let all = NetworkNamespace.words + [ToolRun.command, "clock", "serve", "studio"] + words
      let run = try ToolRun(Array(all.dropFirst()), command: all[0], limit: 60)
      #expect(run.status == status && run.errors.contains(sentence), "\(words) \(run.errors)")
    }
  }
}
