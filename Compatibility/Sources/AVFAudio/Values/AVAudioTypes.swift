// SPDX-License-Identifier: Apache-2.0

/// A number of frames.
public typealias AVAudioFrameCount = UInt32
/// The number of a frame on a timeline.
public typealias AVAudioFramePosition = Int64
/// A number of packets.
public typealias AVAudioPacketCount = UInt32
/// A number of channels.
public typealias AVAudioChannelCount = UInt32

/// The formats of PCM samples that have accessors.
public enum AVAudioCommonFormat: UInt, Sendable {
  /// Another format.
  case otherFormat = 0
  /// Single precision, in the machine's byte order.
  case pcmFormatFloat32 = 1
  /// Double precision, in the machine's byte order.
  case pcmFormatFloat64 = 2
  /// Signed integers of 16 bits, in the machine's byte order.
  case pcmFormatInt16 = 3
  /// Signed integers of 32 bits, in the machine's byte order.
  case pcmFormatInt32 = 4
}

/// The quality of an encoder or a sample rate converter.
public enum AVAudioQuality: Int, Sendable {
  /// The lowest.
  case min = 0
  /// Low.
  case low = 0x20
  /// Medium.
  case medium = 0x40
  /// High.
  case high = 0x60
  /// The highest.
  case max = 0x7F
}
