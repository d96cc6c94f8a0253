// SPDX-License-Identifier: Apache-2.0
internal import Downbeat
package import MusicSequences
package import MusicalTime

extension TimeContext {
  /// Creates the context of a sequence, with its markers.
  ///
  /// Without `findingMarkers`, only the events of the tempo track are read.
  package init(of sequence: MusicSequence, findingMarkers: Bool = true) throws(SequenceError) {
    guard findingMarkers else {
      self = try sequence.timeContext(findingMarkers: false)
      return
    }
    let decoder = TextDecoder(for: [sequence])
    self = try sequence.timeContext { decoder.text($0.bytes) }
  }
}
