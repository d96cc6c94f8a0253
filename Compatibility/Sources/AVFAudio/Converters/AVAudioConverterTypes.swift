// SPDX-License-Identifier: Apache-2.0

/// The states of the input that a block returns to a converter.
public enum AVAudioConverterInputStatus: Int, Sendable {
  /// The block returns a buffer with audio.
  case haveData = 0
  /// The block does not have audio now, but will have some later.
  case noDataNow = 1
  /// The end of the input has been reached.
  case endOfStream = 2
}

/// The results of a conversion.
public enum AVAudioConverterOutputStatus: Int, Sendable {
  /// The buffer is full, or contains the last part of the audio.
  case haveData = 0
  /// The block did not provide enough input.
  ///
  /// The buffer contains the audio that could be converted.
  case inputRanDry = 1
  /// The end of the audio has been reached, and the buffer is empty.
  case endOfStream = 2
  /// The conversion failed.
  case error = 3
}

/// The methods by which sample rate conversion is primed at the start of a stream.
public enum AVAudioConverterPrimeMethod: Int, Sendable {
  /// The first input frames only prime the filter; the output starts after them.
  case pre = 0
  /// The filter is primed with silence; the output starts with the first input frame.
  case normal = 1
  /// The filter is not primed; the output is delayed by the latency of the filter.
  case none = 2
}

/// The numbers of extra input frames that a conversion needs at the start and end of a stream.
public struct AVAudioConverterPrimeInfo: Hashable, Sendable {
  /// The number of extra frames before the first frame of the stream.
  public var leadingFrames: AVAudioFrameCount
  /// The number of extra frames after the last frame of the stream.
  public var trailingFrames: AVAudioFrameCount

  /// Creates priming information with both numbers 0.
  public init() {
    (leadingFrames, trailingFrames) = (0, 0)
  }

  /// Creates priming information from two numbers of frames.
  ///
  /// - Parameters:
  ///   - leadingFrames: The number of extra frames before the first frame of the stream.
  ///   - trailingFrames: The number of extra frames after the last frame of the stream.
  public init(leadingFrames: AVAudioFrameCount, trailingFrames: AVAudioFrameCount) {
    (self.leadingFrames, self.trailingFrames) = (leadingFrames, trailingFrames)
  }
}

/// A block that provides the input of a converter.
///
/// The block receives the number of packets that the converter needs, and a pointer to the status
/// that it must set. It returns nil or a buffer in the input format; the buffer must not change
/// until the next call.
public typealias AVAudioConverterInputBlock = (
  AVAudioPacketCount, UnsafeMutablePointer<AVAudioConverterInputStatus>
) -> AVAudioBuffer?
