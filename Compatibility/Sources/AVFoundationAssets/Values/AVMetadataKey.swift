// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import Foundation

/// A key of metadata.
public struct AVMetadataKey: RawRepresentable, Hashable, Sendable {
  /// The name.
  public let rawValue: String

  /// Creates a key.
  ///
  /// - Parameter rawValue: The name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The title.
  public static let commonKeyTitle = AVMetadataKey(rawValue: "title")
  /// The artist.
  public static let commonKeyArtist = AVMetadataKey(rawValue: "artist")
  /// The album.
  public static let commonKeyAlbumName = AVMetadataKey(rawValue: "albumName")
  /// The genre.
  public static let commonKeyType = AVMetadataKey(rawValue: "type")
  /// The date.
  public static let commonKeyCreationDate = AVMetadataKey(rawValue: "creationDate")
  /// A comment.
  public static let commonKeyDescription = AVMetadataKey(rawValue: "description")
  /// The owner of the rights.
  public static let commonKeyCopyrights = AVMetadataKey(rawValue: "copyrights")
  /// The program that wrote the file.
  public static let commonKeySoftware = AVMetadataKey(rawValue: "software")
  /// The picture of the album, which is not read.
  public static let commonKeyArtwork = AVMetadataKey(rawValue: "artwork")
}

/// A set of keys of metadata.
public struct AVMetadataKeySpace: RawRepresentable, Hashable, Sendable {
  /// The name.
  public let rawValue: String

  /// Creates a set of keys.
  ///
  /// - Parameter rawValue: The name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Keys that files of all types have.
  public static let common = AVMetadataKeySpace(rawValue: "comn")
  /// Keys of ID3.
  public static let id3 = AVMetadataKeySpace(rawValue: "org.id3")
  /// Keys of iTunes.
  public static let iTunes = AVMetadataKeySpace(rawValue: "itsk")
}

/// A key space and a key.
public struct AVMetadataIdentifier: RawRepresentable, Hashable, Sendable {
  /// The key space and the key, with a slash between them.
  public let rawValue: String

  /// Creates an identifier.
  ///
  /// - Parameter rawValue: The key space and the key, with a slash between them.
  public init(rawValue: String) { self.rawValue = rawValue }

  private init(_ key: AVMetadataKey) {
    rawValue = "\(AVMetadataKeySpace.common.rawValue)/\(key.rawValue)"
  }

  /// The title.
  public static let commonIdentifierTitle = AVMetadataIdentifier(.commonKeyTitle)
  /// The artist.
  public static let commonIdentifierArtist = AVMetadataIdentifier(.commonKeyArtist)
  /// The album.
  public static let commonIdentifierAlbumName = AVMetadataIdentifier(.commonKeyAlbumName)
  /// The date.
  public static let commonIdentifierCreationDate = AVMetadataIdentifier(.commonKeyCreationDate)
  /// A comment.
  public static let commonIdentifierDescription = AVMetadataIdentifier(.commonKeyDescription)
  /// The owner of the rights.
  public static let commonIdentifierCopyrights = AVMetadataIdentifier(.commonKeyCopyrights)
  /// The program that wrote the file.
  public static let commonIdentifierSoftware = AVMetadataIdentifier(.commonKeySoftware)
  /// The picture of the album, which is not read.
  public static let commonIdentifierArtwork = AVMetadataIdentifier(.commonKeyArtwork)
}

/// A kind of metadata in a file.
public struct AVMetadataFormat: RawRepresentable, Hashable, Sendable {
  /// The name.
  public let rawValue: String

  /// Creates a kind.
  ///
  /// - Parameter rawValue: The name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The texts of a file under common keys, whatever its type.
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
