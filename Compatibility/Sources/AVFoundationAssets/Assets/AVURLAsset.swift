// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// True to read exact lengths, which is always done for files.
public let AVURLAssetPreferPreciseDurationAndTimingKey =
  "AVURLAssetPreferPreciseDurationAndTimingKey"
/// The fields of HTTP requests, which are not used.
public let AVURLAssetHTTPUserAgentKey = "AVURLAssetHTTPUserAgentKey"

/// A sound file, or the sound at an address of HTTP.
open class AVURLAsset: AVAsset, @unchecked Sendable {
  // Unchecked: as AVAsset.

  /// The file or address.
  public let url: URL

  /// Creates an asset; nothing is opened.
  ///
  /// - Parameter url: The file or address.
  public init(url: URL) {
    self.url = url
    super.init(AssetSource(url))
  }

  /// Creates an asset; nothing is opened.
  ///
  /// - Parameters:
  ///   - url: The file or address.
  ///   - options: Not used.
  public convenience init(url: URL, options: [String: Any]?) { self.init(url: url) }

  /// Returns the types of file that can be read.
  ///
  /// - Returns: Their uniform type identifiers.
  open class func audiovisualTypes() -> [AVFileType] { ReadableTypes.identifiers }

  /// Returns the media types that can be read.
  ///
  /// - Returns: Media types of the Internet, such as `audio/mpeg`.
  open class func audiovisualMIMETypes() -> [String] { ReadableTypes.mimeTypes }

  /// Returns true if a media type can be played.
  ///
  /// - Parameter extendedMIMEType: A media type of the Internet, with or without parameters.
  /// - Returns: True if it can be played.
  open class func isPlayableExtendedMIMEType(_ extendedMIMEType: String) -> Bool {
    let name = extendedMIMEType.split(separator: ";").first ?? ""
    return ReadableTypes.mimeTypes.contains(
      name.trimmingCharacters(in: .whitespaces).lowercased())
  }
}
