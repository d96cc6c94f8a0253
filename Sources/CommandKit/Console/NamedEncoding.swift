// SPDX-License-Identifier: Apache-2.0
package import Downbeat
package import MusicSequences
internal import Synchronization

/// The encoding named by `--encoding`, for the texts of all songs of a command.
enum NamedEncoding {
  /// Sets the decoder for all texts; nil to guess the encoding of each file.
  static func use(_ named: TextDecoder?) { Console.current.namedDecoder.withLock { $0 = named } }

  /// The decoder of the named encoding; nil for none.
  static var current: TextDecoder? { Console.current.namedDecoder.withLock { $0 } }
}

extension TextDecoder {
  /// Creates the decoder of a file's texts: for the encoding named by `--encoding`, or the one that
  /// its RIFF wrapper names, or a guess.
  package init(for file: SequenceFile) {
    self = NamedEncoding.current ?? TextDecoder(of: file)
  }

  /// Creates the decoder of the texts of sequences: for the encoding named by `--encoding`, or a
  /// guess.
  package init(for sequences: [MusicSequence]) {
    self = NamedEncoding.current ?? TextDecoder(guessingFrom: sequences)
  }
}
