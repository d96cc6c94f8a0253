// SPDX-License-Identifier: Apache-2.0
package import AudioFiles
internal import JSONText
package import MusicalTime
internal import PlayerControl
internal import Synchronization
internal import TerminalViews

/// The progress of a task: a bar on a terminal, or, with `--json`, lines for other programs.
///
/// The lines are printed four times per second, from the second second on.
package struct ProgressBar {
  /// The interval between two lines for other programs.
  private static let pause = Duration.milliseconds(250)
  private static let patience = Duration.seconds(1)
  private static let longest = 40
  private static let shortest = 10

  /// The number of its status line.
  private let number = Console.current.barCount.add(1, ordering: .relaxed).newValue
  private let label: String
  private let rate: SampleRate
  private let frameCount: Int64?
  private let isShown = Terminal.isInteractive && !JSONReport.isOn
  private let isTold = JSONReport.isOn
  private let start = ContinuousClock.now
  private var frames: Int64 = 0
  private var told = Duration.zero
  private var last: (percent: Int, rest: String)?

  /// Creates a bar, without showing it.
  ///
  /// - Parameters:
  ///   - label: The name of the task.
  ///   - rate: The sample rate, if sound is produced; 48 000 Hz by default.
  ///   - frameCount: The total number of frames, if fractions refer to it; nil by default.
  package init(label: String, rate: SampleRate = .hertz48000, frameCount: Int64? = nil) {
    self.label = label
    self.rate = rate
    self.frameCount = frameCount
  }

  /// Shows a fraction of the work, and the speed if sound is produced.
  ///
  /// - Parameters:
  ///   - fraction: The completed fraction, 0…1.
  ///   - count: The number of frames produced since the last call; 0 by default.
  package mutating func show(_ fraction: Double, adding count: Int = 0) {
    guard isShown || isTold else { return }
    frames = frameCount.map { Int64(min(Double($0) * fraction, 1e15)) } ?? frames + Int64(count)
    show(
      SoundProgress(
        fraction: fraction, frames: SampleTime(frames: frames), rate: rate,
        elapsed: ContinuousClock.now - start))
  }

  /// Shows the progress; draws only if the text has changed.
  package mutating func show(_ progress: SoundProgress) {
    tell(progress)
    guard isShown else { return }
    let percent = Int((progress.fraction * 100).rounded(.down))
    let rest = Self.rest(of: progress)
    if let last, last == (percent, rest) { return }
    last = (percent, rest)
    let line = Self.line(label, percent: percent, rest, columns: StatusLine.columns - 1)
    StatusLine.show(line, line: number)
  }

  /// Prints a line for other programs, if it is due.
  private mutating func tell(_ progress: SoundProgress) {
    guard isTold, progress.elapsed >= max(Self.patience, told + Self.pause),
      let left = progress.secondsLeft
    else { return }
    told = progress.elapsed
    let count = Int(progress.frames.frames)
    JSONReport.write(
      "progress",
      [
        ("name", .text(label)), ("fraction", .decimal(progress.fraction.decimal(4))),
        ("frames", count > 0 ? .integer(count) : .null),
        ("speed", progress.speed.map { .decimal($0.decimal(2)) } ?? .null),
        ("secondsLeft", .decimal(left.decimal(1))),
      ])
  }

  /// Removes the bar.
  package mutating func clear() {
    guard last != nil else { return }
    last = nil
    StatusLine.clear(line: number)
  }

  /// The speed and the remaining time; empty in the first second, when they are not known.
  private static func rest(of progress: SoundProgress) -> String {
    guard progress.elapsed > .seconds(1), progress.fraction > 0.01 else { return "" }
    let speed = progress.speed.map { "  \(factor($0))" } ?? ""
    return speed + (progress.secondsLeft.map { "  \($0.rounded(.up).lengthText) left" } ?? "")
  }

  /// The speed as a multiple of real time: `180×`, or `0.8×`.
  package static func factor(_ speed: Double) -> String { "\(speed.decimal(speed < 10 ? 1 : 0))×" }

  /// The line of the bar; if space is short, the bar becomes shorter and the middle of the name is
  /// left out.
  private static func line(
    _ label: String, percent: Int, _ rest: String, columns: Int
  ) -> String {
    let end = "] \(percent) %\(rest)"
    let room = columns - " [".count - end.count
    let width = min(longest, max(shortest, room - TextWidth.columns(label)))
    let filled = percent * width / 100
    let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: width - filled)
    return "\(TextWidth.shortened(label, to: room - width)) [\(bar)\(end)"
  }
}
