// SPDX-License-Identifier: Apache-2.0
package import AudioProcessing
package import MusicalTime

/// Renders a plan quantum by quantum and keeps the output.
package final class PlanListener {
  package let plan: RenderPlan
  package private(set) var frame: Int64 = 0
  /// All samples rendered so far, for each channel.
  package private(set) var channels: [[Float]]

  package init(_ plan: RenderPlan) {
    self.plan = plan
    channels = Array(repeating: [], count: plan.output.channelCount)
  }

  /// Renders a graph whose head is a unit with a source at its input.
  package convenience init(_ source: any ProcessingUnit, through unit: any ProcessingUnit) throws {
    var graph = AudioGraph()
    let head = graph.add(unit)
    try graph.connect(graph.add(source), to: head)
    try graph.setHead(head)
    self.init(try graph.compile())
  }

  /// Renders a graph of one unit.
  package convenience init(_ unit: any ProcessingUnit) throws {
    var graph = AudioGraph()
    try graph.setHead(graph.add(unit))
    self.init(try graph.compile())
  }

  /// Renders more quanta; returns the new samples of each channel.
  @discardableResult
  package func render(quanta: Int) -> [[Float]] {
    let start = channels[0].count
    for _ in 0..<quanta {
      plan.render(at: SampleTime(frames: frame))
      frame += 64
      for channel in channels.indices {
        for index in 0..<64 { channels[channel].append(plan.output[channel, index]) }
      }
    }
    return channels.map { Array($0[start...]) }
  }
}

/// Rates that tests use.
package enum Rate {
  package static let studio = SampleRate.hertz48000
}

extension SignalUnit {
  /// A sine on both channels at 48 000 Hz.
  package static func tone(_ hertz: Double, amplitude: Float = 0.5) -> SignalUnit {
    SignalUnit(.sine(radians: 2 * .pi * hertz / 48_000, amplitude: amplitude))
  }
}
