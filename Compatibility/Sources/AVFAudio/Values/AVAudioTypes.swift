// SPDX-License-Identifier: Apache-2.0

/// A number of frames.
public typealias AVAudioFrameCount = UInt32
/// The position of a frame on a timeline.
public typealias AVAudioFramePosition = Int64
/// A number of packets.
public typealias AVAudioPacketCount = UInt32
/// A number of channels.
public typealias AVAudioChannelCount = UInt32

/// The common types of PCM samples.
public enum AVAudioCommonFormat: UInt, Sendable {
  /// Any other format.
  case otherFormat = 0
  /// 32-bit floating-point samples in the machine's byte order.
  case pcmFormatFloat32 = 1
  /// 64-bit floating-point samples in the machine's byte order.
  case pcmFormatFloat64 = 2
  /// Signed 16-bit integers in the machine's byte order.
  case pcmFormatInt16 = 3
  /// Signed 32-bit integers in the machine's byte order.
  case pcmFormatInt32 = 4
}

/// The quality of an encoder or a sample rate converter.
public enum AVAudioQuality: Int, Sendable {
  /// The lowest quality.
  case min = 0
  /// Low quality.
  case low = 0x20
  /// Medium quality.
  case medium = 0x40
  /// High quality.
  case high = 0x60
  /// The highest quality.
  case max = 0x7F
}
