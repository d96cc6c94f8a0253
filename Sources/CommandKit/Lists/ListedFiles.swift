// SPDX-License-Identifier: Apache-2.0

/// The kind of the files of a command.
package enum ListedFiles {
  case songs
  case sounds

  /// The noun for one file, and for several.
  var noun: (one: String, several: String) {
    switch self {
    case .songs: ("song", "songs")
    case .sounds: ("sound", "sounds")
    }
  }

  /// The suffixes, without the dot and in lower case; files with other suffixes are skipped in
  /// folders.
  package var suffixes: [String] {
    switch self {
    // With gzip, too.
    case .songs: ["mid", "midi", "smf", "kar", "rmi", "rmid", "sfmi"].flatMap { [$0, "\($0).gz"] }
    case .sounds:
      [
        "wav", "wave", "bwf", "rf64", "w64", "aiff", "aif", "aifc", "caf", "au", "snd", "flac",
        "ogg", "oga", "opus", "mp3", "m4a", "mp4", "aac", "wma", "ac3", "mpc", "ape", "wv", "tta",
        "mka", "mkv", "webm",
      ]
    }
  }

  /// Returns true if a name has the suffix of such a file.
  package func holds(_ name: String) -> Bool {
    let end = name.suffix(Self.longest).lowercased()
    return suffixes.contains { end.hasSuffix(".\($0)") }
  }

  /// The length of the longest suffix with its dot.
  private static let longest = 8
}
