// SPDX-License-Identifier: Apache-2.0
import Foundation
import LinearTimecode
import MusicalTime
import TestSupport
import Testing

/// The recording of a real tape from libltc's sources, with the readings of libltc; neither is
/// stored here, because their licence is different.
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

/// The straight line nearest to the positions of frames: a tape of even speed.
private struct EvenSpeed {
  let first: Double
  let length: Double

  /// By least squares.
  init(_ places: [Double]) {
    let count = Double(places.count)
    let middle = (count - 1) / 2
    let mean = places.reduce(0, +) / count
    var (slope, weight) = (0.0, 0.0)
    for (index, place) in places.enumerated() {
      slope += (Double(index) - middle) * (place - mean)
      weight += (Double(index) - middle) * (Double(index) - middle)
    }
    length = slope / weight
    first = mean - middle * length
  }

  func farthest(of places: [Double]) -> Double {
    places.enumerated().map { abs($1 - first - Double($0) * length) }.max() ?? .infinity
  }
}

/// Compares the tape's labels and positions.
///
/// libltc's positions jump by three samples although the crossings on the tape are even. So
/// ours are compared with the even speed of its positions, from which those deviate by 1.9
/// samples.
@Suite(.enabled(if: LibltcTape.isThere, LibltcTape.reason)) struct LibltcTapeTests {
  @Test func `a real tape is read as libltc reads it`() throws {
    let tape = try LibltcTape()
    var decoder = LTCDecoder(sampleRate: try #require(SampleRate(hertz: 22_050)))
    var readings: [LTCReading] = []
    decoder.read(tape.sound.span, into: &readings)
    #expect(readings.map(\.frame.label) == tape.frames.map(\.label))
    let theirs = tape.frames.map { Double($0.start) }
    let even = EvenSpeed(theirs)
    let ours = readings.map(\.start.samples)
    let strays = (even.farthest(of: ours), even.farthest(of: theirs))
    print("tape: \(ours.count) frames, \(strays.0) samples off its speed; libltc \(strays.1)")
    #expect(strays.0 <= 1)
    #expect(EvenSpeed(ours).farthest(of: ours) <= 0.25)
  }
}
