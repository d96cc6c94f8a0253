// SPDX-License-Identifier: Apache-2.0

extension SoundFileMetadata {
  /// FFmpeg's names of the tags, in lower case.
  static let tagNames: [(name: String, tag: Tag)] = [
    ("title", .title), ("artist", .artist), ("album", .album), ("track", .trackNumber),
    ("genre", .genre), ("date", .date), ("comment", .comment), ("copyright", .copyright),
    ("license", .license), ("encoder", .software),
  ]

  /// The texts with one of these names, as tags.
  static func tags(named texts: [String: String]) -> [Tag: String] {
    var tags: [Tag: String] = [:]
    for (name, tag) in tagNames {
      if let text = texts[name], !text.isEmpty { tags[tag] = text }
    }
    return tags
  }
}
