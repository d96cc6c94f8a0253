// SPDX-License-Identifier: Apache-2.0

/// A media type, such as audio.
public struct AVMediaType: RawRepresentable, Hashable, Sendable {
  /// The four-character code of the media type.
  public let rawValue: String

  /// Creates a media type.
  ///
  /// - Parameter rawValue: The four-character code.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Creates a media type.
  ///
  /// - Parameter rawValue: The four-character code.
  public init(_ rawValue: String) { self.init(rawValue: rawValue) }

  /// Audio.
  public static let audio = AVMediaType("soun")
  /// Video.
  public static let video = AVMediaType("vide")
  /// Text.
  public static let text = AVMediaType("text")
  /// Subtitles.
  public static let subtitle = AVMediaType("sbtl")
  /// Timed metadata.
  public static let metadata = AVMediaType("meta")
  /// Time code.
  public static let timecode = AVMediaType("tmcd")
  /// Audio and video in one track.
  public static let muxed = AVMediaType("muxx")
}

/// A characteristic of media, such as audible.
public struct AVMediaCharacteristic: RawRepresentable, Hashable, Sendable {
  /// The name of the characteristic.
  public let rawValue: String

  /// Creates a media characteristic.
  ///
  /// - Parameter rawValue: The name of the characteristic.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Audible media.
  public static let audible = AVMediaCharacteristic(rawValue: "AVMediaCharacteristicAudible")
  /// Visible media.
  public static let visual = AVMediaCharacteristic(rawValue: "AVMediaCharacteristicVisual")
}
