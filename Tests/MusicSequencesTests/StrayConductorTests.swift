// SPDX-License-Identifier: Apache-2.0
import MIDIMessages
import MusicSequences
import MusicalTime
import Testing

@Suite struct StrayConductorTests {
  @Test(arguments: [MusicSequence.Format.single, .simultaneous])
  func `a channel message in the tempo track is refused, not written as something else`(
    format: MusicSequence.Format
  ) throws {
    var sequence = MusicSequence(format: format)
    sequence.tracks = [MusicTrack(), MusicTrack()]
    try sequence.tempoTrack.insert(
      .message(.program(Channel(index: 0), 5)), at: 480)
    #expect(throws: SequenceError.self) { try SMFWriter().write(sequence) }
  }
}
