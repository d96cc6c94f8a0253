// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import AudioTestSupport
import Foundation
import MusicalTime
import TestSupport
import Testing

/// Programs with audio queues, written as for macOS and compiled unchanged.
@Suite struct QueueProgramTests {
  private static let programs = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().appendingPathComponent("../../MacPrograms").standardizedFileURL
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private func run(_ name: String, _ arguments: [String]) throws -> [String] {
    let main = try folder.write(
      "main.swift",
      Array(try Data(contentsOf: Self.programs.appendingPathComponent(name + ".swift"))))
    let program = folder.path("program")
    try BuiltModules(of: "downbeat-fuzz").compile([main], to: program, ["-swift-version", "5"])
    let run = try ToolRun(arguments, command: program)
    #expect(run.status == 0, "\(run.errors)")
    return run.text.split(separator: "\n").map(String.init)
  }

  @Test func `Three buffers play a file to its end`() throws {
    let path = folder.path("sound.wav")
    let writer = try SoundFileWriter(
      path: path, format: SoundFileFormat(.wav, .integer16), rate: .hertz44100)
    try writer.write([Float](repeating: 0.1, count: 2 * 22_050).span)
    try writer.finish()
    #expect(try run("PlayQueue", [path, "null"]) == ["running 1", "running 0", "packets 22050"])
  }

  @Test func `A recording has every packet that was written`() throws {
    let path = folder.path("sound.caf")
    let lines = try run("RecordPackets", [path, "null"])
    let count = try SoundFileReader(path: path).frameCount
    #expect(lines == ["packets \(count)"] && count >= 3 * 4410)
  }

  @Test(
    .enabled(if: FFmpegWitness.isInstalled, "no ffmpeg (make setup-test)"))
  func `A stream that is parsed in pieces gives the samples of its packets`() throws {
    let path = folder.path("sound.aac")
    try FFmpegWitness.run([
      "-f", "lavfi", "-i", "anoisesrc=d=2:a=0.3:r=44100:seed=7,aformat=channel_layouts=stereo",
      "-c:a", "aac", path,
    ])
    let lines = try run("StreamQueue", [path, folder.path("samples")])
    let rendered = QueueFormat.floats(try folder.bytes("samples"))
    let packets = rendered.count / 2 / 1024
    #expect(
      lines == [
        "format 2 44100 status 0", "packets \(packets)", "frames \(rendered.count / 2)",
      ])
    // The last packet is only found if others follow it.
    let expected = try FFmpegWitness.samples(path)
    #expect(rendered.count >= expected.count - 2 * 1024)
    #expect(expected.starts(with: rendered))
  }

  private static let examples = URL(
    fileURLWithPath: ProcessInfo.processInfo.environment["DOWNBEAT_CLIENTS"]
      ?? ToolRun.packageFolder.appendingPathComponent("../shared/clients").path
  ).appendingPathComponent("core-audio")

  @Test(
    .enabled(
      if: FileManager.default.fileExists(atPath: examples.path),
      "no clients' sources (set DOWNBEAT_CLIENTS)"),
    arguments: ["L01_PropertyListener", "L07_MagicCookie"])
  func `Fragments of Apple's documents compile unchanged`(_ name: String) throws {
    let main = Self.examples.appendingPathComponent("\(name)/main.swift").path
    try BuiltModules(of: "downbeat-fuzz").compile(
      [main], to: folder.path("program"), ["-swift-version", "5", "-suppress-warnings"])
  }
}
