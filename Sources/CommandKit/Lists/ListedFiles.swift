// SPDX-License-Identifier: Apache-2.0

/// What the files of a run are.
package enum ListedFiles {
  case songs
  case sounds

  /// What one is called, and several.
  var noun: (one: String, several: String) {
    switch self {
    case .songs: ("song", "songs")
    case .sounds: ("sound", "sounds")
    }
  }

  /// The suffixes, without the dot and in lower case; only files with one are taken from a folder.
  package var suffixes: [String] {
    switch self {
    // Those that gzip has packed as well.
    case .songs: ["mid", "midi", "smf", "kar", "rmi", "rmid", "sfmi"].flatMap { [$0, "\($0).gz"] }
    case .sounds:
      [
        "wav", "wave", "bwf", "rf64", "w64", "aiff", "aif", "aifc", "caf", "au", "snd", "flac",
        "ogg", "oga", "opus", "mp3", "m4a", "mp4", "aac", "wma", "ac3", "mpc", "ape", "wv", "tta",
        "mka", "mkv", "webm",
      ]
    }
  }

  /// Whether a name is that of such a file.
  package func holds(_ name: String) -> Bool {
    let end = name.suffix(Self.longest).lowercased()
    return suffixes.contains { end.hasSuffix(".\($0)") }
  }

  /// The longest suffix with its dot.
  private static let longest = 8
}
