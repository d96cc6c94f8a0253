// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@Suite struct EventsTests {
  /// The processor time of a list of as many tracks, in milliseconds.
  private func time(tracks: Int, _ form: [String]) throws -> Int {
    var song = Array("MThd".utf8) + [0, 0, 0, 6, 0, 1]
    song += [UInt8(tracks >> 8), UInt8(tracks & 0xFF), 0, 96]
    for index in 0..<tracks {
      song += Array("MTrk".utf8) + [0, 0, 0, 8, 0, 0x90, UInt8(index & 0x7F), 64, 0, 0xFF, 0x2F, 0]
    }
    let scratch = try ScratchFolder()
    let path = try scratch.write("tracks.mid", song)
    let words = ["-c", "TIMEFORMAT=%U; time \"$0\" \"$@\" > /dev/null", ToolRun.command]
    let run = try ToolRun(words + ["events", path] + form, command: "/bin/bash")
    let seconds = run.errors.split(separator: "\n").last.flatMap { Double($0) }
    return Int(try #require(seconds, "\(run.errors)") * 1000)
  }

  @Test(arguments: [[], ["--jsonl"], ["--csv"]])
  func `ten times the tracks take at most thirteen times the work`(form: [String]) throws {
    // Other processes slow this one down: each pair is measured at about the same time, and the
    // best of ten counts. Work that grows with the square takes a hundred times as long.
    var times: [(few: Int, many: Int)] = []
    func isLinear(_ time: (few: Int, many: Int)) -> Bool { time.many < 13 * max(time.few, 20) }
    while times.count < 10, !times.contains(where: isLinear) {
      times.append((try time(tracks: 6_000, form), try time(tracks: 60_000, form)))
    }
    #expect(times.contains(where: isLinear), "milliseconds: \(times)")
  }

  private static let events: [(delta: Int, bytes: [UInt8])] = [
    (0, [0xFF, 0x03, 4, 0x4C, 0x65, 0x61, 0x64]), (0, [0xFF, 0x51, 3, 0x0F, 0x42, 0x40]),
    (0, [0xC9, 5]), (0, [0x99, 60, 100]), (240, [0x89, 60, 64]), (240, [0xB0, 7, 90]),
    (0, [0xE0, 0, 0x40]), (480, [0xFF, 0x05, 2, 0xE9, 0x21]), (960, [0xF0, 3, 0x7E, 0x09, 0xF7]),
  ]
  private let song = TestSupport.SongBytes.file(events)

  private func run(_ arguments: [String]) throws -> CommandRun {
    try CommandRun(["events"] + arguments, input: Data(song))
  }

  @Test func `the list has a line for each event, in columns`() throws {
    let run = try run(["-"])
    #expect(run.status == 0)
    #expect(run.errors.isEmpty)
    #expect(
      run.text == """
        track          bar         time       tick  ch  event
            1        1.1.0     0:00.000          0      trackName         "Lead"
            1        1.1.0     0:00.000          0      tempo             60.000 bpm, 1000000 µs
            1        1.1.0     0:00.000          0  10  program           6
            1        1.1.0     0:00.000          0  10  noteOn            Hi Bongo (60) 100
            1      1.1.240     0:00.500        240  10  noteOff           Hi Bongo (60) 64
            1        1.2.0     0:01.000        480   1  control           7 volume = 90
            1        1.2.0     0:01.000        480   1  pitchBend         0
            1        1.3.0     0:02.000        960      lyric             "é!"
            1        2.1.0     0:04.000       1920      sysEx             7e 09 f7
            1        2.1.0     0:04.000       1920      endOfTrack

        """)
  }

  @Test func `rows are midicsv's, and a table becomes the very file again`() throws {
    let folder = try ScratchFolder()
    let table = try run(["--csv", "-"])
    #expect(table.status == 0)
    #expect(
      Array(table.output) == Array(
        """
        0, 0, Header, 0, 1, 480
        1, 0, Start_track
        1, 0, Title_t, "Lead"
        1, 0, Tempo, 1000000
        1, 0, Program_c, 9, 5
        1, 0, Note_on_c, 9, 60, 100
        1, 240, Note_off_c, 9, 60, 64
        1, 480, Control_c, 0, 7, 90
        1, 480, Pitch_bend_c, 0, 8192
        1, 960, Lyric_t, "
        """.utf8) + [0xE9]
        + Array(
          """
          !"
          1, 1920, System_exclusive, 3, 126, 9, 247
          1, 1920, End_track
          0, 0, End_of_file

          """.utf8))
    let back = try CommandRun(
      ["events", "--import", "-", "-o", folder.path("a.mid")], input: table.output)
    #expect(back.status == 0)
    #expect(back.output.isEmpty)
    #expect(Array(try Data(contentsOf: folder.url.appendingPathComponent("a.mid"))) == song)
  }

  @Test func `JSON Lines have the members that scripts rely on, and become the file again`()
    throws
  {
    let list = try run(["--jsonl", "-"])
    let documents = try list.text.split(separator: "\n").map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
    #expect(documents.count == 11)
    #expect(documents[0]["division"] as? [String: Int] == ["ppqn": 480])
    #expect(documents.dropFirst().allSatisfy { $0["type"] as? String == "event" })
    let note = documents[4]
    #expect(note["kind"] as? String == "noteOn")
    #expect([note["track"], note["channel"], note["key"]] as? [Int] == [0, 9, 60])
    #expect(documents[5]["seconds"] as? Double == 0.5)
    #expect(documents[5]["bar"] as? String == "1.1.240")
    #expect(documents[8]["text"] as? String == "é!")
    #expect(documents[8]["bytes"] as? String == "e921")
    let back = try CommandRun(["events", "--import", "-", "-o", "-"], input: list.output)
    #expect(back.status == 0)
    #expect(Array(back.output) == song)
  }

  @Test(arguments: [
    (["--kind", "note"], ["noteOn", "noteOff"]),
    (["--kind", "tempo,track-name"], ["trackName", "tempo"]),
    (["--channel", "1"], ["control", "pitchBend"]),
    (["--channel", "2-9"], []),
    (["--track", "2"], []),
    (["--from", "1.2.0", "--to", "1.3.0"], ["control", "pitchBend"]),
    (["--from", "1s", "--to", "960t"], ["control", "pitchBend"]),
    (["--from", "50%", "--kind", "lyric"], ["lyric"]),
    (["--from", "1.3.0", "--to", "1.2.0"], []),
  ]) func `filters select events`(filters: [String], kinds: [String]) throws {
    let run = try run(filters + ["-"])
    #expect(run.status == 0, "\(run.errors)")
    let lines = run.text.split(separator: "\n").dropFirst()
    let found = lines.compactMap { line in
      line.dropFirst(48).split(separator: " ").first.map(String.init)
    }
    #expect(found == kinds)
  }

  @Test(arguments: [
    (["--from", "10x", "-"], 64, "10x"),
    (["--from", "@coda", "-"], 64, "a song with the marker coda"),
    (["--kind", "notes,x", "-"], 64, "kind 'x'"),
    (["--channel", "0", "-"], 64, "channel '0': not a number or range in 1-16"),
    (["--track", "3-1", "-"], 64, "track '3-1'"),
    (["--csv", "--jsonl", "-"], 64, "cannot be used together"),
    ([], 64, "give either a file to list"),
    (["--import", "a.csv"], 64, "--import: no output (add -o"),
    (["-o", "x.mid", "-"], 64, "apply only to --import"),
    (["no-such.mid"], 66, "no-such.mid: no such file"),
    (["--import", "no-such.csv", "-o", "-"], 66, "no-such.csv: no such file"),
    (["--import", "-", "-o", "-"], 65, "standard input: line"),
    (["--import", "-", "-o", "Makefile"], 73, "Makefile: already exists"),
  ]) func `impossible options are reported in one line`(
    arguments: [String], status: Int32, message: String
  ) throws {
    let run = try run(arguments)
    #expect(run.status == status)
    #expect(run.output.isEmpty)
    #expect(run.errors.contains(message), "\(run.errors)")
  }

  @Test func `a damaged file is listed, its repairs are reported, and the status is 3`() throws {
    let cut = try CommandRun(["events", "-"], input: Data(song.dropLast(4)))
    #expect(cut.status == 3)
    #expect(cut.errors.contains("end of track missing, added"))
    #expect(cut.text.hasSuffix("endOfTrack\n"))
    let strict = try CommandRun(["events", "--strict", "-"], input: Data(song.dropLast(4)))
    #expect(strict.status == 65)
    #expect(strict.output.isEmpty)
  }
}
