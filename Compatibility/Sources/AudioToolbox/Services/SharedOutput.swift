// SPDX-License-Identifier: Apache-2.0
internal import ALSAAudio
package import AudioProcessing
package import MusicalTime

/// The output: the device or, if there is none, the null output, in real time.
package enum SharedOutput {
  /// Creates an output, which is not started.
  ///
  /// - Parameters:
  ///   - rate: The rate.
  ///   - periodFrames: The frames of a period, 64…65,536.
  ///   - patience: How many seconds a device that was disconnected is waited for, 0…3600.
  /// - Returns: The output.
  package static func make(
    rate: SampleRate, periodFrames: Int = 256, patience: Int = 0
  ) -> any OutputUnit {
    var wishes = ALSAOutputUnit.Wishes()
    wishes.periodFrames = periodFrames
    wishes.patience = patience
    do {
      return try ALSAOutputUnit(rate: rate, wishes: wishes)
    } catch {
      // A machine without a sound card plays by its own clock.
      return NullOutputUnit(format: AudioFormat(rate: rate), periodFrames: periodFrames)
    }
  }
}

extension RenderPlan {
  /// A plan of one stereo unit.
  static func playing(_ unit: any ProcessingUnit) throws(GraphError) -> RenderPlan {
    var graph = AudioGraph()
    try graph.setHead(graph.add(unit))
    return try graph.compile()
  }
}
