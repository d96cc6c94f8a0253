// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@Suite struct InfoTests {
  /// A file with one quarter note C at 120 beats per minute.
  private let song: [UInt8] = [
    0x4D, 0x54, 0x68, 0x64, 0, 0, 0, 6, 0, 0, 0, 1, 1, 0xE0,
    0x4D, 0x54, 0x72, 0x6B, 0, 0, 0, 13, 0, 0x90, 60, 64, 0x83, 0x60, 0x80, 60, 64, 0, 0xFF, 0x2F,
    0,
  ]

  @Test func `a clean song is described and the status is 0`() throws {
    let run = try CommandRun(["info", "-"], input: Data(song))
    #expect(run.status == 0)
    #expect(run.text.hasPrefix("standard input: MIDI, format 0, 1 track\n"))
    #expect(run.text.contains("480 ticks per quarter note"))
    #expect(run.text.contains("0:00.500 (0.500000 s, 480 ticks)"))
    #expect(run.errors.isEmpty)
  }

  @Test func `the document has the members that scripts rely on`() throws {
    let run = try CommandRun(["info", "--json", "-"], input: Data(song))
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

  /// A song with a track name, a marker and the name of a device.
  private func song(named name: [UInt8], marker: [UInt8], device: [UInt8]) -> Data {
    Data(
      SongBytes.file([
        (0, [0xFF, 3, UInt8(name.count)] + name), (0, [0xFF, 6, UInt8(marker.count)] + marker),
        (0, [0xFF, 9, UInt8(device.count)] + device),
      ]))
  }

  @Test(arguments: [
    // 桜の花, サビ and 桜 in Shift-JIS.
    (
      [0x8D, 0xF7, 0x82, 0xCC, 0x89, 0xD4] as [UInt8], [0x83, 0x54, 0x83, 0x72] as [UInt8],
      "桜の花", "サビ", "CP932"
    ),
    // A kanji of level 2 that alone could be Windows-1252 is recognised from the texts around it.
    (
      [0xE0, 0x40], [0x82, 0xCC, 0x89, 0xD4, 0x82, 0xCC], "漾", "の花の", "CP932"
    ),
    (Array("桜の花".utf8), Array("サビ".utf8), "桜の花", "サビ", "UTF-8"),
    ([0xE9, 0x74, 0xE9], [0xFC, 0x62, 0x65, 0x72, 0xE4, 0x6C, 0x6C], "été", "überäll", "CP1252"),
  ])
  func `texts in Shift-JIS, UTF-8 and Windows-1252 are decoded correctly`(
    name: [UInt8], marker: [UInt8], shown: String, place: String, encoding: String
  ) throws {
    let device: [UInt8] = encoding == "CP932" ? [0x8D, 0xF7] : [0x41]
    let song = song(named: name, marker: marker, device: device)
    let run = try CommandRun(["info", "--json", "-"], input: song)
    let value = try JSONSerialization.jsonObject(with: run.output)
    let document = try #require(value as? [String: Any])
    #expect(document["trackNames"] as? [String] == [shown])
    #expect((document["markers"] as? [[String: Any]])?.first?["text"] as? String == place)
    #expect(document["textEncoding"] as? String == encoding)
    let isGuessed = encoding != "UTF-8"
    #expect(document["textEncodingGuessed"] as? Bool == isGuessed)
    if encoding == "CP932" { #expect(document["ports"] as? [String] == ["桜"]) }
    let text = try CommandRun(["info", "-"], input: song).text
    #expect(text.contains("1 \(shown)\n"))
    #expect(text.contains(encoding + (isGuessed ? " (guessed" : "\n")))
    let events = try CommandRun(["events", "--jsonl", "--kind", "marker", "-"], input: song).text
    #expect(events.contains(place))
  }

  @Test func `a cut song is read with repairs and the status is 3, strictly refused with 65`()
    throws
  {
    let cut = Data(song.dropLast(4))
    let run = try CommandRun(["info", "-"], input: cut)
    #expect(run.status == 3)
    #expect(run.text.contains("repairs"))
    let strict = try CommandRun(["info", "--strict", "-"], input: cut)
    #expect(strict.status == 65)
    #expect(strict.output.isEmpty)
  }

  @Test func `the status is 65 for other files, 66 for missing ones, and the rest is shown`() throws
  {
    let text = try CommandRun(["info", "-"], input: Data("a letter".utf8))
    #expect(text.status == 65)
    #expect(
      text.errors == """
        downbeat: standard input: is text, not a MIDI file

        """)
    let missing = try CommandRun(["info", "no-such.mid"])
    #expect(missing.status == 66)
    let both = try CommandRun(["info", "--json", "no-such.mid", "-"], input: Data(song))
    #expect(both.status == 3)
    #expect(both.text.split(separator: "\n").count == 2)
  }

  @Test func `a folder and a playlist give a report for each of their songs`() throws {
    let scratch = try ScratchFolder()
    try FileManager.default.createDirectory(
      atPath: scratch.path("album/more"), withIntermediateDirectories: true)
    for name in ["album/2.mid", "album/10.mid", "album/more/1.mid", "album/notes.txt"] {
      try scratch.write(song, to: name)
    }
    try scratch.write("album/2.mid\ngone.mid\n", to: "list.m3u")
    let run = try CommandRun(["info", "album"], folder: scratch.url)
    #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
    let names = run.text.split(separator: "\n").filter { $0.contains(": MIDI, format 0") }
      .map { String($0.prefix { $0 != ":" }) }
    #expect(names == ["album/2.mid", "album/10.mid", "album/more/1.mid"])
    let check = try CommandRun(["check", "album", "list.m3u"], folder: scratch.url)
    #expect(check.status == 66)
    #expect(check.text.components(separatedBy: ": clean").count == 5, "\(check.text)")
    #expect(
      check.errors == "downbeat: list.m3u: line 2: gone.mid: no such file\n", "\(check.errors)")
    try FileManager.default.createDirectory(
      atPath: scratch.path("empty"), withIntermediateDirectories: true)
    let empty = try CommandRun(["info", "--json", "empty"], folder: scratch.url)
    #expect(empty.status == 66 && empty.errors.contains("empty: contains no songs"))
    #expect(empty.text.contains(#""status":"refused""#))
  }

  @Test func `the counts of events add up`() throws {
    let run = try CommandRun(["info", "-"], input: Data(song))
    #expect(run.text.contains("3: 2 channel (1 note), 1 meta, 0 SysEx\n"), "\(run.text)")
  }

  @Test(arguments: [
    ("{\"a\": 1}", "x.json", false), ("# makes\nimport os\n", "mk.py", false),
    ("host: name\n", "x.yml", false), ("title \"A\"\n", "a.txt", true),
    ("# A tune\n\nlead: c4 e g\n", "-", true), ("c d e\n", "tune.score", true),
  ])
  func `text that may be a score is sent to new, other text is not`(
    text: String, name: String, isScore: Bool
  ) throws {
    let scratch = try ScratchFolder()
    if name != "-" { try scratch.write(text, to: name) }
    let run = try CommandRun(["info", name], input: Data(text.utf8), folder: scratch.url)
    #expect(run.status == 65)
    #expect(run.errors.contains("is text, not a MIDI file"), "\(run.errors)")
    #expect(run.errors.contains("(for a score: downbeat new \(name))") == isScore)
  }

  @Test func `a file that expands too much is refused before it fills the memory`() throws {
    let scratch = try ScratchFolder()
    let packed = scratch.path("zeros.mid.gz")
    let make = "{ head -c 18 Songs/groove.mid; head -c 100000000 /dev/zero; } | gzip > \(packed)"
    #expect(try ToolRun(["-c", make], command: "/bin/bash").status == 0)
    let run = try CommandRun(["info", packed])
    #expect(run.status == 65, "\(run.status)")
    #expect(run.errors.contains("unpacks to more than 64 times its size"))
  }

  @Test func `a song that was compressed with gzip is decompressed`() throws {
    // Two members, as `cat a.gz b.gz` gives them: the header, and the track.
    let packed = Data(
      base64Encoded: """
        H4sIAAAAAAACA/MNyUhhYGBgA2JGxgcA8tCb+w4AAAAfiwgAAAAAAAID8w0pymZgYOBlmGDj0JzQYOPA\
        8F+fAQBaM4R3FQAAAA==
        """)
    let run = try CommandRun(["info", "--json", "-"], input: try #require(packed))
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.text.contains("\"lengthExact\":\"1/2\""))
  }
}
