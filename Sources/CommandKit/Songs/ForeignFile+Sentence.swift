// SPDX-License-Identifier: Apache-2.0
package import MusicSequences

extension ForeignFile {
  /// The error message for a file that is not a song: its kind, and what to type next.
  ///
  /// - Parameters:
  ///   - name: The file's name, for messages.
  ///   - path: The path to type for it; `-` for standard input.
  ///   - bytes: Its bytes.
  /// - Returns: The message, which begins with the name.
  package func sentence(about name: String, path: String, _ bytes: [UInt8]) -> String {
    let isList = bytes.starts(with: "0, 0, Header".utf8) || bytes.starts(with: "{\"v\":1".utf8)
    return switch kind {
    case .sound: "\(name): is \(self.name), not a song (downbeat sound play \(path))"
    case .soundFont: "\(name): is \(self.name), not a song (downbeat soundfont info \(path))"
    case .text where isList:
      "\(name): is a list of events, not a song (downbeat events --import \(path) -o song.mid)"
    case .text where ScoreText.isLikely(bytes, path: path):
      "\(name): is text, not a MIDI file (for a score: downbeat new \(path))"
    case .text: "\(name): is text, not a MIDI file"
    case .other: "\(name): is \(self.name), not a song\(remedy.map { " (\($0))" } ?? "")"
    }
  }
}

extension Failure {
  /// The failure for a file that is not a song: its kind if it is known, otherwise the read error.
  package static func notSong(
    _ name: String, path: String, _ bytes: [UInt8], _ error: any Error
  ) -> Failure {
    let sentence = ForeignFile(bytes)?.sentence(about: name, path: path, bytes)
    return Failure(.badData, sentence ?? "\(name): \(error)")
  }
}
