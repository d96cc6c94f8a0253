// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// Consecutive frames that a `CaptureQueue` delivers.
public struct CapturedSound: Hashable, Sendable {
  /// The number of channels.
  public let channelCount: Int
  /// The position of the first frame, counted on the timeline of the output that renders the graph,
  /// or of the input that is read.
  public let start: SampleTime
  /// The host time at which the first frame is audible at the output, or arrived at the input; nil
  /// if unknown.
  public let host: HostTime?
  /// The samples, interleaved, with full scale at ±1; they contain at least one frame.
  public let samples: [Float]

  /// Creates a sound.
  ///
  /// - Precondition: `samples` contains whole frames, and at least one.
  public init(channelCount: Int, start: SampleTime, host: HostTime? = nil, samples: [Float]) {
    precondition(
      channelCount > 0 && !samples.isEmpty && samples.count % channelCount == 0,
      "samples must be whole frames")
    self.channelCount = channelCount
    self.start = start
    self.host = host
    self.samples = samples
  }

  /// The number of frames, at least one.
  public var frameCount: Int { samples.count / channelCount }
}
