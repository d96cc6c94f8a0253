// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@Suite struct CheckTests {
  private typealias Songs = TestSupport.SongBytes

  private func check(_ bytes: [UInt8], _ flags: [String] = []) throws -> CommandRun {
    try CommandRun(["check"] + flags + ["-"], input: Data(bytes))
  }

  @Test func `a clean file is clean and the status 0`() throws {
    let run = try check(Songs.notes(2, every: 480))
    #expect(run.status == 0)
    #expect(run.text == "standard input: clean\n")
    #expect(run.errors.isEmpty)
  }

  @Test func `a repair is reported with its position and the programs that fail`() throws {
    let cut = Array(Songs.notes(1, every: 480).dropLast(4))
    let run = try check(cut)
    #expect(run.status == 3)
    #expect(
      run.text == """
        standard input: 2 repairs
          repair  track 1, byte 18: track length 16 bytes is wrong, read up to the actual end
                  FluidSynth and WildMIDI render silence, libsmf aborts, mido stops with an error
          repair  track 1, tick 240, byte 34: end of track missing, added
                  libsmf aborts, midicsv invents rows

        """)
    let strict = try check(cut, ["--strict"])
    #expect(strict.status == 65)
    #expect(strict.text == run.text)
  }

  @Test(
    arguments: [
      ([0xF7, 2, 1, 0xF7], "a SysEx packet or escape (F7)", "libsmf 1.3 aborts"),
      ([0xFF, 0x21, 1, 1], "a port number (FF 21)", "FluidSynth plays all ports"),
      ([0xFF, 0x09, 1, 0x41], "a device name (FF 09)", "aplaymidi ignores it"),
      (
        [0xFF, 0x03, 1, 0x41], "a track's name or number after its beginning",
        "do not find the name"
      ),
      ([0xFF, 0x01, 1, 0xE9], "an unknown encoding (read as CP1252)", "the encoding they assume"),
      (
        [0xFF, 0x7F, 0x81, 0x00] + [UInt8](repeating: 1, count: 128), "meta event of 128",
        "misreads"
      ),
    ] as [([UInt8], String, String)])
  func `valid data that some programs cannot read are a remark with status 0`(
    event: [UInt8], message: String, others: String
  ) throws {
    let run = try check(Songs.file([(7, event)]))
    #expect(run.status == 0)
    #expect(
      run.text.hasPrefix("standard input: clean, 1 remark\n  remark  track 1, tick 7, byte 22"))
    #expect(run.text.contains(message))
    #expect(run.text.contains(others))
  }

  @Test(
    arguments: [
      ([0xFF, 0x58, 4, 4, 255, 24, 8], "a time signature with 0 beats"),
      ([0xFF, 0x58, 4, 4, 8, 24, 8], "a time signature with 0 beats, or with a beat below 1/128"),
      ([0xFF, 0x54, 5, 24, 0, 0, 0, 0], "an impossible SMPTE offset"),
      ([0xFF, 0x54, 5, 0x21, 0, 0, 25, 0], "an impossible SMPTE offset"),
      ([0xFF, 0x54, 5, 0x21, 0, 60, 0, 0], "an impossible SMPTE offset"),
      ([0xF0, 3, 0x7E, 0x7F, 9], "a SysEx without its end (F7)"),
    ] as [([UInt8], String)])
  func `data without a meaning are a remark with a position`(event: [UInt8], message: String) throws
  {
    let run = try check(Songs.file([(7, event)]))
    #expect(run.status == 0)
    #expect(run.text.contains("  remark  track 1, tick 7, byte 22: \(message)"), "\(run.text)")
  }

  @Test(
    arguments: [
      [0xFF, 0x58, 4, 7, 7, 24, 8], [0xFF, 0x54, 5, 0x37, 59, 59, 24, 99],
      [0xF0, 5, 0x7E, 0x7F, 9, 1, 0xF7],
    ] as [[UInt8]])
  func `data with a meaning are not a remark`(event: [UInt8]) throws {
    #expect(try check(Songs.file([(7, event)])).text == "standard input: clean\n")
  }

  @Test func `a SysEx can end in a packet, but not with another SysEx`() throws {
    let whole = try check(
      Songs.file([(0, [0xF0, 3, 0x7E, 0x7F, 9]), (5, [0xF7, 2, 1, 0xF7])]))
    #expect(!whole.text.contains("without its end"))
    let cut = try check(
      Songs.file([(0, [0xF0, 3, 0x7E, 0x7F, 9]), (5, [0xF0, 5, 0x7E, 0x7F, 9, 1, 0xF7])]))
    #expect(cut.text.contains("without its end"))
  }

  /// A chunk of RIFF.
  private func chunk(_ name: String, _ bytes: [UInt8]) -> [UInt8] {
    let length = (0..<4).map { UInt8(truncatingIfNeeded: bytes.count >> ($0 * 8)) }
    return Array(name.utf8) + length + bytes + [UInt8](repeating: 0, count: bytes.count & 1)
  }

  @Test(arguments: [(1, "sfbk"), (1, "DLS "), (2, "sfbk"), (1, nil)] as [(Int, String?)])
  func `a bank in the wrapper of a song is a remark`(letters: Int, form: String?) throws {
    let text = [0xFF, 1, UInt8(letters)] + [UInt8](repeating: 0x41, count: letters)
    let song = chunk("data", Songs.file([(0, text)]))
    let sounds = form.map { chunk("RIFF", Array($0.utf8) + chunk("LIST", [1, 2, 3])) } ?? []
    let run = try check(
      chunk("RIFF", Array("RMID".utf8) + song + chunk("DISP", [1]) + sounds))
    // The bank cannot be used.
    #expect(run.status == (form == nil ? 0 : 3))
    #expect(run.text.contains("the file is in a RIFF wrapper"), "\(run.text)")
    #expect(run.text.contains("a bank of instruments") == (form != nil), "\(run.text)")
  }

  @Test func `an SMPTE division and format 2 are remarks that name programs that fail`() throws {
    var song = Songs.notes(1, every: 480)
    (song[12], song[13]) = (0xE7, 40)
    let frames = try check(song)
    #expect(frames.status == 0)
    #expect(frames.text.contains("parts of SMPTE frames"))
    #expect(frames.text.contains("mido computes a negative length"))
    song[9] = 2
    #expect(try check(song).text.contains("format 2: separate patterns"))
  }

  @Test func `libsmf is asked, and its abort is part of the report`() throws {
    let same = try check(Songs.notes(2, every: 480), ["--with-libsmf"])
    #expect(same.status == 0)
    #expect(same.text.contains("libsmf  agrees: 6 events, 1 tempos, length"))
    let packet = try check(Songs.file([(0, [0xF7, 2, 1, 0xF7])]), ["--with-libsmf"])
    #expect(packet.status == 3)
    #expect(packet.text.contains("libsmf  crashes with signal 6"))
    #expect(packet.errors.isEmpty)
  }

  @Test func `the document has the members that scripts rely on`() throws {
    let run = try check(Array(Songs.notes(1, every: 480).dropLast(4)), ["--json", "--with-libsmf"])
    let value = try JSONSerialization.jsonObject(with: run.output)
    let document = try #require(value as? [String: Any])
    #expect(document["type"] as? String == "check")
    #expect(document["status"] as? String == "repaired")
    let repairs = try #require(document["repairs"] as? [[String: Any]])
    #expect(repairs.map { $0["kind"] as? String } == ["trackLength", "missingEndOfTrack"])
    #expect(repairs[1]["tick"] as? Int == 240)
    let libsmf = try #require(document["libsmf"] as? [String: Any])
    // libsmf reads past the end of a cut file, so its result is not always the same.
    #expect(libsmf["outcome"] is String)
  }

  @Test func `the worst status of several files is returned, and all are checked`() throws {
    let folder = try ScratchFolder()
    let good = try folder.write("good.mid", Songs.notes(1, every: 480))
    let bad = try folder.write("bad.mid", Array("a letter".utf8))
    let run = try CommandRun(["check", bad, folder.path("none.mid"), good])
    #expect(run.status == 66)
    #expect(run.text == "\(good): clean\n")
    #expect(run.errors.split(separator: "\n").count == 2)
    #expect(try CommandRun(["check", bad, good]).status == 65)
    let documents = try CommandRun(["check", "--json", bad, good])
    #expect(documents.text.split(separator: "\n").count == 2)
    #expect(documents.text.contains(#""status":"refused""#))
  }
}
