// SPDX-License-Identifier: Apache-2.0
import Foundation
import MIDIMessages
import MusicSequences
import MusicalTime
import Testing

/// Edits of the world's files: one in two of those that are not long; all with DOWNBEAT_LONG=1.
@Suite(.enabled(if: Corpus.isPresent, "no corpus: set DOWNBEAT_CORPUS"))
struct CorpusEditTests {
  private func sequences() throws -> [(path: String, sequence: MusicSequence)] {
    let isLong = ProcessInfo.processInfo.environment["DOWNBEAT_LONG"] == "1"
    let clean = try Corpus.entries().filter { $0.status == "clean" }
    var found: [(String, MusicSequence)] = []
    for (index, entry) in clean.enumerated() where isLong || index % 2 == 0 {
      let bytes = try Corpus.bytes(of: entry.path)
      guard isLong || bytes.count < 40_000 else { continue }
      found += try SMFReader(strict: true).read(bytes).sequences.map { (entry.path, $0) }
    }
    return found
  }

  private func expectReadable(_ sequence: MusicSequence, _ path: String) throws {
    let read = try SMFReader(strict: true).read(try SMFWriter().write(sequence))
    let notes = { (tracks: [MusicTrack]) in
      tracks.reduce(0) { $0 + $1.events.count(where: \.isNote) }
    }
    #expect(notes(read.sequences.flatMap(\.tracks)) == notes(sequence.tracks), "\(path)")
  }

  @Test func `cut and insert restore real songs, as do added and deleted time`() throws {
    for (path, old) in try sequences() {
      let (third, half) = (Tick(old.length.value / 3), Tick(old.length.value / 2))
      var new = old
      let excerpt = try new.cut(third..<half)
      try expectReadable(new, path)
      try new.insert(excerpt, at: third)
      #expect(new.tracks.map(\.all) == old.tracks.map(\.all), "\(path)")
      #expect(new.tempoTrack.all == old.tempoTrack.all, "\(path)")
      guard half > .zero else { continue }
      try new.insertTime(777, at: half)
      try expectReadable(new, path)
      try new.deleteTime(half..<half.advanced(by: 777))
      #expect(new.tracks.map(\.all) == old.tracks.map(\.all), "\(path)")
      #expect(new.length == old.length, "\(path)")
    }
  }

  @Test func `a real song that is reversed lasts exactly as long`() throws {
    for (path, old) in try sequences() {
      var new = old
      try new.reverse()
      let seconds = try old.tempoMap.seconds(at: old.length)
      #expect(try new.tempoMap.seconds(at: new.length) == seconds, "\(path)")
      try expectReadable(new, path)
    }
  }

  @Test func `real songs go through every format with all their notes`() throws {
    for (path, old) in try sequences() where old.format != .pattern {
      let notes = old.tracks.reduce(0) { $0 + $1.events.count(where: \.isNote) }
      let single = try #require(try old.converted(to: .single).first)
      let parts = try #require(try single.converted(to: .simultaneous).first)
      let patterns = try parts.converted(to: .pattern)
      let whole = try MusicSequence(patterns: patterns, arrangement: .together)
      for sequence in [single, parts, whole] {
        #expect(sequence.tracks.reduce(0) { $0 + $1.events.count(where: \.isNote) } == notes)
        try expectReadable(sequence, path)
      }
    }
  }
}
