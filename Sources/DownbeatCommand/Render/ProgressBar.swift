// SPDX-License-Identifier: Apache-2.0
internal import Realtime
internal import Synchronization
internal import TerminalViews

/// A bar on standard error, drawn over itself; draws nothing where that is not a terminal.
struct ProgressBar {
  private static let longest = 40
  private static let shortest = 10

  private static let count = Atomic(0)

  /// Which of the lines that are drawn it is.
  private let number = Self.count.add(1, ordering: .relaxed).newValue
  private let label: String
  private let isShown = Terminal.isInteractive
  private let start = DeadlineWait.now
  private var last: (percent: Int, seconds: Int64?)?

  init(label: String) {
    self.label = label
  }

  /// Shows a fraction of the work, 0…1; draws only when what is shown has changed.
  mutating func show(_ fraction: Double) {
    guard isShown else { return }
    let done = min(max(fraction, 0), 1)
    let percent = Int((done * 100).rounded(.down))
    let left = secondsLeft(after: done)
    if let last, last == (percent, left) { return }
    last = (percent, left)
    let line = Self.line(label, percent: percent, left: left, columns: StatusLine.columns - 1)
    StatusLine.show(line, line: number)
  }

  /// Takes the bar away.
  mutating func clear() {
    guard last != nil else { return }
    last = nil
    StatusLine.clear(line: number)
  }

  /// What is left at the speed so far; nil in the first second, when that is not known.
  private func secondsLeft(after done: Double) -> Int64? {
    let elapsed = Double(DeadlineWait.now - start) / 1e9
    guard elapsed > 1, done > 0.01 else { return nil }
    return Int64(min(elapsed / done * (1 - done), 1e6).rounded(.up))
  }

  /// The line: the name shortened in its middle where there is no room for it, the bar shorter where there is little.
  private static func line(
    _ label: String, percent: Int, left: Int64?, columns: Int
  ) -> String {
    let seconds = left.map { "  \($0 / 60):\($0 % 60 < 10 ? "0" : "")\($0 % 60) left" } ?? ""
    let end = "] \(percent) %\(seconds)"
    let room = columns - " [".count - end.count
    let width = min(longest, max(shortest, room - TextWidth.columns(label)))
    let filled = percent * width / 100
    let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: width - filled)
    return "\(TextWidth.shortened(label, to: room - width)) [\(bar)\(end)"
  }
}
