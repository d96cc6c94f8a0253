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

  /// A minute of five of them; with `make test-long` twenty, whole.
  @Test func `our font alone plays all of twenty real songs, neither soft nor clipped`() throws {
    let isLong = ProcessInfo.processInfo.environment["DOWNBEAT_LONG"] != nil
    for (folder, count) in [
      ("freedoom__freedoom", 8), ("omarperacha__js-fakes", 4), ("mzealey__openhymnal", 4),
      ("bytedance__GiantMIDI-Piano", 4),
    ] {
      let files = try CorpusFolder.midiFiles(under: folder)
      for index in stride(from: 0, to: count, by: isLong ? 1 : 4) {
        let file = files[index * files.count / count]
        let sound = try OwnFont.render(file, length: isLong ? [] : ["--length", "60s"])
        let loudness = try #require(LoudnessWitness(sound.channels).integrated)
        #expect(OwnFont.loudness.contains(loudness), "\(file.lastPathComponent): \(loudness)")
      }
    }
  }

  private func render(_ file: URL, to output: String) throws {
    let run = try CommandRun(
      [
        "render", file.path, "-o", output, "--length", "30s", "--soundfont",
        "Soundfonts/Downbeat.sf2",
      ])
    #expect(run.status == 0, "\(file.lastPathComponent): \(run.errors)")
    let sound = try #require(WaveAudio(try Data(contentsOf: URL(fileURLWithPath: output))))
    #expect(sound.level > -60, "\(file.lastPathComponent) is silent")
    #expect(sound.channels[0].count <= 30 * sound.rate)
    try FileManager.default.removeItem(atPath: output)
  }
}
