// SPDX-License-Identifier: Apache-2.0
internal import Foundation

/// Reads the sound of one track.
open class AVAssetReaderTrackOutput: AVAssetReaderOutput, @unchecked Sendable {
  // Unchecked: the settings do not change.

  /// The track.
  open var track: AVAssetTrack { source }

  /// The settings of the samples, by keys such as `AVFormatIDKey`; nil for the packets or samples of
  /// the file.
  public let outputSettings: [String: Any]?

  /// Creates an output.
  ///
  /// Missing settings are those of the file: the sample rate and the channels; PCM has 16 bits
  /// without `AVLinearPCMBitDepthKey`. Settings that are not possible fail when the reader starts.
  ///
  /// - Parameters:
  ///   - track: The track.
  ///   - outputSettings: Settings of linear PCM; nil for the packets or samples of the file. The
  ///     packets of Ogg files are decoded.
  public init(track: AVAssetTrack, outputSettings: [String: Any]?) {
    self.outputSettings = outputSettings
    super.init(track, outputSettings)
  }
}
