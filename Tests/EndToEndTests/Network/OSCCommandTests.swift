// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Players that are controlled by Open Sound Control and send their position: `osc.py` is the other
/// side.
@Suite struct OSCCommandTests {
  private let song: LiveSong
  private let scratch: ScratchFolder

  init() throws {
    song = try LiveSong()
    scratch = try ScratchFolder()
    // The folder for sockets must be private.
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o700], ofItemAtPath: scratch.url.path)
  }

  private func lead(_ scene: String, python: String = "/usr/bin/python3") throws -> ToolRun {
    let script = ToolRun.packageFolder.appendingPathComponent("Tests/EndToEndTests/Network/osc.py")
    let sound = try scratch.write(
      "sound.wav", WaveBytes.file(frames: 160_000, channels: 1, rate: 8000) { _, _ in 0.125 })
    let words = NetworkNamespace.words + [python, script.path, scene]
    return try ToolRun(
      Array(words.dropFirst()),
      environment: [
        "TOOL": ToolRun.command, "SONG": song.path, "FONT": song.font, "SOUND": sound,
        "FOLDER": scratch.url.path, "DBUS_SESSION_BUS_ADDRESS": nil,
      ], command: words[0], limit: 200)
  }

  private static let hasTools = ["oscsend", "oscdump"]
    .allSatisfy { FileManager.default.isExecutableFile(atPath: "/usr/bin/\($0)") }

  @Test(
    .enabled(if: hasTools, "no oscsend: apt install liblo-tools"),
    arguments: ["words", "told", "others"])
  func `liblo's tools control players, and receive their messages`(scene: String) throws {
    let run = try lead(scene)
    #expect(run.status == 0, "\(run.errors)")
  }

  @Test func `queries are answered, and hostile messages do no harm`() throws {
    let run = try lead("answers")
    #expect(run.status == 0, "\(run.errors)")
  }

  @Test func `commands in the same bundle as a move are performed in the next song`() throws {
    let run = try lead("bursts")
    #expect(run.status == 0, "\(run.errors)")
  }

  @Test(
    .enabled(
      if: hasTools && PythonWitness.has("pythonosc"), "no python-osc: run make setup-test"))
  func `a bundle 200 ms ahead starts the song at its tag`() throws {
    let run = try lead("times", python: PythonWitness.path)
    #expect(run.status == 0, "\(run.text)\(run.errors)")
  }

  @Test func `sounds that play at the same time are not controlled`() throws {
    let run = try ToolRun([
      "sound", "play", "a.wav", "b.wav", "--together", "--osc", "9000", "--audio", "null",
    ])
    #expect(run.status == 64 && run.errors.contains("--osc: needs files played one after another"))
  }

  @Test func `ports and addresses that cannot be used are reported`() throws {
    for (words, status, sentence) in [
      (["--osc", "nowhere.invalid:9000"], 69, "unknown host"),
      (["--osc", "203.0.113.1:9000"], 69, "not an address of this machine"),
      (["--osc", "9000x"], 64, "9000x"), (["--osc", "0"], 64, "the port must be 1…65535"),
      (["--osc-out", "127.0.0.1"], 64, "not an address and a port"),
      (["--osc-out", "nowhere.invalid:9"], 69, "unknown host"),
    ] {
      let all = NetworkNamespace.words + [ToolRun.command, "play", song.path] + words
      let run = try ToolRun(
        Array(all.dropFirst()) + ["--audio", "null"], command: all[0], limit: 60)
      #expect(run.status == status && run.errors.contains(sentence), "\(words) \(run.errors)")
    }
  }
}
