// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// An option that requests exact durations; ignored, since durations of files are always exact.
public let AVURLAssetPreferPreciseDurationAndTimingKey =
  "AVURLAssetPreferPreciseDurationAndTimingKey"
/// An option for the user agent of HTTP requests; ignored.
public let AVURLAssetHTTPUserAgentKey = "AVURLAssetHTTPUserAgentKey"

/// Audio in a file or at an HTTP address, identified by a URL.
open class AVURLAsset: AVAsset, @unchecked Sendable {
  // Unchecked: as AVAsset.

  /// The file or address.
  public let url: URL

  /// Creates an asset without opening the file or address.
  ///
  /// - Parameter url: The file or address.
  public init(url: URL) {
    self.url = url
    super.init(AssetSource(url))
  }

  /// Creates an asset without opening the file or address.
  ///
  /// - Parameters:
  ///   - url: The file or address.
  ///   - options: Ignored.
  public convenience init(url: URL, options: [String: Any]?) { self.init(url: url) }

  /// Returns the file types that can be read.
  ///
  /// - Returns: The file types.
  open class func audiovisualTypes() -> [AVFileType] { ReadableTypes.identifiers }

  /// Returns the MIME types that can be read.
  ///
  /// - Returns: The MIME types, such as `audio/mpeg`.
  open class func audiovisualMIMETypes() -> [String] { ReadableTypes.mimeTypes }

  /// Returns true if a MIME type can be played.
  ///
  /// - Parameter extendedMIMEType: A MIME type, with or without parameters such as `codecs`.
  /// - Returns: True if the MIME type can be played.
  open class func isPlayableExtendedMIMEType(_ extendedMIMEType: String) -> Bool {
    let name = extendedMIMEType.split(separator: ";").first ?? ""
    return ReadableTypes.mimeTypes.contains(
      name.trimmingCharacters(in: .whitespaces).lowercased())
  }
}
