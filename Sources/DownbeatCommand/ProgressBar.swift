// SPDX-License-Identifier: Apache-2.0

/// A bar on standard error, drawn over itself; draws nothing where that is not a terminal.
struct ProgressBar {
  private static let width = 40

  private let label: String
  private let isShown = Terminal.isInteractive
  private var shown = -1

  init(label: String) {
    self.label = label
  }

  /// Shows a fraction, 0…1; draws only when the percentage has changed.
  mutating func show(_ fraction: Double) {
    let percent = Int((min(max(fraction, 0), 1) * 100).rounded(.down))
    guard isShown, percent != shown else { return }
    shown = percent
    let filled = percent * Self.width / 100
    let bar = String(repeating: "#", count: filled)
    let rest = String(repeating: ".", count: Self.width - filled)
    Terminal.draw("\r\(label) [\(bar)\(rest)] \(percent) %")
  }

  /// Takes the bar away.
  func clear() {
    guard isShown, shown >= 0 else { return }
    Terminal.draw("\r\u{1B}[K")
  }
}
