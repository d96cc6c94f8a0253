// SPDX-License-Identifier: Apache-2.0
internal import Foundation

/// An output that reads the mix of audio tracks.
///
/// Since an asset has one track, this is the audio of the track.
open class AVAssetReaderAudioMixOutput: AVAssetReaderOutput, @unchecked Sendable {
  // Unchecked: what is stored does not change.

  /// The tracks that are mixed.
  public let audioTracks: [AVAssetTrack]
  /// The format of the samples, by keys such as `AVFormatIDKey`; nil for 32-bit floating point.
  public let audioSettings: [String: Any]?

  /// Creates an output.
  ///
  /// - Parameters:
  ///   - audioTracks: The track of an asset; it is a programming error to pass an empty array.
  ///   - audioSettings: Settings for linear PCM; nil for 32-bit floating point.
  public init(audioTracks: [AVAssetTrack], audioSettings: [String: Any]?) {
    precondition(!audioTracks.isEmpty, "a mix needs a track")
    (self.audioTracks, self.audioSettings) = (audioTracks, audioSettings)
    super.init(audioTracks[0], audioSettings ?? ReadPackets.floats)
  }
}
