// SPDX-License-Identifier: Apache-2.0
internal import MusicSequences
internal import MusicalTime

extension TimeContext {
  /// The context of a sequence, its markers' names decoded.
  ///
  /// Without `findingMarkers` no event is looked at, only the tempo track's.
  init(of sequence: MusicSequence, findingMarkers: Bool = true) throws(SequenceError) {
    self = try sequence.timeContext(findingMarkers: findingMarkers) { $0.decoded }
  }
}
