// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import AudioToolboxFiles
import Foundation
import TestSupport
import Testing

/// Programs with Audio File and Audio File Stream Services, compiled unchanged.
@Suite struct FileProgramTests {
  private static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().appendingPathComponent("../../MacPrograms").standardizedFileURL
  private static let examples = URL(
    fileURLWithPath: ProcessInfo.processInfo.environment["DOWNBEAT_CLIENTS"]
      ?? ToolRun.packageFolder.appendingPathComponent("../shared/clients").path
  ).appendingPathComponent("core-audio")
  private static var hasExamples: Bool { FileManager.default.fileExists(atPath: examples.path) }

  private let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  private func run(_ source: URL, _ arguments: [String]) throws -> [String] {
    let main = scratch.path("main.swift")
    try Data(contentsOf: source).write(to: URL(fileURLWithPath: main))
    let program = scratch.path("program")
    try BuiltModules(of: "downbeat-fuzz").compile(
      [main], to: program, ["-swift-version", "5", "-suppress-warnings"])
    let run = try ToolRun(arguments, command: program)
    #expect(run.status == 0, "\(run.errors)")
    return run.text.split(separator: "\n").map(String.init)
  }

  @Test func `A program counts the packets of streams`() throws {
    let wave = try #require(try SoundSamples.write(scratch, "a.wav"))
    var (paths, expected) = ([wave], ["lpcm 44100 11025 44100"])
    let m4a = try SoundSamples.writeIndexFirst(scratch, "a.m4a", .aac)
    for path in [m4a, try SoundSamples.write(scratch, "a.mp3")] {
      guard let path else { continue }
      let table = try PacketReader(path: path).table
      if path == m4a { expected.append("cookie true false") }
      expected.append(
        "\(path == m4a ? "aac " : ".mp3") 44100 \(table.packets.count) \(table.byteCount)")
      paths.append(path)
    }
    if let late = try SoundSamples.write(scratch, "late.m4a", .aac) {
      paths.append(late)
      expected += ["status optm", "\0\0\0\0 0 0 0"]
    }
    #expect(try run(Self.folder.appendingPathComponent("StreamPackets.swift"), paths) == expected)
  }

  @Test func `A program copies packets, and its last file is whole though it is not closed`() throws
  {
    var arguments = [
      try #require(try SoundSamples.write(scratch, "a.wav")), scratch.path("one.wav"),
    ]
    let m4a = try SoundSamples.write(scratch, "a.m4a", .aac)
    if let m4a { arguments += [m4a, scratch.path("two.caf"), m4a, scratch.path("three.m4a")] }
    let source = Self.folder.appendingPathComponent("CopyPackets.swift")
    let lines = try run(source, arguments)
    #expect(lines.first == "copied 11025" && lines.count == arguments.count / 2)
    for index in stride(from: 0, to: arguments.count, by: 2) {
      let (one, other) = try (
        SoundSamples.samples(arguments[index]), SoundSamples.samples(arguments[index + 1])
      )
      #expect(one.count == 22_050 && one.elementsEqual(other))
    }
  }

  @Test(
    .enabled(if: hasExamples, "no clients' sources (set DOWNBEAT_CLIENTS)"),
    arguments: ["L06_OpenPlaybackFile", "L07_MagicCookie", "L08_BufferSize", "L09_CreateFile"])
  func `Listings 2-6 to 2-9 compile unchanged and run`(name: String) throws {
    let path = try #require(try SoundSamples.write(scratch, "a.caf"))
    _ = try run(Self.examples.appendingPathComponent("\(name)/main.swift"), [path])
  }
}
