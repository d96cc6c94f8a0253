// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// The progress of long work on sound, with `--json`, and the clean-up after a signal.
@Suite struct SoundProgressTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  /// Hours of silence, which take no room on the disk.
  private func silence(_ name: String) throws {
    let bytes = 3_900_000_000
    var head = WaveBytes.file(frames: 1) { _, _ in 0 }.prefix(44)
    for (place, value) in [(4, bytes + 36), (40, bytes)] {
      for index in 0..<4 { head[place + index] = UInt8(value >> (8 * index) & 0xFF) }
    }
    let path = try folder.write(name, Array(head))
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    try file.truncate(atOffset: UInt64(44 + bytes))
  }

  /// Ends the command after three progress reports, and prints them.
  private static let script = """
    import os, signal, subprocess, sys
    tool = subprocess.Popen(sys.argv[1:], stdout=subprocess.PIPE, text=True)
    told = 0
    for line in tool.stdout:
        print(line, end="")
        told += '"type":"progress"' in line
        if told == 3:
            tool.send_signal(signal.SIGINT)
    sys.exit(-tool.wait())
    """

  @Test(arguments: [
    "convert long.wav -o out.flac --rate 48000", "convert long.wav -o out.wav --gain -3dB",
    "cut long.wav -o out.wav --from 1s", "join long.wav other.wav -o out.w64",
  ])
  func `interrupted work has reported its progress, and leaves no file`(
    line: String
  ) throws {
    try silence("long.wav")
    if line.contains("other") { try silence("other.wav") }
    let before = try folder.names()
    let words = ["sound"] + line.split(separator: " ").map(String.init) + ["--json"]
    let run = try ToolRun(
      ["-c", Self.script, ToolRun.command] + words, command: "/usr/bin/python3",
      folder: folder.url)
    #expect(run.status == 2, "\(run.errors)")
    #expect(try folder.names() == before)
    let told = try run.text.split(separator: "\n").map { line in
      try #require(
        try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any], "\(line)")
    }
    let parts = told.filter { $0["type"] as? String == "progress" }
    let fractions = parts.compactMap { $0["fraction"] as? Double }
    #expect(fractions.count >= 3 && fractions == fractions.sorted(), "\(fractions)")
    #expect(fractions.allSatisfy { 0 < $0 && $0 < 1 })
    let frames = parts.compactMap { $0["frames"] as? Int }
    let speeds = parts.compactMap { $0["speed"] as? Double }
    #expect(frames.count == parts.count && frames == frames.sorted(), "\(frames)")
    #expect(speeds.count == parts.count && speeds.allSatisfy { $0 > 0 }, "\(speeds)")
    #expect(told.last?["type"] as? String == "refused")
    #expect(told.last?["exitStatus"] as? Int == 130)
    if SchemaJudge.isAvailable {
      #expect(try SchemaJudge.faults(of: run.output, in: "report") == "")
    }
  }
}
