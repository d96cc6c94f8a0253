// SPDX-License-Identifier: Apache-2.0
import Foundation
import LinearTimecode
import MusicalTime
import TestSupport
import Testing

/// The recording of a real tape in libltc's sources, and what libltc reads of it; we keep neither,
/// since their licence is another.
private struct LibltcTape {
  private static let folder = ProcessInfo.processInfo.environment["DOWNBEAT_LIBLTC_TESTS"] ?? ""
  static let isThere = FileManager.default.fileExists(atPath: folder + "/timecode.raw")
  static let reason: Comment = "no tape of libltc's (set DOWNBEAT_LIBLTC_TESTS to its tests)"

  /// Bytes of 22,050 Hz.
  let sound: [Float]
  /// The label of each frame, and its first sample.
  let frames: [(label: TimecodeLabel, start: Int)]

  init() throws {
    sound = try Data(contentsOf: URL(fileURLWithPath: Self.folder + "/timecode.raw"))
      .map { (Float($0) - 128) / 128 }
    frames = try String(contentsOfFile: Self.folder + "/timecode.txt", encoding: .utf8)
      .split(separator: "\n").map { line in
        let words = line.split { $0 == " " || $0 == "|" }
        let label = words[2].split(separator: ":").compactMap { UInt8($0) }
        return (
          TimecodeLabel(
            hours: label[0], minutes: label[1], seconds: label[2], frames: label[3]),
          try #require(Int(words[3]))
        )
      }
  }
}

@Suite(.enabled(if: LibltcTape.isThere, LibltcTape.reason)) struct LibltcTapeTests {
  @Test func `a real tape is read as libltc reads it`() throws {
    let tape = try LibltcTape()
    var decoder = LTCDecoder(sampleRate: try #require(SampleRate(hertz: 22_050)))
    var readings: [LTCReading] = []
    decoder.read(tape.sound.span, into: &readings)
    let distances = readings.compactMap { reading in
      tape.frames.first { $0.label == reading.frame.label }
        .map { reading.start.samples - Double($0.start) }
    }
    let most = distances.map(abs).max() ?? .infinity
    print("tape: \(readings.count) of \(tape.frames.count) frames, within \(most) samples")
    #expect(readings.count == tape.frames.count && distances.count == readings.count)
    #expect(most <= 1, "\(distances)")
  }
}
