// SPDX-License-Identifier: Apache-2.0

extension VorbisCommentReader {
  private static let names: [String: SoundFileMetadata.Tag] = [
    "TITLE": .title, "ARTIST": .artist, "ALBUM": .album, "TRACKNUMBER": .trackNumber,
    "GENRE": .genre, "DATE": .date, "COMMENT": .comment, "DESCRIPTION": .comment,
    "COPYRIGHT": .copyright, "LICENSE": .license, "ENCODER": .software,
  ]

  /// The comments as tags; several comments of one name are joined by commas.
  var tags: [SoundFileMetadata.Tag: String] {
    comments.reduce(into: [:]) { tags, comment in
      guard let tag = Self.names[comment.name], !comment.value.isEmpty else { return }
      tags[tag] = tags[tag].map { "\($0), \(comment.value)" } ?? comment.value
    }
  }
}
