// SPDX-License-Identifier: Apache-2.0
internal import JSONText
package import MusicSequences

extension WrittenFile {
  /// Adds the repairs of the song from which the file was made.
  package mutating func add(repairsOf song: SequenceFile) {
    add("repairs", .array(FileRemark.repairs(of: song)))
    add("omittedRepairs", .integer(song.omittedRepairs))
  }
}
