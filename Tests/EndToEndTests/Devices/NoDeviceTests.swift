// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// The commands that sound where there is no device, or one without a clock.
@Suite struct NoDeviceTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private var font: String {
    ToolRun.packageFolder.appendingPathComponent("Soundfonts/Downbeat.sf2").path
  }

  @Test func `a file for a device is paced by the machine, and holds what its header says`() throws
  {
    let song = try folder.write("song.mid", SongBytes.notes(4, every: 480))
    let heard = folder.path("heard.wav")
    let run = try ToolRun(
      ["play", song, "--audio", "file:FILE=\(heard),FORMAT=wav", "--soundfont", font], limit: 60)
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.errors.components(separatedBy: "playback stalled").count <= 3, "\(run.errors)")
    let bytes = [UInt8](try FileContent.data(heard))
    // Integers of 32 bits, as the header says. A song of two seconds: seven with all that rings.
    #expect(bytes[20] == 1 && bytes[34] == 32)
    #expect(bytes.count < 20 * 48_000 * 8, "\(bytes.count)")
    let loudest = stride(from: 44, to: bytes.count - 3, by: 4).map { place in
      let word = (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[place + $1]) << (8 * $1) }
      return abs(Double(Int32(bitPattern: word)))
    }.max()
    #expect((loudest ?? 0) > 1e7 && (loudest ?? 0) < 2.1e9)
  }

  /// A machine whose devices are those of a configuration.
  private func devices(_ lines: String) throws -> [String: String?] {
    [
      "ALSA_CONFIG_PATH": try folder.write("devices.conf", Array(lines.utf8)),
      "HOME": folder.url.path, "XDG_RUNTIME_DIR": folder.url.path,
    ]
  }

  @Test func `inputs are listed apart from outputs, and an error names them`() throws {
    let environment = try devices(
      """
      pcm.micro { type null hint { show on description "A microphone|IOIDInput" } }
      pcm.loud { type null hint { show on description "Loudspeakers|IOIDOutput" } }
      pcm.both { type null hint { show on description "Headset" } }
      """)
    let run = try ToolRun(["devices", "--json"], environment: environment)
    let document = try JSONSerialization.jsonObject(with: run.output) as? [String: Any]
    func names(_ list: String) -> [String] {
      (document?[list] as? [[String: Any]] ?? []).compactMap { $0["name"] as? String }
    }
    #expect(names("devices") == ["loud", "both"] && names("inputs") == ["micro", "both"])
    let inputs = document?["inputs"] as? [[String: Any]] ?? []
    #expect(inputs.allSatisfy { $0["channels"] != nil && $0["rates"] != nil })
    let text = try ToolRun(["devices"], environment: environment).text
    #expect(
      text == """
        loud
            Loudspeakers
        both
            Headset

        inputs:
        micro
            A microphone
        both
            Headset

        """)
    let unknown = try ToolRun(
      ["sound", "record", "--audio", "hw:9", "-o", folder.path("a.wav")], environment: environment)
    #expect(unknown.status == 69, "\(unknown.errors)")
  }

  @Test(.enabled(if: !FileManager.default.fileExists(atPath: "/dev/snd"), "there are devices here"))
  func `without a device an alert rings and flashes, and a sound names what can be had`() throws {
    let terminal = """
      import os, pty, sys
      child, end = pty.fork()
      if child == 0: os.execv(sys.argv[1], sys.argv[1:])
      said = b''
      while True:
          try: more = os.read(end, 4096)
          except OSError: break
          if not more: break
          said += more
      sys.stdout.buffer.write(said)
      sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
      """
    let run = try ToolRun(
      ["-c", terminal, ToolRun.command, "sound", "alert", "--bell", "--flash"],
      command: "/usr/bin/python3")
    #expect(run.status == 0, "\(run.text)")
    for sign in ["\u{7}", "\u{1B}[?5h", "\u{1B}[?5l"] { #expect(run.text.contains(sign)) }
    let plain = try ToolRun(["sound", "alert"])
    #expect(plain.status == 69 && plain.errors.contains("--bell and --flash"), "\(plain.errors)")
    let sound = try folder.write("a.wav", WaveBytes.file(frames: 10) { _, _ in 0 })
    let play = try ToolRun(["sound", "play", sound])
    #expect(play.status == 69 && play.errors.contains("sound convert"), "\(play.errors)")
  }
}
