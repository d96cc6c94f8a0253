// SPDX-License-Identifier: Apache-2.0
package import Downbeat
package import MusicSequences
internal import Synchronization

/// The encoding that `--encoding` names, for the texts of all songs of a command.
enum NamedEncoding {
  /// Decodes all texts with it from here on; nil guesses the encoding of each file.
  static func use(_ named: TextDecoder?) { Console.current.namedDecoder.withLock { $0 = named } }

  /// The encoding that was named; nil if none was.
  static var current: TextDecoder? { Console.current.namedDecoder.withLock { $0 } }
}

extension TextDecoder {
  /// Decodes the texts of a file by `--encoding`, by the encoding that its RIFF wrapper names, or by
  /// a guess.
  package init(for file: SequenceFile) {
    self = NamedEncoding.current ?? TextDecoder(of: file)
  }

  /// Decodes the texts of sequences by `--encoding`, or by a guess.
  package init(for sequences: [MusicSequence]) {
    self = NamedEncoding.current ?? TextDecoder(guessingFrom: sequences)
  }
}
