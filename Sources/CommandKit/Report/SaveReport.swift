// SPDX-License-Identifier: Apache-2.0
package import MusicSequences

/// Tells on standard error what a file that was written cannot say.
package struct SaveReport {
  /// The most losses that are told one by one.
  private static let shown = 8

  package let name: String
  package let losses: [SaveLoss]

  /// Creates it from its parts.
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
