// SPDX-License-Identifier: Apache-2.0
internal import ALSAAudio
internal import AudioProcessing
internal import MusicalTime

/// Where sound goes: to the device, or where there is none, to nowhere in real time.
enum SharedOutput {
  /// An output that is not started yet.
  static func make(rate: SampleRate) -> any OutputUnit {
    do {
      return try ALSAOutputUnit(rate: rate)
    } catch {
      // A machine without a sound card plays by its own clock.
      return NullOutputUnit(format: AudioFormat(rate: rate), periodFrames: 256)
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
