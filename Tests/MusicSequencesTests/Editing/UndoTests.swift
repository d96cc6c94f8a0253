// SPDX-License-Identifier: Apache-2.0
import MIDIMessages
import MusicSequences
import MusicalTime
import TestSupport
import Testing

/// Undo is holding the old value.
@Suite struct UndoTests {
  private static let edits: [(name: String, edit: @Sendable (inout MusicSequence) throws -> Void)] =
    [
      ("clear", { try $0.clear(200..<900) }),
      ("cut", { try $0.cut(200..<900) }),
      ("insert", { try $0.insert(try $0.excerpt(of: 100..<700), at: 300) }),
      ("merge", { try $0.merge(try $0.excerpt(of: 100..<700), at: 300) }),
      ("move", { try $0.move(200..<900, by: -150) }),
      ("insert time", { try $0.insertTime(100, at: 0) }),
      ("delete time", { try $0.deleteTime(200..<900) }),
      ("transpose", { try $0.transpose(200..<900, by: 3) }),
      ("scale time", { try $0.scaleTime(200..<900, by: Ratio(3, over: 2)) }),
      ("quantise", { try $0.quantize(200..<900, to: try $0.grid(step: 120)) }),
      ("velocities", { try $0.shapeVelocities(200..<900, along: .constant(3)) }),
      ("split", { try $0.splitByChannel(track: 0) }),
      ("join", { try $0.join(Array($0.tracks.indices)) }),
      ("reverse", { try $0.reverse(200..<900) }),
      ("retime", { try $0.retime(200..<900, to: .standard) }),
      ("insert an event", { try $0.tracks[0].insert(.user([1]), at: 500) }),
      ("remove an event", { if !$0.tracks[0].isEmpty { $0.tracks[0].remove(at: 0) } }),
      (
        "walk",
        { try $0.tracks[0].edit { cursor in while cursor.next() != nil { cursor.remove() } } }
      ),
    ]

  @Test(arguments: edits.indices)
  func `the old value is unchanged after every operation`(index: Int) throws {
    for seed in RandomScore.seeds.prefix(10) {
      var score = RandomScore(seed: seed)
      let old = try score.sequence()
      let written = try SMFWriter().write(old)
      var new = old
      try Self.edits[index].edit(&new)
      #expect(try SMFWriter().write(old) == written, "\(Self.edits[index].name)")
    }
  }

  @Test(arguments: edits.indices)
  func `an edited file is written and read strictly again`(index: Int) throws {
    for seed in RandomScore.seeds.prefix(10) {
      var score = RandomScore(seed: seed)
      let file = try SMFReader().read(try SMFWriter().write(try score.sequence()))
      var new = file.sequences[0]
      do {
        try Self.edits[index].edit(&new)
      } catch SequenceError.beforeOrigin {
        continue
      }
      let read = try SMFReader(strict: true).read(try SMFWriter().write(new))
      #expect(read.sequences[0].tempoChanges == new.tempoChanges)
      let notes = { (sequence: MusicSequence) in
        sequence.tracks.reduce(0) { $0 + $1.events.count(where: \.isNote) }
      }
      #expect(notes(read.sequences[0]) == notes(new), "\(Self.edits[index].name)")
    }
  }

  @Test func `a long track is edited in its middle as a short one is`() throws {
    var old = MusicTrack()
    let note = Note(Channel(index: 0), Key(60), duration: 5)
    try old.insert(contentsOf: (0..<8_000).map { TrackEvent(.note(note), at: Tick($0 * 10)) })
    var new = old
    for tick in stride(from: 40_000, to: 60_000, by: 193) as StrideTo<Int64> {
      try new.merge(old.excerpt(of: 100..<130), at: Tick(tick))
      new.clear(Tick(tick + 1)..<Tick(tick + 15))
    }
    #expect(new.all == new.all.inOrder)
    #expect(new.all.filter { $0.tick < 40_000 } == old.all.filter { $0.tick < 40_000 })
    #expect(new.all.filter { $0.tick > 61_000 } == old.all.filter { $0.tick > 61_000 })
    #expect(old.count == 8_000)
  }
}
