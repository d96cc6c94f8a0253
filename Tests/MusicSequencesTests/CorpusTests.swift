// SPDX-License-Identifier: Apache-2.0
import Foundation
import MIDIMessages
import MusicSequences
import MusicalTime
import Testing

/// Every file of the corpus against an independent reader in exact rationals.
@Suite(.enabled(if: Corpus.isPresent, "no corpus: set DOWNBEAT_CORPUS"))
struct CorpusTests {
  /// The files whose counts the oracle vouches for.
  private func vouched() throws -> [Corpus.Entry] {
    try Corpus.entries().filter {
      $0.status == "clean" && ["unanimous", "core-agree"].contains($0.confidence)
    }
  }

  @Test func `counts of every clean file are the oracle's`() throws {
    let entries = try vouched()
    #expect(entries.count > 200)
    for entry in entries {
      let file = try SMFReader().read(try Corpus.bytes(of: entry.path))
      let summary = try SequenceSummary(file)
      let counts: [(String, Int)] = [
        ("format", Int(file.declaredFormat)), ("ntracks", file.trackCount),
        ("events", summary.events), ("channel_events", summary.channelEvents),
        ("meta_events", summary.metaEvents), ("sysex_events", summary.sysExEvents),
        ("note_ons", summary.noteOns), ("note_on_vel0", summary.noteOnsOfVelocityZero),
        ("tempo_events", summary.tempoEvents), ("timesig_events", summary.timeSignatureEvents),
        ("max_tick", Int(summary.maxTick.value)),
      ]
      for (name, found) in counts {
        #expect(found == entry.number(name), "\(name) of \(entry.path)")
      }
    }
  }

  @Test func `every clean file is read without a repair`() throws {
    for entry in try Corpus.entries() where entry.status == "clean" {
      let file = try SMFReader(strict: true).read(try Corpus.bytes(of: entry.path))
      #expect(!file.isRepaired, "\(entry.path): \(file.repairs)")
    }
  }

  @Test func `lengths of every clean file are the oracle's, as ratios`() throws {
    for entry in try vouched() {
      let file = try SMFReader().read(try Corpus.bytes(of: entry.path))
      // The oracle's length of format 2 is that of its longest pattern.
      let lengths = try file.sequences.map { try SequenceSummary([$0]).length }
      let length = lengths.max() ?? .zero
      if let exact = entry.text("length_exact") {
        #expect(try length == ratio(exact), "\(entry.path)")
      } else {
        let seconds = try #require((entry.fields["length_s"] as? NSNumber)?.doubleValue)
        #expect(abs(length.approximation - seconds) < 1e-8, "\(entry.path)")
      }
    }
  }

  @Test func `first and last notes of every clean file are the oracle's`() throws {
    for entry in try vouched() {
      guard let first = entry.list("first_note_ons"), let last = entry.list("last_note_ons") else {
        continue
      }
      let file = try SMFReader().read(try Corpus.bytes(of: entry.path))
      let summary = try SequenceSummary(file)
      expect(summary.firstNotes, equal: first, entry.path)
      expect(summary.lastNotes, equal: last, entry.path)
    }
  }

  private func expect(
    _ notes: [SequenceSummary.PlacedNote], equal expected: [Any], _ path: String
  ) {
    #expect(notes.count == expected.count, "\(path)")
    for (note, row) in zip(notes, expected) {
      let values = (row as? [NSNumber] ?? []).map(\.doubleValue)
      let found = [
        note.seconds.approximation, Double(note.tick.value), Double(note.track),
        Double(note.note.channel.index), Double(note.note.key.number), Double(note.note.velocity),
      ]
      #expect(zip(found, values).allSatisfy { abs($0 - $1) < 1e-8 }, "\(path): \(found) \(values)")
    }
  }

  @Test func `the half-way probe and the MIDI clock pulses of every clean file are right`() throws {
    for entry in try vouched() {
      guard let probe = entry.list("probe_half") as? [NSNumber] else { continue }
      let file = try SMFReader().read(try Corpus.bytes(of: entry.path))
      let sequence = try #require(file.sequences.first)
      let map = try sequence.tempoMap
      let half = map.seconds(at: Tick(probe[0].int64Value)).approximation
      #expect(abs(half - probe[1].doubleValue) < 1e-8, "\(entry.path)")
      try expectPulses(of: sequence, map, entry)
    }
  }

  private func expectPulses(
    of sequence: MusicSequence, _ map: TempoMap, _ entry: Corpus.Entry
  ) throws {
    guard let clock = entry.object("midi_clock") as? [String: NSNumber],
      case .ppqn(let resolution) = sequence.division
    else { return }
    let division = Int64(resolution.ticks)
    let pulses = sequence.length.value * 24 / division + 1
    #expect(pulses == clock["pulses"]?.int64Value, "\(entry.path)")
    for (name, pulse) in [("t1", 1), ("t24", 24), ("t_last", pulses - 1)] {
      let expected = try #require(clock[name]?.doubleValue)
      let seconds = try map.seconds(atTicks: Ratio(pulse * division, over: 24))
      #expect(abs(seconds.approximation - expected) < 1e-6, "\(name) of \(entry.path)")
    }
  }

  @Test func `every clean file that is in its shortest form is written back byte for byte`() throws
  {
    var identical = 0
    for entry in try vouched() where entry.text("container") == "smf" {
      let bytes = try Corpus.bytes(of: entry.path)
      let file = try SMFReader().read(bytes)
      let written = try SMFWriter().write(file)
      identical += written == bytes ? 1 : 0
      #expect(written == bytes, "\(entry.path)")
    }
    #expect(identical > 200)
  }

  @Test func `a rewritten file is read with the same events`() throws {
    for entry in try vouched() where (entry.number("size") ?? 0) < 60_000 {
      let file = try SMFReader(keepsSource: false).read(try Corpus.bytes(of: entry.path))
      let again = try SMFReader(strict: true).read(try SMFWriter().write(file))
      for (old, new) in zip(file.sequences, again.sequences) {
        #expect(old.tracks.count == new.tracks.count)
        for (left, right) in zip(old.tracks, new.tracks) {
          #expect(Array(left.events) == Array(right.events), "\(entry.path)")
          #expect(left.length == right.length, "\(entry.path)")
        }
        #expect(Array(old.tempoTrack.events) == Array(new.tempoTrack.events), "\(entry.path)")
      }
    }
  }

  private func ratio(_ text: String) throws -> Ratio {
    let parts = text.split(separator: "/").compactMap { Int128($0) }
    return try Ratio(exactly: parts[0], over: parts.count > 1 ? parts[1] : 1)
  }
}
