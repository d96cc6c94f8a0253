// SPDX-License-Identifier: Apache-2.0
package import AudioProcessing
internal import CommandKit
internal import Downbeat
internal import JSONText
internal import LV2Units
internal import MusicalTime
internal import PlayerControl

/// Reports each plug-in, once, that renders too slowly during playback.
package struct PluginWatch {
  /// Blocks after which a plug-in is reported; other programs may delay a thread once or twice.
  private static let leastBlocks = 3

  private var unnamed: [LV2Unit]
  private let isQuiet: Bool

  /// Starts to watch the plug-ins of a graph.
  ///
  /// - Parameters:
  ///   - graph: The graph that is played; nil for none.
  ///   - isQuiet: True to report only in JSON output.
  package init(_ graph: AudioGraph?, isQuiet: Bool) {
    unnamed = graph?.plugins ?? []
    self.isQuiet = isQuiet
  }

  /// Reports plug-ins that have rendered too slowly since the last call.
  package mutating func update() {
    guard !unnamed.isEmpty else { return }
    let slow = unnamed.filter { $0.slowBlockCount >= Self.leastBlocks }
    guard !slow.isEmpty else { return }
    unnamed.removeAll { unit in slow.contains { $0 === unit } }
    for unit in slow { tell(unit) }
  }

  private func tell(_ unit: LV2Unit) {
    let milliseconds = unit.longestBlock / .milliseconds(1)
    let sounds = 1000 * Double(AudioFormat.quantum) / Double(unit.configuration.rate.hertz)
    JSONReport.tell(
      "slow-plugin",
      [
        ("uri", .text(unit.plugin.uri)), ("count", .integer(unit.slowBlockCount)),
        ("milliseconds", .decimal(milliseconds.decimal(3))),
      ])
    guard !isQuiet else { return }
    Terminal.report(
      "\(unit.plugin.uri): took \(milliseconds.decimal(2)) ms to render \(AudioFormat.quantum)"
        + " frames (\(sounds.decimal(2)) ms of sound): gaps are possible (see: downbeat lv2 check)")
  }
}

extension AudioGraph {
  /// The plug-ins in the graph, including those inside other units.
  fileprivate var plugins: [LV2Unit] {
    nodes.flatMap { node -> [LV2Unit] in
      switch unit(at: node) {
      case let unit as LV2Unit: [unit]
      case let unit as TrackInstrument: unit.graph.plugins
      case let unit as SubgraphUnit: unit.plan.graph.plugins
      default: []
      }
    }
  }
}
