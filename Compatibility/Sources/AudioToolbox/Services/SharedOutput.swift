// SPDX-License-Identifier: Apache-2.0
internal import ALSAAudio
package import AudioProcessing
internal import CoreAudio
package import MusicalTime

/// The output of sound: the program's default device, or the null output in real time if the device
/// cannot be opened.
package enum SharedOutput {
  /// The name of the device that the next output plays on.
  package static var device: String { HardwareChoice(.playback).device }

  /// Creates an output, which is not started.
  ///
  /// - Parameters:
  ///   - rate: The sample rate.
  ///   - periodFrames: The frames of a period, 64…65,536; nil for the device's default.
  ///   - patience: The seconds for which the output waits for a disconnected device, 0…3600.
  /// - Returns: The output.
  package static func make(
    rate: SampleRate, periodFrames: Int? = nil, patience: Int = 0
  ) -> any OutputUnit {
    let choice = HardwareChoice(.playback)
    var wishes = ALSAOutputUnit.Wishes()
    (wishes.device, wishes.patience) = (choice.device, patience)
    wishes.periodFrames = periodFrames ?? choice.periodFrames
    do {
      return try ALSAOutputUnit(rate: rate, wishes: wishes)
    } catch {
      // Without a sound card, sound is played to the null output.
      return NullOutputUnit(format: AudioFormat(rate: rate), periodFrames: wishes.periodFrames)
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
