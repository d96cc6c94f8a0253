// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Examples from Apple's documents in Swift, compiled unchanged against the built modules.
@Suite(.enabled(if: CoreAudioExamples.isThere, "no clients' sources (set DOWNBEAT_CLIENTS)"))
struct CoreAudioClientTests {
  private func run(_ name: String, _ arguments: [String] = []) throws -> String {
    let scratch = try ScratchFolder()
    let program = scratch.path("program")
    let main = CoreAudioExamples.folder.appendingPathComponent("\(name)/main.swift").path
    try BuiltModules(of: "downbeat-fuzz").compile(
      [main], to: program, ["-swift-version", "5", "-suppress-warnings"])
    let run = try ToolRun(arguments, command: program)
    #expect(run.status == 0, "\(run.errors)")
    return run.text
  }

  @Test func `Listings 2-4 and 2-5: a format and a packet`() throws {
    let text = try run("L04_Types")
    #expect(text.contains("mSampleRate: 44100.0, mFormatID: 1819304813, mFormatFlags: 41"))
    #expect(text.contains("mDataByteSize: 417"))
    #expect(text.hasSuffix(" 40\n"))
  }

  @Test func `Listing 2-17: a system sound ends a run loop`() throws {
    let scratch = try ScratchFolder()
    let sound = scratch.path("sound.wav")
    try Self.silence(seconds: 0.5).write(to: URL(fileURLWithPath: sound))
    let text = try run("L17_SystemSound", [sound])
    #expect(text.hasPrefix("create 0 "))
    #expect(text.hasSuffix("over\nrun loop left\n"))
  }

  @Test func `Listing 2-10: the session is asked for an input`() throws {
    #expect(try run("L10_InputAvailable").isEmpty)
  }

  @Test func `Listings 2-11 to 2-13: a player with a delegate`() throws {
    let scratch = try ScratchFolder()
    let sound = scratch.path("sound.wav")
    try Self.silence(seconds: 0.5).write(to: URL(fileURLWithPath: sound))
    #expect(try run("L11_AVAudioPlayer", [sound]).isEmpty)
  }

  @Test func `An incomplete format of the program ends with an error`() throws {
    _ = try run("B03_ExtAudioFileAAC")
  }

  @Test func `QA1639: the first playable format of a file`() throws {
    _ = try run("Q00_FirstPlayable")
  }

  @Test func `A graph with callbacks, without the overlay that it had to bring`() throws {
    let text = try run("X1_AUGraph")
    #expect(!text.contains("!!"))
    #expect(text.contains("input 1: 44100.0 2 flags 41"))
    // Two tones of 0.1 each, then one, then none.
    let peaks = text.split(separator: "\n").compactMap { line -> Double? in
      guard line.hasPrefix("two tones:") || line.hasPrefix("one muted:") else { return nil }
      return line.split(separator: " ").last.flatMap { Double($0) }
    }
    #expect(peaks.count == 2 && peaks[0] > 0.15 && peaks[0] <= 0.2001)
    #expect(peaks.count == 2 && peaks[1] > 0.09 && peaks[1] <= 0.1001)
  }

  @Test func `A clock in all its formats`() throws {
    let text = try run("X3_CAClock")
    #expect(text.contains("beat 10.25 = 4 2 120"))
    #expect(text.contains("3600 s = 0 59 56 12 32") || text.contains("3600 s = "))
    #expect(!text.contains("!! map") && !text.contains("!! start"))
  }

  /// A WAVE file of 16-bit silence, mono, 44,100 Hz.
  private static func silence(seconds: Double) -> Data {
    func bytes(_ value: some FixedWidthInteger) -> [UInt8] {
      withUnsafeBytes(of: value.littleEndian) { Array($0) }
    }
    let size = Int(seconds * 44_100) * 2
    var data = Data("RIFF".utf8) + bytes(UInt32(36 + size)) + Data("WAVEfmt ".utf8)
    data += bytes(UInt32(16)) + bytes(UInt16(1)) + bytes(UInt16(1)) + bytes(UInt32(44_100))
    data += bytes(UInt32(88_200)) + bytes(UInt16(2)) + bytes(UInt16(16))
    data += Data("data".utf8) + bytes(UInt32(size)) + Data(count: size)
    return data
  }
}

/// The folder of the examples.
private enum CoreAudioExamples {
  /// The folder, in `DOWNBEAT_CLIENTS` or next to the checkout.
  static let folder = URL(
    fileURLWithPath: ProcessInfo.processInfo.environment["DOWNBEAT_CLIENTS"]
      ?? ToolRun.packageFolder.appendingPathComponent("../shared/clients").path
  ).appendingPathComponent("core-audio")

  static let isThere = FileManager.default.fileExists(atPath: folder.path)
}
