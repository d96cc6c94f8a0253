// SPDX-License-Identifier: Apache-2.0

/// The input that a block has given to a converter.
public enum AVAudioConverterInputStatus: Int, Sendable {
  /// A buffer with sound.
  case haveData = 0
  /// No sound at this time, but later.
  case noDataNow = 1
  /// The end of the sound.
  case endOfStream = 2
}

/// The result of a conversion.
public enum AVAudioConverterOutputStatus: Int, Sendable {
  /// The buffer is full, or contains the end of the sound.
  case haveData = 0
  /// The buffer contains the sound of the input so far; the block did not give more.
  case inputRanDry = 1
  /// The sound has ended; the buffer is empty.
  case endOfStream = 2
  /// The conversion failed.
  case error = 3
}

/// The way in which a change of the sample rate begins.
public enum AVAudioConverterPrimeMethod: Int, Sendable {
  /// The first frames of the input are only used by the filter.
  case pre = 0
  /// Silence before the first frame.
  case normal = 1
  /// The output is late by the filter's length.
  case none = 2
}

/// Frames of the input that a conversion needs before the first frame and after the last.
public struct AVAudioConverterPrimeInfo: Hashable, Sendable {
  /// Frames before the first.
  public var leadingFrames: AVAudioFrameCount
  /// Frames after the last.
  public var trailingFrames: AVAudioFrameCount

  /// Creates values of 0.
  public init() {
    (leadingFrames, trailingFrames) = (0, 0)
  }

  /// Creates values.
  ///
  /// - Parameters:
  ///   - leadingFrames: Frames before the first.
  ///   - trailingFrames: Frames after the last.
  public init(leadingFrames: AVAudioFrameCount, trailingFrames: AVAudioFrameCount) {
    (self.leadingFrames, self.trailingFrames) = (leadingFrames, trailingFrames)
  }
}

/// A block that gives a converter its input.
///
/// It receives the number of packets that the converter needs, and sets the status. It returns a
/// buffer of the input format, which stays unchanged until the next call, or nil.
public typealias AVAudioConverterInputBlock = (
  AVAudioPacketCount, UnsafeMutablePointer<AVAudioConverterInputStatus>
) -> AVAudioBuffer?
