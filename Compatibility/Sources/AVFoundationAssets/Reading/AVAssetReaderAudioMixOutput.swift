// SPDX-License-Identifier: Apache-2.0
internal import Foundation

/// Reads the mix of all tracks: an asset has one.
open class AVAssetReaderAudioMixOutput: AVAssetReaderOutput, @unchecked Sendable {
  // Unchecked: what is stored does not change.

  /// The tracks.
  public let audioTracks: [AVAssetTrack]
  /// The settings of the samples, by keys such as `AVFormatIDKey`; nil for single precision.
  public let audioSettings: [String: Any]?

  /// Creates an output.
  ///
  /// - Parameters:
  ///   - audioTracks: The track of an asset; an empty list is a programming error.
  ///   - audioSettings: Settings of linear PCM; nil for single precision.
  public init(audioTracks: [AVAssetTrack], audioSettings: [String: Any]?) {
    precondition(!audioTracks.isEmpty, "a mix needs a track")
    (self.audioTracks, self.audioSettings) = (audioTracks, audioSettings)
    super.init(audioTracks[0], audioSettings ?? ReadPackets.floats)
  }
}
