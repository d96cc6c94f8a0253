// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// A hundred real files render: the first 30 s of each, with our own soundfont.
@Suite(.enabled(if: CorpusFolder.isThere, CorpusFolder.reason))
struct CorpusRenderTests {
  @Test func `a hundred real files render without an error`() async throws {
    let files = try ["freedoom__freedoom", "omarperacha__js-fakes", "mzealey__openhymnal"]
      .flatMap { try CorpusFolder.midiFiles(under: $0) }
    #expect(files.count >= 100)
    let scratch = try ScratchFolder()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for part in 0..<2 {
        group.addTask {
          for (index, file) in files.prefix(100).enumerated() where index % 2 == part {
            try render(file, to: scratch.path("\(index).wav"))
          }
        }
      }
      try await group.waitForAll()
    }
  }

  private func render(_ file: URL, to output: String) throws {
    let run = try ToolRun(
      [
        "render", file.path, "-o", output, "--length", "30s", "--soundfont",
        "Soundfonts/Downbeat.sf2",
      ], command: ToolRun.releaseCommand)
    #expect(run.status == 0, "\(file.lastPathComponent): \(run.errors)")
    let sound = try #require(WaveAudio(try Data(contentsOf: URL(fileURLWithPath: output))))
    #expect(sound.level > -60, "\(file.lastPathComponent) is silent")
    #expect(sound.channels[0].count <= 30 * sound.rate)
    try FileManager.default.removeItem(atPath: output)
  }
}
