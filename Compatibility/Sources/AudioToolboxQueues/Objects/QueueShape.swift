// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioToolboxFiles
internal import CCoreAudio
internal import CoreAudioHandles
internal import CoreAudioTypes
internal import MusicalTime

/// The rate and the channels of a queue's format.
struct QueueShape {
  /// Frames per second.
  let rate: SampleRate
  /// The samples in a frame: 1…64.
  let channelCount: Int
  /// The layout of samples; nil for packets.
  let form: PCMForm?

  /// Reads a format.
  ///
  /// - Throws: `kAudioFormatUnsupportedDataFormatError` for a format that is incomplete, not
  ///   interleaved, or of an unknown codec.
  init(_ format: AudioStreamBasicDescription) throws(StatusError) {
    let unsupported = StatusError(kAudioFormatUnsupportedDataFormatError)
    guard let rate = SampleRate(description: format.mSampleRate),
      (1...64).contains(format.mChannelsPerFrame)
    else { throw unsupported }
    (self.rate, channelCount) = (rate, Int(format.mChannelsPerFrame))
    form = PCMForm(format)
    if let form {
      guard form.isInterleaved || channelCount == 1 else { throw unsupported }
    } else {
      guard Self.codecs.contains(format.codec) else { throw unsupported }
    }
  }

  private static let codecs: Set<SoundCodec> = [
    .aac, .aacHE, .aacHEv2, .alac, .mp1, .mp2, .mp3, .ac3, .enhancedAC3, .imaADPCM, .gsm, .ilbc,
    .amrNarrow, .amrWide, .flac, .opus,
  ]
}
