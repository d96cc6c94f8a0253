// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import Foundation
import MusicalTime
import TestSupport
import Testing

/// Programs for macOS that convert sound files, compiled unchanged and compared with
/// `SoundFileReader`.
@Suite struct ConversionProgramTests {
  private static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().appendingPathComponent("../../MacPrograms").standardizedFileURL

  private let scratch: ScratchFolder
  private let tones = TestFormats.tones(30_001)

  init() throws { scratch = try ScratchFolder() }

  private func run(_ name: String, _ arguments: [String]) throws -> [String] {
    let main = scratch.path("main.swift")
    let text = try String(
      contentsOf: Self.folder.appendingPathComponent(name + ".swift"), encoding: .utf8)
    try text.write(toFile: main, atomically: true, encoding: .utf8)
    let program = scratch.path("program")
    try BuiltModules(of: "downbeat-fuzz").compile([main], to: program, ["-swift-version", "5"])
    let run = try ToolRun(arguments, command: program)
    #expect(run.status == 0, "\(run.errors)")
    return run.text.split(separator: "\n").map(String.init)
  }

  private func source(_ name: String) throws -> String {
    let path = scratch.path(name)
    let writer = try SoundFileWriter(
      path: path, format: SoundFileFormat(path: path), channelCount: 2, rate: .hertz44100)
    try writer.write(tones.span)
    try writer.finish()
    return path
  }

  @Test func `A program that encodes AAC with progress keeps the length to the frame`() throws {
    guard CodecCatalog.canWrite(try SoundFileFormat(.m4a)) else {
      try Test.cancel("no encoder of AAC (make setup-test)")
    }
    let target = scratch.path("out.m4a")
    let lines = try run("ExportAAC", [try source("in.wav"), target])
    #expect(
      lines == ["frames per packet 1024", "25 %", "50 %", "75 %", "100 %", "frames 30001"])
    #expect(try SoundFileReader(path: target).frameCount == 30_001)
  }

  @Test func `A program exports a song to M4A once, and reads it again`() throws {
    guard CodecCatalog.canWrite(try SoundFileFormat(.m4a)) else { return }
    let lines = try run("ExportSong", [try source("in.flac"), scratch.path("out.m4a")])
    let song = ["unknown: unknown", "seconds 0.6802947845804989 tracks 1"]
    #expect(
      lines == song + ["progress 1.0", "complete true difference 0", "loud true"] + song
        + ["the file exists already"])
  }

  @Test(arguments: ["in.flac", "in.mp3", "in.m4a"])
  func `A program decodes any file to WAVE and changes its rate`(name: String) throws {
    guard CodecCatalog.canWrite(try SoundFileFormat(path: name)) else {
      try Test.cancel("no encoder for \(name) (make setup-test)")
    }
    let (path, target) = (try source(name), scratch.path("out.wav"))
    let lines = try run("ConvertSamples", [path, target])
    let own = try SoundFileReader(path: path).read(Int16.self, frameCount: 1 << 20)
    let written = try SoundFileReader(path: target).read(Int16.self, frameCount: 1 << 20)
    #expect(written.elementsEqual(own))
    let frames = own.count / 2
    let converted = (frames * 48_000 * 2 + 44_100) / 88_200
    #expect(lines == ["decoded \(frames)", "converted \(converted) 0"])
  }
}
