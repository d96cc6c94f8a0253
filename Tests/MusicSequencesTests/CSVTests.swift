// SPDX-License-Identifier: Apache-2.0
import Foundation
import MIDIMessages
import MusicSequences
import MusicalTime
import TestSupport
import Testing

@Suite struct CSVTests {
  static let midicsv = "/usr/bin/midicsv"
  static var hasMidicsv: Bool { FileManager.default.isExecutableFile(atPath: midicsv) }

  /// A table of a whole file.
  static func table(of file: SequenceFile) throws -> [UInt8] {
    let events = try FileEvents(file)
    let writer = CSVWriter(events)
    var out: [UInt8] = []
    writer.appendHeader(to: &out)
    var track: Int32 = -1
    for event in events {
      if event.track != track {
        track = event.track
        writer.appendStart(ofTrack: Int(track), to: &out)
      }
      writer.append(event, to: &out)
    }
    writer.appendEndOfFile(to: &out)
    return out
  }

  /// An event without its offset in the file.
  struct Plain: Equatable {
    let track: Int32
    let tick: Tick
    let bytes: [UInt8]

    static func list(_ file: SequenceFile) throws -> [Plain] {
      let events = try FileEvents(file)
      return events.map {
        Plain(
          track: $0.track, tick: $0.tick,
          bytes: [$0.status, $0.data1, $0.data2] + events.payload(of: $0))
      }
    }
  }

  @Test func `every kind of row is written as midicsv writes it, and read back`() throws {
    let rows = """
      0, 0, Header, 1, 2, 480
      1, 0, Start_track
      1, 0, Sequence_number, 258
      1, 0, Title_t, "a""b\\\\c\\001~,"
      1, 0, SMPTE_offset, 33, 2, 3, 4, 5
      1, 0, Time_signature, 6, 3, 24, 8
      1, 0, Key_signature, -3, "minor"
      1, 0, Tempo, 500000
      1, 0, Channel_prefix, 3
      1, 0, MIDI_port, 4
      1, 0, Sequencer_specific, 3, 0, 1, 2
      1, 0, Unknown_meta_event, 96, 2, 255, 1
      1, 0, Unknown_meta_event, 33, 2, 0, 7
      1, 10, End_track
      2, 0, Start_track
      2, 0, Note_on_c, 0, 60, 64
      2, 128, Note_on_c, 0, 60, 0
      2, 128, Note_off_c, 15, 61, 64
      2, 128, Poly_aftertouch_c, 0, 60, 16
      2, 128, Control_c, 0, 7, 127
      2, 128, Program_c, 0, 5
      2, 128, Channel_aftertouch_c, 0, 68
      2, 128, Pitch_bend_c, 0, 8193
      2, 128, System_exclusive, 3, 126, 127, 247
      2, 128, System_exclusive_packet, 2, 1, 247
      2, 300000, End_track
      0, 0, End_of_file

      """
    let bytes = try CSVReader.file(from: Array(rows.utf8))
    let file = try SMFReader().read(bytes)
    #expect(!file.isRepaired)
    let text = String(decoding: try Self.table(of: file), as: UTF8.self)
    #expect(text.split(separator: "\n") == rows.split(separator: "\n"))
  }

  @Test func `rows may be out of order, in small letters, and unquoted`() throws {
    let rows = """
      # made by hand
      0,0,header,1,1,96
      1,0,start_track
      1,96,note_off_c,0,60,0
      1,0,note_on_c,0,60,100
      1,0,text_t,plain words
      """
    let file = try SMFReader(strict: true).read(try CSVReader.file(from: Array(rows.utf8)))
    let text = String(decoding: try Self.table(of: file), as: UTF8.self)
    #expect(
      text == """
        0, 0, Header, 1, 1, 96
        1, 0, Start_track
        1, 0, Note_on_c, 0, 60, 100
        1, 0, Text_t, "plain words"
        1, 96, Note_off_c, 0, 60, 0
        1, 96, End_track
        0, 0, End_of_file

        """)
  }

  @Test(arguments: [
    ("", "line 0: Header row is missing (begin with: 0, 0, Header, 1, 2, 480)"),
    ("0, 0", "line 1: a row needs a track, a tick and a name: 1, 480, Note_on_c, 0, 60, 64"),
    ("1, 0, Tempo, 5", "line 1: row before the Header row (begin with: 0, 0, Header, 1, 2, 480)"),
    ("0, 0, Header, 1, 1, 0", "line 1: division 0x0000 is undefined"),
    ("0, 0, Header, 3, 1, 96", "line 1: format 3 is out of range (allowed: 0…2)"),
    ("0, 0, Header, 1, 1, 96\n1, 0, Nota, 1", "line 2: unknown row name Nota"),
    (
      "0, 0, Header, 1, 1, 96\n1, 0, Note_on_c, 0, 60",
      "line 2: Note_on_c has 2 values instead of 3"
    ),
    (
      "0, 0, Header, 1, 1, 96\n1, 0, Note_on_c, 16, 60, 1",
      "line 2: channel 16 is out of range (allowed: 0…15)"
    ),
    ("0, 0, Header, 1, 1, 96\n1, x, Note_on_c, 0, 60, 1", "line 2: tick x is not a number"),
    (
      "0, 0, Header, 1, 1, 96\n1, -1, Note_on_c, 0, 60, 1",
      "line 2: tick -1 is out of range (allowed: 0…"
    ),
    ("0, 0, Header, 1, 1, 96\n1, 0, Text_t, \"abc", "line 2: a closing quotation mark is missing"),
    ("0, 0, Header, 1, 1, 96\n1, 0, Text_t, \"abc\"d", "line 2: a comma is missing"),
    ("0, 0, Header, 1, 1, 96\n1, 0, System_exclusive, 9, 1", "line 2: System_exclusive has 2 val"),
    ("0, 0, Header, 1, 1, 96\n1, 0, System_exclusive, 268435455, 1", "line 2: System_exclusive"),
    (
      "0, 0, Header, 1, 1, 96\n70000, 0, Start_track",
      "line 2: track 70000 is out of range (allowed: 0…65535)"
    ),
    ("0, 0, Header, 1, 1, 96\n1, 0, Unknown_meta_event, 47, 0", "line 2: meta type 47 is the end"),
    ("0, 0, Header, 1, 1, 96\n1, 268435456, End_track", "tick 268435456 is more than 268435455"),
  ]) func `a bad row is refused with its line`(rows: String, message: String) {
    let error = #expect(throws: SequenceError.self) {
      _ = try CSVReader.file(from: Array(rows.utf8))
    }
    #expect("\(error.map { "\($0)" } ?? "")".hasPrefix(message))
  }

  @Test(.enabled(if: Corpus.isPresent, "no corpus: set DOWNBEAT_CORPUS"))
  func `every file of the corpus is restored from its table with the same events`() throws {
    var exact = 0
    for entry in try Corpus.entries() where (entry.number("size") ?? 0) < 25_000 {
      let bytes = try Corpus.bytes(of: entry.path)
      guard let file = readable(bytes) else { continue }
      let again = try CSVReader.file(from: try Self.table(of: file))
      let copy = try SMFReader().read(again)
      #expect(try Plain.list(copy) == Plain.list(file), "\(entry.path)")
      exact += again == bytes ? 1 : 0
    }
    #expect(exact > 100, "\(exact) byte for byte")
  }

  @Test(
    .enabled(if: Corpus.isPresent, "no corpus: set DOWNBEAT_CORPUS"),
    .enabled(if: CSVTests.hasMidicsv, "no midicsv: apt install midicsv"))
  func `the table of every clean file is midicsv's, byte for byte`() throws {
    var compared = 0
    for entry in try Corpus.entries() where entry.status == "clean" {
      guard (entry.number("size") ?? 0) < 25_000, entry.text("container") == "smf" else { continue }
      let path = Corpus.folder + "/" + entry.path
      let witness = try ToolRun([path], command: Self.midicsv)
      guard witness.status == 0 else { continue }
      let file = try SMFReader().read(try Corpus.bytes(of: entry.path))
      let same = try Self.table(of: file) == Array(witness.output)
      #expect(same, "\(entry.path)")
      compared += 1
    }
    #expect(compared > 150)
  }

  /// Returns the file, or nil if it is not a MIDI file, which other tests check.
  private func readable(_ bytes: [UInt8]) -> SequenceFile? {
    do {
      return try SMFReader().read(bytes)
    } catch {
      return nil
    }
  }
}
