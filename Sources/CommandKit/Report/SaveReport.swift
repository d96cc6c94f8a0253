// SPDX-License-Identifier: Apache-2.0
package import MusicSequences

/// Reports on standard error the losses of a file that was written.
package struct SaveReport {
  /// The maximum number of losses that are reported separately.
  private static let shown = 8

  package let name: String
  package let losses: [SaveLoss]

  /// Creates a report.
  package init(name: String, losses: [SaveLoss]) {
    self.name = name
    self.losses = losses
  }

  package func tell() {
    for loss in losses.prefix(Self.shown) { Terminal.report("\(name): not saved exactly: \(loss)") }
    let more = losses.count - Self.shown
    if more > 0 { Terminal.report("\(name): \(more) more details not saved exactly") }
  }
}
