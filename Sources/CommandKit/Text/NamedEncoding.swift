// SPDX-License-Identifier: Apache-2.0
package import Downbeat
package import MusicSequences
internal import Synchronization

/// The encoding that `--encoding` names, for the texts of all songs of this process.
///
/// - Note: any thread.
enum NamedEncoding {
  private static let decoder = Mutex<TextDecoder?>(nil)

  /// Decodes all texts by this from here on; nil guesses the encoding of each file.
  package static func use(_ named: TextDecoder?) { decoder.withLock { $0 = named } }

  /// The encoding that was named; nil if none was.
  package static var current: TextDecoder? { decoder.withLock { $0 } }
}

extension TextDecoder {
  /// Decodes the texts of a file by the encoding that was named, or else the one guessed.
  package init(for sequences: [MusicSequence]) {
    self = NamedEncoding.current ?? TextDecoder(guessingFrom: sequences)
  }
}
