// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@Suite struct ConvertSongTests {
  /// 480 ticks: 3/4 at 120, from bar 3 on 7/8 at 100, offset 01:00:00:00 at 25, chorus at bar 5.
  private let song = TempoSong.file(
    division: 480,
    [
      (0, [0xFF, 0x54, 5, 0x21, 0, 0, 0, 0]), (0, [0xFF, 0x58, 4, 3, 2, 24, 8]),
      (0, TempoSong.tempo(500_000)), (2880, [0xFF, 0x58, 4, 7, 3, 24, 8]),
      (0, TempoSong.tempo(600_000)), (3360, TempoSong.marker("chorus")), (480, [0x80, 60, 64]),
    ])

  private func run(_ arguments: [String], _ bytes: [UInt8]? = nil) throws -> CommandRun {
    let folder = try ScratchFolder()
    _ = try folder.write("song.mid", bytes ?? song)
    return try CommandRun(
      ["convert", "--song", "song.mid"] + arguments, folder: folder.url)
  }

  @Test(arguments: [
    (["3|1|0", "--to", "seconds"], "3"), (["@chorus", "--to", "bbt"], "5|1|0"),
    (["@chorus", "--to", "seconds"], "7.2"), (["0s", "--to", "smpte"], "01:00:00:00"),
    (["01:00:03:00", "--to", "ticks"], "2880"), (["100%", "--to", "ticks"], "6720"),
    (["3|1|0", "--tempo", "60", "--to", "seconds"], "6"),
    (["6b", "--meter", "4/4", "--to", "bbt"], "2|3|0"),
    (["0s", "--bar-one-at", "3b", "--to", "bbt"], "0|1|0"),
    (["0s", "--fps", "30", "--to", "smpte"], "01:00:00:00"),
    (["0s", "--smpte-offset", "02:00:00:00", "--to", "smpte"], "02:00:00:00"),
  ])
  func `a song gives tempo, meter, division, offset, length and markers`(
    arguments: [String], expected: String
  ) throws {
    let run = try run(arguments)
    #expect(run.text == expected + "\n", "\(run.errors)")
    #expect(run.status == 0)
  }

  @Test func `values that a time does not have are reported once`() throws {
    let long = try run(["999999999999s"])
    #expect(long.status == 64 && long.errors.contains("64 bits"), "\(long.errors)")
    let lines = long.errors.split(separator: "\n")
    #expect(Set(lines).count == lines.count)
    let marker = try run(["@trio", "--to", "bbt"])
    #expect(marker.status == 64 && marker.errors.contains("@chorus"), "\(marker.errors)")
    #expect(try run(["@Chorus + 1/8", "--to", "bbt"]).text == "5|2|0\n")
  }

  @Test func `an SMPTE division counts milliseconds whatever the tempo`() throws {
    let run = try run(
      ["1000t", "--to", "seconds"],
      TempoSong.file(division: 0xE728, [(0, TempoSong.tempo(250_000))]))
    #expect(run.text == "1\n")
    let beats = try self.run(
      ["1s", "--to", "beats"], TempoSong.file(division: 0xE728, [(0, TempoSong.tempo(250_000))]))
    #expect(beats.text == "4\n")
  }

  @Test func `bars are printed as a table of every format`() throws {
    let run = try run(["--table", "4"])
    #expect(run.status == 0)
    #expect(
      run.text == """
        meter     bpm    bbt  beat  tick   clock          ns     smp         smpte   frame  spp
          3/4  120.00  1|1|0     0     0    0:00           0       0   01:00:00:00   90000    0
          3/4  120.00  2|1|0     3  1440  0:01.5  1500000000   72000  ≈01:00:01:12  ≈90037   12
          7/8  100.00  3|1|0     6  2880    0:03  3000000000  144000   01:00:03:00   90075   24
          7/8  100.00  4|1|0   9.5  4560  0:05.1  5100000000  244800  ≈01:00:05:02  ≈90127   38

        """)
  }

  @Test func `seconds are printed as a table, and as documents`() throws {
    let table = try run(["--table", "3s"]).text.split(separator: "\n")
    #expect(table.count == 4)
    #expect(table[3].contains("0:02") && table[3].contains("96000"))
    let documents = try run(["--table", "2", "--jsonl"]).text.split(separator: "\n")
    #expect(documents.count == 2)
    #expect(documents[1].contains(#""bbt":{"value":"2|1|0""#))
  }

  @Test func `a damaged song is read with repairs and the status is 3`() throws {
    let run = try run(["1s", "--to", "ns"], Array(song.dropLast(3)))
    #expect(run.text == "1000000000\n")
    #expect(run.status == 3)
    #expect(run.errors.contains("song.mid: was repaired"))
    #expect(try self.run(["1s"], Array("no song at all".utf8)).status == 65)
  }

  @Test func `the division of a song is not overruled`() throws {
    let run = try run(["1s", "--ppq", "96"])
    #expect(run.status == 64 && run.errors.contains("--ppq"))
  }

  @Test func `every example of the help works`() throws {
    let help = try CommandRun(["convert", "--help-all"]).text
    let examples = help.split(separator: "\n").map { $0.drop { $0 == " " } }
      .filter { $0.hasPrefix("downbeat convert") || $0.hasPrefix("seq ") }
    #expect(examples.count == 15)
    let folder = try ScratchFolder()
    _ = try folder.write("song.mid", song)
    let tool = ToolRun.command
    let take = folder.path("take.wav")
    let made = try CommandRun(["ltc", "send", "-o", take, "--from", "01:00:00:00", "--for", "12s"])
    #expect(made.status == 0)
    // A clock is there to be asked once someone serves it.
    let served = """
      mkdir -p -m 700 run
      export XDG_RUNTIME_DIR="$PWD/run"
      "\(tool)" clock serve studio > serve.txt 2>&1 & server=$!
      until downbeat convert --clock studio now > asked.txt 2>&1; do sleep 0.1; done
      trap 'kill $server' EXIT

      """
    for example in examples {
      let script =
        "downbeat() { \"\(tool)\" \"$@\"; }\n" + (example.contains("--clock") ? served : "")
        + example
      let shell = try ToolRun(["-c", script], command: "/bin/sh", folder: folder.url)
      #expect(shell.status == 0, "\(example): \(shell.errors)")
      #expect(!shell.output.isEmpty && shell.errors.isEmpty, "\(example): \(shell.errors)")
    }
  }
}
