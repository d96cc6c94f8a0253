// SPDX-License-Identifier: Apache-2.0
internal import Downbeat
package import MusicSequences
package import MusicalTime

extension TimeContext {
  /// The context of a sequence, its markers' names decoded.
  ///
  /// Without `findingMarkers` no event is looked at, only the tempo track's.
  package init(of sequence: MusicSequence, findingMarkers: Bool = true) throws(SequenceError) {
    guard findingMarkers else {
      self = try sequence.timeContext(findingMarkers: false)
      return
    }
    let decoder = TextDecoder(for: [sequence])
    self = try sequence.timeContext { decoder.text($0.bytes) }
  }
}
