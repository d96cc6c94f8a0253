// SPDX-License-Identifier: Apache-2.0
import Foundation
import MIDIMessages
import MusicSequences
import MusicalTime
import SMFInterop
import TestSupport
import Testing

@Suite struct ReferenceReaderTests {
  private let reader: ReferenceReader

  init() throws {
    reader = try ReferenceReader(besides: ToolRun.command)
  }

  private func opinion(_ bytes: [UInt8]) throws -> SecondOpinion {
    try reader.opinion(on: bytes, against: SMFReader().read(bytes))
  }

  @Test func `a small song is read alike, event by event`() throws {
    let opinion = try opinion(SongBytes.notes(3, every: 480))
    #expect(opinion.outcome == .agrees)
    #expect(opinion.equalEvents == 8)
    #expect(opinion.equalTempi == 1)
    #expect(opinion.length == 1.25)
  }

  @Test func `the differences from another song are listed`() throws {
    let file = try SMFReader().read(SongBytes.notes(3, every: 480, key: 61))
    let opinion = try reader.opinion(on: SongBytes.notes(4, every: 480), against: file)
    #expect(opinion.outcome == .differs)
    #expect(
      opinion.differences.map { "\($0)" } == [
        "track 1, tick 0: libsmf reads 903c64, Downbeat reads 903d64 at tick 0",
        "libsmf reads 1.75 s, Downbeat reads 1.25 s",
      ])
    let shorter = try reader.opinion(on: SongBytes.notes(2, every: 480, key: 61), against: file)
    #expect(
      shorter.differences.first?.description
        == "track 1, tick 720: libsmf reads ff2f00, Downbeat reads 903d64 at tick 960")
  }

  @Test func `an abort of libsmf is an outcome`() throws {
    let packet = SongBytes.file([(0, [0xF0, 1, 0x7E]), (10, [0xF7, 2, 1, 0xF7])])
    guard case .crashes(let signal, let words) = try opinion(packet).outcome else {
      Issue.record("libsmf did not abort")
      return
    }
    #expect(signal == SIGABRT)
    #expect(words.contains("Assertion"))
  }

  @Test func `a refusal of libsmf is an outcome, in its words`() throws {
    var frames = SongBytes.notes(1, every: 480)
    frames[12] = 0xE7
    frames[13] = 40
    #expect(
      try opinion(frames).outcome
        == .refuses("SMF file uses FPS timing instead of PPQN, no support for that yet."))
  }

  @Test func `a program that is not there is an error`() throws {
    let error = #expect(throws: InteropError.self) {
      try ReferenceReader(besides: "/nowhere/bin/downbeat")
    }
    #expect(
      "\(try #require(error))" == """
        downbeat-smf-check: not found at /nowhere/bin/downbeat-smf-check or \
        /nowhere/bin/../libexec/downbeat/downbeat-smf-check (run make install)
        """)
    let absent = ReferenceReader(program: "/nowhere/at-all")
    #expect(throws: InteropError.self) {
      let bytes = SongBytes.notes(1, every: 480)
      _ = try absent.opinion(on: bytes, against: SMFReader().read(bytes))
    }
  }

  @Test func `a program that never ends is ended`() throws {
    let folder = try ScratchFolder()
    let path = folder.path("hang")
    // Written by another process: one that another test starts meanwhile would hold the file open
    // for writing if this one did, and no such file can be run.
    _ = try ToolRun(
      ["-c", #"printf '#!/bin/sh\nexec sleep 100\n' > "$0"; chmod 755 "$0""#, path],
      command: "/bin/sh")
    let bytes = SongBytes.notes(1, every: 480)
    let reader = ReferenceReader(program: path, seconds: 1)
    let start = ContinuousClock.now
    #expect(try reader.opinion(on: bytes, against: SMFReader().read(bytes)).outcome == .tooSlow)
    #expect(ContinuousClock.now - start < .seconds(10))
  }

  @Test(.enabled(if: Corpus.isPresent, "no corpus: set DOWNBEAT_CORPUS"))
  func `libsmf reads every clean file of the corpus as we do, or is known not to`() throws {
    try expectAgreement { try Corpus.bytes($0) }
  }

  @Test(.enabled(if: Corpus.isPresent, "no corpus: set DOWNBEAT_CORPUS"))
  func `libsmf reads every clean file that Downbeat rewrites, event by event`() throws {
    try expectAgreement { path in
      let source = try SMFReader(keepsSource: false).read(try Corpus.bytes(path))
      // libsmf counts unknown chunks as tracks, so they are left out.
      return try SMFWriter().write(SequenceFile(source.sequences))
    }
  }

  /// Has the command compare all clean files at once, as fast as it is, and looks closer at those
  /// that libsmf does not read alike.
  private func expectAgreement(_ bytes: (String) throws -> [UInt8]) throws {
    let folder = try ScratchFolder()
    let paths = try Corpus.files(["clean"]).map(\.path)
    #expect(paths.count > 230)
    let names = paths.indices.map { "\($0).mid" }
    for (name, path) in zip(names, paths) { _ = try folder.write(name, bytes(path)) }
    let run = try ToolRun(
      ["check", "--with-libsmf", "--json"] + names, folder: folder.url)
    let lines = run.text.split(separator: "\n")
    try #require(lines.count == paths.count, "\(run.errors)")
    var agreeing = 0
    let reader = try ReferenceReader(besides: ToolRun.command)
    for (line, (name, path)) in zip(lines, zip(names, paths)) {
      let document = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      let opinion = try #require(document?["libsmf"] as? [String: Any])
      guard opinion["outcome"] as? String != "agrees" else {
        agreeing += 1
        continue
      }
      let written = try Corpus.bytes(folder.path(name))
      let file = try SMFReader(strict: true).read(written)
      try expectKnown(try reader.opinion(on: written, against: file), of: file, path)
    }
    #expect(agreeing > 190)
  }

  /// Expects agreement, but for what libsmf 1.3 is known not to read.
  private func expectKnown(
    _ opinion: SecondOpinion, of file: SequenceFile, _ path: String
  ) throws {
    let events = try FileEvents(file)
    switch opinion.outcome {
    case .agrees: break
    case .differs:
      // The second byte of a meta's length is taken for its first byte of content.
      #expect(events.contains { $0.status == 0xFF && $0.payload.count > 127 }, "\(path)")
      #expect(opinion.differences.first?.message.contains("libsmf reads ff") == true, "\(path)")
    case .crashes(_, let words):
      #expect(events.contains { $0.status == 0xF7 }, "\(path): \(words)")
    case .refuses(let words):
      let isFrames = words.contains("FPS timing") && events.division.smfBits ?? 0 >= 0x8000
      let isPatterns = words.contains("format #2") && events.format == .pattern
      let isHeader = words.contains("must be 6") || words.contains("signature not found")
      let isEmpty = words.contains("must be greater than zero") && events.tracks.isEmpty
      #expect(isFrames || isPatterns || isHeader || isEmpty, "\(path): \(words)")
    case .tooSlow: Issue.record("\(path): libsmf is too slow")
    }
  }
}
