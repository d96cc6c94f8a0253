// SPDX-License-Identifier: Apache-2.0
import ClockRivals
import ClockTraces
import Foundation

/// The pictures of `Documentation/Following.md`: the phase error of followers over one trace each.
enum Pictures {
  /// Writes them into a folder.
  static func write(to folder: String) throws {
    for (name, drawing) in all {
      let file = URL(fileURLWithPath: folder).appendingPathComponent("Following-\(name).svg")
      try Data(drawing.svg.utf8).write(to: file)
    }
  }

  private static var all: [(String, Drawing)] {
    [
      (
        "lock",
        draw(
          "Lock: the first 12 quarter notes at 120 BPM, 1 ms of jitter",
          .even(tempo: 120, ppm: 0), .jitter(1), 0...12, most: 4)
      ),
      (
        "step",
        draw(
          "A step from 120 to 128 BPM, 0.5 ms of jitter",
          .step(from: 120, to: 128), .jitter(0.5), 38...54, most: 20)
      ),
      (
        "rubato",
        draw(
          "Rubato of 5 % over 8 quarter notes, 0.5 ms of jitter",
          .swing(tempo: 120, part: 0.05, quarters: 8), .jitter(0.5), 24...48, most: 20)
      ),
      (
        "usb",
        draw(
          "USB frames of 1 ms at 92.75 BPM, 37 ppm slow",
          .even(tempo: 92.75, ppm: 37), .frames(1), 16...96, most: 0.6)
      ),
      (
        "player",
        draw(
          "A made-up player, 1 ms of jitter",
          ClockTrace(
            beats: ClockTrace.playedBeats(64, seed: 4), over: .jitter(1), seed: 1),
          8...48, most: 40, beside: ("mean of 24", MeanOfIntervals()))
      ),
    ]
  }

  private static func draw(
    _ title: String, _ motion: ClockTrace.Motion, _ line: ClockTrace.Line,
    _ quarters: ClosedRange<Double>, most: Double
  ) -> Drawing {
    draw(
      title, ClockTrace(motion, over: line, seed: 1), quarters, most: most,
      beside: ("Link's filter", SlidingLine()))
  }

  private static func draw(
    _ title: String, _ trace: ClockTrace, _ quarters: ClosedRange<Double>, most: Double,
    beside other: (name: String, follower: some TracedFollower)
  ) -> Drawing {
    Drawing(
      title: title, quarters: quarters, most: most,
      curves: [
        curve(other.name, "#999999", other.follower, trace, quarters),
        curve("Ardour's loop", "#d0803a", ArdourLoop(), trace, quarters),
        curve("Ardour, all of it", "#3a78b5", ArdourChain(), trace, quarters),
        curve("Downbeat", "#1a7f37", Ours(published: true), trace, quarters),
      ])
  }

  /// A follower's phase error in ms between two quarter notes, at some hundred points.
  private static func curve(
    _ name: String, _ color: String, _ follower: some TracedFollower, _ trace: ClockTrace,
    _ quarters: ClosedRange<Double>
  ) -> Drawing.Curve {
    let points = Double(ClockTrace.clocksPerQuarter * TraceRun.points)
    let range = Int(quarters.lowerBound * points)..<Int(quarters.upperBound * points)
    let phase = TraceRun(follower, trace).phase[range]
    let step = max(1, phase.count / 384)
    let values = stride(from: range.lowerBound, to: range.upperBound, by: step).map { phase[$0] }
    return Drawing.Curve(name: name, color: color, values: values)
  }
}
