// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import Foundation

/// A key of a metadata item.
public struct AVMetadataKey: RawRepresentable, Hashable, Sendable {
  /// The name of the key.
  public let rawValue: String

  /// Creates a key.
  ///
  /// - Parameter rawValue: The name of the key.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The key for the title.
  public static let commonKeyTitle = AVMetadataKey(rawValue: "title")
  /// The key for the artist.
  public static let commonKeyArtist = AVMetadataKey(rawValue: "artist")
  /// The key for the name of the album.
  public static let commonKeyAlbumName = AVMetadataKey(rawValue: "albumName")
  /// The key for the genre.
  public static let commonKeyType = AVMetadataKey(rawValue: "type")
  /// The key for the date of creation.
  public static let commonKeyCreationDate = AVMetadataKey(rawValue: "creationDate")
  /// The key for a comment.
  public static let commonKeyDescription = AVMetadataKey(rawValue: "description")
  /// The key for the copyright notice.
  public static let commonKeyCopyrights = AVMetadataKey(rawValue: "copyrights")
  /// The key for the name of the program that wrote the file.
  public static let commonKeySoftware = AVMetadataKey(rawValue: "software")
  /// The key for the cover image; never read from files.
  public static let commonKeyArtwork = AVMetadataKey(rawValue: "artwork")
}

/// A key space: a set of keys that a metadata format defines.
public struct AVMetadataKeySpace: RawRepresentable, Hashable, Sendable {
  /// The identifier of the key space.
  public let rawValue: String

  /// Creates a key space.
  ///
  /// - Parameter rawValue: The identifier of the key space.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The key space of the common keys, which apply to all file types.
  public static let common = AVMetadataKeySpace(rawValue: "comn")
  /// The key space of ID3 tags.
  public static let id3 = AVMetadataKeySpace(rawValue: "org.id3")
  /// The key space of iTunes metadata.
  public static let iTunes = AVMetadataKeySpace(rawValue: "itsk")
}

/// An identifier that combines a key space and a key.
public struct AVMetadataIdentifier: RawRepresentable, Hashable, Sendable {
  /// The key space and the key, separated by a slash.
  public let rawValue: String

  /// Creates an identifier.
  ///
  /// - Parameter rawValue: The key space and the key, separated by a slash.
  public init(rawValue: String) { self.rawValue = rawValue }

  private init(_ key: AVMetadataKey) {
    rawValue = "\(AVMetadataKeySpace.common.rawValue)/\(key.rawValue)"
  }

  /// The identifier of the title.
  public static let commonIdentifierTitle = AVMetadataIdentifier(.commonKeyTitle)
  /// The identifier of the artist.
  public static let commonIdentifierArtist = AVMetadataIdentifier(.commonKeyArtist)
  /// The identifier of the name of the album.
  public static let commonIdentifierAlbumName = AVMetadataIdentifier(.commonKeyAlbumName)
  /// The identifier of the date of creation.
  public static let commonIdentifierCreationDate = AVMetadataIdentifier(.commonKeyCreationDate)
  /// The identifier of a comment.
  public static let commonIdentifierDescription = AVMetadataIdentifier(.commonKeyDescription)
  /// The identifier of the copyright notice.
  public static let commonIdentifierCopyrights = AVMetadataIdentifier(.commonKeyCopyrights)
  /// The identifier of the name of the program that wrote the file.
  public static let commonIdentifierSoftware = AVMetadataIdentifier(.commonKeySoftware)
  /// The identifier of the cover image; never read from files.
  public static let commonIdentifierArtwork = AVMetadataIdentifier(.commonKeyArtwork)
}

/// A metadata format of a file.
public struct AVMetadataFormat: RawRepresentable, Hashable, Sendable {
  /// The name of the metadata format.
  public let rawValue: String

  /// Creates a metadata format.
  ///
  /// - Parameter rawValue: The name of the metadata format.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The format of all metadata that is read: common keys, for every file type.
  public static let unknown = AVMetadataFormat(rawValue: "unknown")
}

/// The metadata of a file in both forms.
enum MetadataTexts {
  private static let keys: [(SoundFileMetadata.Tag, AVMetadataKey)] = [
    (.title, .commonKeyTitle), (.artist, .commonKeyArtist), (.album, .commonKeyAlbumName),
    (.genre, .commonKeyType), (.date, .commonKeyCreationDate),
    (.comment, .commonKeyDescription), (.copyright, .commonKeyCopyrights),
    (.software, .commonKeySoftware),
  ]

  /// The texts as items, in a fixed order.
  static func items(_ tags: [SoundFileMetadata.Tag: String]) -> [AVMetadataItem] {
    keys.compactMap { tag, key in tags[tag].map { AVMetadataItem(key, $0) } }
  }

  /// The items that a sound file can contain as texts.
  static func metadata(_ items: [AVMetadataItem]) -> SoundFileMetadata {
    var metadata = SoundFileMetadata()
    for item in items {
      guard let key = item.commonKey, let text = item.stringValue,
        let tag = keys.first(where: { $0.1 == key })?.0
      else { continue }
      metadata.tags[tag] = text
    }
    return metadata
  }
}
