// SPDX-License-Identifier: Apache-2.0
internal import Foundation

/// An output that reads the audio of one track.
open class AVAssetReaderTrackOutput: AVAssetReaderOutput, @unchecked Sendable {
  // Unchecked: the settings do not change.

  /// The track that is read.
  open var track: AVAssetTrack { source }

  /// The format of the samples, by keys such as `AVFormatIDKey`; nil for the packets or samples as
  /// they are in the file.
  public let outputSettings: [String: Any]?

  /// Creates an output.
  ///
  /// Settings that are missing are taken from the file: the sample rate and the channels. The
  /// default bit depth of PCM is 16. Unsupported settings make `startReading` fail.
  ///
  /// - Parameters:
  ///   - track: The track.
  ///   - outputSettings: Settings for linear PCM; nil for the packets or samples as they are in the
  ///     file. Packets of Ogg files are always decoded.
  public init(track: AVAssetTrack, outputSettings: [String: Any]?) {
    self.outputSettings = outputSettings
    super.init(track, outputSettings)
  }
}
