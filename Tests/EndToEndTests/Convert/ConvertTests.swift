// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@Suite struct ConvertTests {
  private func text(_ arguments: String..., input: String = "") throws -> String {
    let run = try CommandRun(["convert"] + arguments, input: Data(input.utf8))
    #expect(run.status == 0, "\(run.errors)")
    return run.text
  }

  @Test func `a time is converted to every format, with the exact value if rounded`() throws {
    let table = try text("1/3s", "--tempo", "90", "--fps", "25")
    #expect(
      table == """
        bbt     1|1|240                            of 480, in 4/4 at 90 bpm
        beat    0.5                  1/2
        tick    240                                480 per quarter note
        clock ≈ 0:00.333333333333    1/3
        sec   ≈ 0.333333333333       1/3
        ms    ≈ 333.333333333333     1000/3
        us    ≈ 333333.333333333333  1000000/3
        ns    ≈ 333333333            1000000000/3
        smp     16000                              at 48000 Hz
        smpte ≈ 00:00:00:08          25/3          at 25
        frame ≈ 8                    25/3
        spp     2                                  MIDI beats
        clk     12                                 MIDI clocks

        """)
  }

  @Test func `label time and real time differ at the 1001 rates`() throws {
    let table = try text("01:00:00:00", "--fps", "23.976")
    #expect(table.contains("01:00:00:00 = 3603.6 s real time"))
    #expect(try text("01:00:00:00", "--fps", "23.976", "--to", "seconds") == "3603.6\n")
    #expect(try text("01:00:00;00", "--to", "sec") == "3599.9964\n")
  }

  @Test(arguments: [
    (["12.3.240", "--to", "seconds"], "23.25"), (["12|3|240", "--to", "ticks"], "22320"),
    (["1:30", "--to", "ns"], "90000000000"),
    (["1s", "--to", "samples", "--rate", "44.1k"], "44100"),
    (["4b", "--tempo", "90", "--to", "seconds", "--exact"], "8/3"),
    (["4b", "--tempo", "666666us/q", "--to", "seconds"], "2.666664"),
    (["1920", "--from", "ticks", "--ppq", "960", "--to", "beats"], "2"),
    (["7|1", "--meter", "7/8", "--to", "beats"], "21"),
    (["0.4.0", "--bar-one-at", "1b", "--to", "beats"], "0"),
    (["0s", "--smpte-offset", "10:00:00:00", "--fps", "25", "--to", "smpte"], "10:00:00:00"),
    (["10:00:01:00", "--smpte-offset", "10:00:00:00@25", "--to", "samples"], "48000"),
    (["1/7s", "--to", "ns", "--round", "floor"], "142857142"),
    (["1/7s", "--to", "ns", "--round", "ceil"], "142857143"),
    (["2/3s", "--to", "seconds", "--round", "floor"], "0.666666666666"),
    (["12|3|240", "--to", "bbt", "--shell-safe"], "12.3.240"),
    (["00:01:00;02", "--to", "smpte", "--shell-safe"], "00:01:00:02@29.97d"),
    (["24:00:00", "--fps", "25", "--wrap", "24h", "--to", "smpte"], "00:00:00:00"),
    (["24:00:00", "--fps", "25", "--to", "smpte"], "1 00:00:00:00"),
    (["125bpm", "--to", "us/q"], "480000"), (["480000us/q", "--to", "bpm"], "125"),
    (["90", "s", "--to", "sec"], "90"), (["2 beats", "--to", "sec"], "1"),
    (["48000 samples", "--to", "sec"], "1"), (["bar2", "--to", "sec"], "2"),
    (["125bpm", "--to", "ms"], "480"), (["480ms", "--to", "bpm"], "125"),
    (["1/8.", "--tempo", "125", "--to", "ms"], "360"),
    (["1/8t", "--to", "ms", "--exact"], "500/3"), (["125bpm", "--to", "smp"], "23040"),
    (["1:30 + 4|0|0", "--to", "sec", "--to", "bbt"], "98  50|1|0"),
    (["1:30", "+", "4.0.0", "-", "500ms", "--to", "sec"], "97.5"),
    (["0.04s", "--to", "smpte"], "00:00:00:01"),
    (["01:02:03:04@24", "--to", "mtc"], "F0 7F 7F 01 01 01 02 03 04 F7"),
    (["host:2000000000", "--anchor", "1000000000@480", "--to", "samples"], "48480"),
    (["--to", "ns", "--", "-1s"], "-1000000000"),
    (["-1s", "--to", "ns"], "-1000000000"), (["--to", "ticks", "-1|1|0"], "-3840"),
    (["0s", "--bar-one-at", "-1", "--to", "bbt"], "1|2|0"),
    (["1001/30000s", "--fps", "29.97", "--to", "frame"], "1"),
    (["33", "--to", "sec"], "33"), (["bar", "33", "beat", "2", "--to", "beats"], "129"),
    (["bar 33", "+", "1/8d", "--to", "beats"], "128.75"), (["16bars", "--to", "bbt"], "17|1|0"),
    (["90s", "--to", "min"], "1.5"), (["1h", "--to", "minutes"], "60"),
  ])
  func `one value is printed alone`(arguments: [String], expected: String) throws {
    let run = try CommandRun(["convert"] + arguments)
    #expect(run.text == expected + "\n", "\(arguments): \(run.errors)")
    #expect(run.status == 0 && run.errors.isEmpty)
  }

  @Test(arguments: [
    (["00:01:00;00"], 64, "the next label is 00:01:00;02"),
    (["00:00:00:25", "--fps", "25"], 64, "0…24"),
    (["1s", "--fps", "26"], 64, " 29.97 29.97df 30 30df "),
    (["1:60:00"], 64, "0…59"), (["1s", "--meter", "4/0"], 64, "powers of two"),
    (["1s", "--meter", "4/3"], 64, "powers of two"),
    (["1s", "--tempo", "0"], 64, "--tempo 0: out of range"),
    (["1s", "--tempo=-5"], 64, "out of range"), (["99999999999999s", "--to", "ns"], 64, "64 bits"),
    (["1/7s", "--to", "ns", "--round", "exact"], 4, "choose a rounding"),
    (["1/7s", "--to", "seconds", "--round", "exact"], 4, "choose a rounding"),
    (["1s", "--to", "parsecs"], 64, "not a format (use bbt"),
    (["1s", "--from", "x"], 64, "not a format"),
    (["1s", "--round", "up"], 64, "floor, ceil"), (["1s", "--ppq", "0"], 64, "1…32767"),
    (["1s", "--rate", "0"], 64, "4000000"),
    (["1s", "--song", "/nonexistent.mid"], 66, "nonexistent"),
    (["50%"], 64, "a song"), (["@verse"], 64, "marker verse"), (["1s", "x"], 3, "x: not a time"),
    (["125bpm", "--to", "bbt"], 64, "tempo"), (["-1s", "--to", "bpm"], 64, "out of range"),
    (["999999999999s"], 64, "64 bits"), (["1b + 120bpm"], 64, "a time, not a tempo"),
    (["1s", "--smpte-offset", "00:00:00:40"], 64, "--smpte-offset 00:00:00:40"),
    (["host:5"], 64, "anchor"), (["--tempo", "", "1s"], 64, "--tempo"),
    (["1s", "--bar-one-at", "1/99999999999"], 64, "--bar-one-at 1/99999999999"),
    (["1s", "--table", "0"], 64, "100000 bars"),
  ])
  func `a failure suggests the right words`(arguments: [String], status: Int, part: String) throws {
    let run = try CommandRun(["convert"] + arguments)
    #expect(run.status == status, "\(arguments): \(run.errors)")
    #expect(run.errors.hasPrefix("downbeat: ") && run.errors.contains(part), "\(run.errors)")
  }

  @Test(arguments: [["--fsp", "25", "1s"], ["-x", "1s"], ["1s", "--xyz"]])
  func `an unknown flag is not read as a time`(arguments: [String]) throws {
    let run = try CommandRun(["convert"] + arguments)
    #expect(run.status == 64 && run.output.isEmpty)
    #expect(
      run.errors.contains("unknown option") || run.errors.contains("Unknown option"),
      "\(run.errors)")
  }

  @Test func `a bar and a beat with one point are read as seconds, with a note`()
    throws
  {
    let run = try CommandRun(["convert", "33.1", "--to", "seconds"])
    #expect(run.text == "33.1\n" && run.status == 0)
    #expect(run.errors.contains("33.1.0"), "\(run.errors)")
    #expect(try CommandRun(["convert", "0.5", "--to", "seconds"]).errors.isEmpty)
    #expect(try CommandRun(["convert", "33.1", "--from", "beats", "--to", "beats"]).errors.isEmpty)
  }

  @Test func `a label that the shell cut is noticed`() throws {
    let run = try CommandRun(["convert", "01:02:03", "--fps", "29.97df", "--to", "seconds"])
    #expect(run.text == "3723\n" && run.status == 0)
    #expect(run.errors.contains("in quotes"))
  }

  @Test func `documents carry version, type, exactness and residue`() throws {
    let document = try JSONSerialization.jsonObject(with: Data(text("1/3s", "--json").utf8))
    let object = try #require(document as? [String: Any])
    #expect(object["v"] as? Int == 1 && object["type"] as? String == "time")
    let values = try #require(object["values"] as? [String: [String: Any]])
    #expect(values["ns"]?["value"] as? String == "333333333")
    #expect(values["ns"]?["exact"] as? Bool == false)
    #expect(values["ns"]?["residue"] as? String == "1/3")
    #expect(values["ns"]?["ratio"] as? String == "1000000000/3")
    #expect(values["bbt"]?["fields"] as? [Int] == [1, 1, 320, 480])
    let lines = try CommandRun(["convert", "1s", "x", "--jsonl", "--to", "ns"])
    #expect(lines.status == 3)
    let types = try lines.text.split(separator: "\n").map {
      try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
    }
    #expect(types.map { $0?["type"] as? String } == ["time", "error"])
    #expect(types[1]?["error"] as? String == "malformed")
  }
}
