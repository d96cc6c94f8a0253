// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import MusicalTime
internal import TimeStretching

/// An output in the frames of the graph inside a time-pitch unit.
///
/// Only its position and latency are used.
final class InnerOutput: OutputUnit {
  private let unit: TimePitchUnit
  private let output: any OutputUnit

  init(_ unit: TimePitchUnit, on output: any OutputUnit) {
    self.unit = unit
    self.output = output
  }

  var format: AudioFormat { output.format }
  var periodFrames: Int { output.periodFrames }
  /// At most twice the frames outside, since the rate is at most 2.
  var latency: Int { 2 * output.latency + unit.latency }
  var position: SampleTime { unit.innerPosition }
  var clock: SampleClock? { nil }
  var fault: (any Error)? { output.fault }
  func start(_ plan: RenderPlan, at frame: SampleTime) throws {}
  func stop(draining: Bool) {}
}
