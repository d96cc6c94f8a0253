// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@Suite struct InfoTests {
  /// One quarter note of C at 120 beats per minute, in a file of its own.
  private let song: [UInt8] = [
    0x4D, 0x54, 0x68, 0x64, 0, 0, 0, 6, 0, 0, 0, 1, 1, 0xE0,
    0x4D, 0x54, 0x72, 0x6B, 0, 0, 0, 13, 0, 0x90, 60, 64, 0x83, 0x60, 0x80, 60, 64, 0, 0xFF, 0x2F,
    0,
  ]

  @Test func `a clean song is described and the status is 0`() throws {
    let run = try ToolRun(["info", "-"], input: Data(song))
    #expect(run.status == 0)
    #expect(run.text.hasPrefix("standard input: MIDI, format 0, 1 track\n"))
    #expect(run.text.contains("480 ticks per quarter note"))
    #expect(run.text.contains("0:00.500 (0.500000 s, 480 ticks)"))
    #expect(run.errors.isEmpty)
  }

  @Test func `the document has the members that scripts rely on`() throws {
    let run = try ToolRun(["info", "--json", "-"], input: Data(song))
    let value = try JSONSerialization.jsonObject(with: run.output)
    let document = try #require(value as? [String: Any])
    #expect(document["v"] as? Int == 1)
    #expect(document["type"] as? String == "info")
    #expect(document["division"] as? [String: Int] == ["ppqn": 480])
    #expect(document["events"] as? Int == 3)
    #expect(document["lengthExact"] as? String == "1/2")
    #expect(document["status"] as? String == "clean")
    #expect(document["firstNotes"] as? [[Double]] == [[0, 0, 0, 0, 60, 64]])
  }

  @Test func `a cut song is read with repairs and the status is 3, strictly refused with 65`()
    throws
  {
    let cut = Data(song.dropLast(4))
    let run = try ToolRun(["info", "-"], input: cut)
    #expect(run.status == 3)
    #expect(run.text.contains("repairs"))
    let strict = try ToolRun(["info", "--strict", "-"], input: cut)
    #expect(strict.status == 65)
    #expect(strict.output.isEmpty)
  }

  @Test func `what is not MIDI is 65, what is not there 66, and the rest goes on`() throws {
    let text = try ToolRun(["info", "-"], input: Data("a letter".utf8))
    #expect(text.status == 65)
    #expect(
      text.errors == """
        downbeat: standard input: not a MIDI file: a text file; a MIDI file is binary and begins \
        with MThd

        """)
    let missing = try ToolRun(["info", "no-such.mid"])
    #expect(missing.status == 66)
    let both = try ToolRun(["info", "--json", "no-such.mid", "-"], input: Data(song))
    #expect(both.status == 3)
    #expect(both.text.split(separator: "\n").count == 2)
  }

  @Test func `a song that gzip has packed is unpacked`() throws {
    // Two members, as `cat a.gz b.gz` gives them: the header, and the track.
    let packed = Data(
      base64Encoded: """
        H4sIAAAAAAACA/MNyUhhYGBgA2JGxgcA8tCb+w4AAAAfiwgAAAAAAAID8w0pymZgYOBlmGDj0JzQYOPA\
        8F+fAQBaM4R3FQAAAA==
        """)
    let run = try ToolRun(["info", "--json", "-"], input: try #require(packed))
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.text.contains("\"lengthExact\":\"1/2\""))
  }
}
