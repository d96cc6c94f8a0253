// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// Frames that follow one another without a gap, as a `CaptureQueue` hands them out.
public struct CapturedSound: Hashable, Sendable {
  /// The samples in a frame.
  public let channelCount: Int
  /// The first frame, in the count of the output that runs the graph, or of the input that is read.
  public let start: SampleTime
  /// When the first frame is heard at that output, or came in at that input; nil where nobody knows.
  public let host: HostTime?
  /// The samples, interleaved, full scale at ±1: one frame at least.
  public let samples: [Float]

  /// Describes frames.
  ///
  /// - Precondition: whole frames, one at least.
  public init(channelCount: Int, start: SampleTime, host: HostTime? = nil, samples: [Float]) {
    precondition(
      channelCount > 0 && !samples.isEmpty && samples.count % channelCount == 0,
      "samples must be whole frames")
    self.channelCount = channelCount
    self.start = start
    self.host = host
    self.samples = samples
  }

  /// The number of frames, one at least.
  public var frameCount: Int { samples.count / channelCount }
}
