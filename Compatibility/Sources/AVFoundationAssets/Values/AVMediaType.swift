// SPDX-License-Identifier: Apache-2.0

/// A kind of media.
public struct AVMediaType: RawRepresentable, Hashable, Sendable {
  /// Four letters.
  public let rawValue: String

  /// Creates a kind.
  ///
  /// - Parameter rawValue: Four letters.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Creates a kind.
  ///
  /// - Parameter rawValue: Four letters.
  public init(_ rawValue: String) { self.init(rawValue: rawValue) }

  /// Sound.
  public static let audio = AVMediaType("soun")
  /// Pictures.
  public static let video = AVMediaType("vide")
  /// Text.
  public static let text = AVMediaType("text")
  /// Subtitles.
  public static let subtitle = AVMediaType("sbtl")
  /// Metadata with times.
  public static let metadata = AVMediaType("meta")
  /// Time code.
  public static let timecode = AVMediaType("tmcd")
  /// Sound and pictures in one track.
  public static let muxed = AVMediaType("muxx")
}

/// A property of media.
public struct AVMediaCharacteristic: RawRepresentable, Hashable, Sendable {
  /// The name.
  public let rawValue: String

  /// Creates a property.
  ///
  /// - Parameter rawValue: The name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// It can be played as sound.
  public static let audible = AVMediaCharacteristic(rawValue: "AVMediaCharacteristicAudible")
  /// It can be shown.
  public static let visual = AVMediaCharacteristic(rawValue: "AVMediaCharacteristicVisual")
}
