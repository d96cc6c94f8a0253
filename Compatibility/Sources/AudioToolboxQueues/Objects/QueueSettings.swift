// SPDX-License-Identifier: Apache-2.0
internal import CCoreAudio
internal import CoreAudioTypes

/// The properties of a queue that a program sets.
struct QueueSettings: Sendable {
  /// The magic cookie, as the program gave it.
  var cookie: [UInt8] = []
  /// The channel layout, as the program gave it.
  var layout: [UInt8] = []
  /// The device's UID; nil for the default device.
  var device: String?
  var isMetering = false
  /// Frames that are decoded ahead; 0 for a second.
  var decodeFrames: UInt32 = 0
  /// True if the play rate and the pitch have an effect.
  var hasTimePitch = false
  var timePitchAlgorithm = kAudioQueueTimePitchAlgorithm_Spectral
  var bypassesTimePitch = false
  var codecPolicy = kAudioQueueHardwareCodecPolicy_Default
  /// Bits per second of a recording; 0 for the codec's own choice.
  var bitRate: UInt32 = 0
  /// The format of offline rendering; nil if a device plays.
  var offline: AudioStreamBasicDescription?
}
