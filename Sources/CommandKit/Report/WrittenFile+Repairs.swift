// SPDX-License-Identifier: Apache-2.0
internal import JSONText
package import MusicSequences

extension WrittenFile {
  /// Adds what was put right of the song that it was made of.
  package mutating func add(repairsOf song: SequenceFile) {
    add("repairs", .array(FileRemark.repairs(of: song)))
    add("omittedRepairs", .integer(song.omittedRepairs))
  }
}
