// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@Suite struct ConvertBatchTests {
  private func run(_ arguments: [String], _ input: String) throws -> CommandRun {
    try CommandRun(["convert"] + arguments, input: Data(input.utf8))
  }

  @Test func `bad lines are reported with their numbers, and line n answers line n`() throws {
    let run = try run(["--to", "smpte"], "1:30\nfoo\n\n 2b \r\n12x\n01:00:00:00@24")
    #expect(run.status == 3)
    #expect(run.text == "00:01:30:00\n\n\n00:00:01:00\n\n01:00:00:00\n")
    let reports = run.errors.split(separator: "\n")
    #expect(reports.count == 2)
    #expect(reports[0].hasPrefix("downbeat: line 2: foo"))
    #expect(reports[1].hasPrefix("downbeat: line 5: 12x: byte 3"))
  }

  @Test(arguments: [["-"], ["--batch"], []])
  func `standard input is read when it is named or piped`(arguments: [String]) throws {
    let run = try run(arguments + ["--to", "ns"], "1s\n2s\n")
    #expect(run.text == "1000000000\n2000000000\n")
    #expect(run.status == 0)
  }

  @Test func `without a format, every line has a table, or one document per line`() throws {
    let tables = try run([], "1s\n2s\n").text
    #expect(tables.components(separatedBy: "\n\n").count == 3)
    let lines = try run(["--jsonl", "--to", "ns"], "1s\nx\n").text.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines[0].contains(#""value":"1000000000""#))
    #expect(lines[1].contains(#""type":"error""#))
  }

  /// The plain form and the grammar are two roads to one answer.
  @Test(arguments: [
    ("ticks", "ns"), ("ticks", "samples"), ("ns", "ticks"), ("samples", "ticks"),
    ("ns", "samples"), ("samples", "ns"),
  ])
  func `plain counts have the same answers as with units`(from: String, to: String) throws {
    var random = SplitMix(seed: 7)
    var counts: [Int64] = [0, 1, -1, 999, -999, 1 << 40, 999_999_999_999_999_999]
    for _ in 0..<2000 { counts.append(Int64(random.next() % 1_000_000_000_000) - 1000) }
    let folder = try ScratchFolder()
    let song = try folder.write("map.mid", TempoSong.tempoChanges(count: 100, ppq: 960))
    let flags = ["--song", song, "--rate", "44100", "--to", to]
    let bare = counts.map { "\($0)" }.joined(separator: "\n")
    let prefixed = counts.map { "\(from):\($0)" }.joined(separator: "\n")
    let fast = try run(flags + ["--from", from], bare)
    let slow = try run(flags, prefixed)
    #expect(fast.text == slow.text)
    #expect(fast.status == slow.status)
    #expect(fast.text.split(separator: "\n", omittingEmptySubsequences: false).count == 2008)
  }

  @Test func `lines that end a read, long lines and a last line without an end are whole`() throws {
    let padding = String(repeating: " ", count: 131_072)
    let lines = ["1s", padding + "2s", "3s" + padding + padding + padding, "4s", padding, "5s"]
    let run = try run(["--to", "sec"], lines.joined(separator: "\n"))
    #expect(run.text == "1\n2\n3\n4\n\n5\n")
    let many = (0..<50_000).map { "\($0)s" }.joined(separator: "\n")
    let answers = try self.run(["--to", "sec"], many)
    #expect(answers.text == (0..<50_000).map { "\($0)\n" }.joined())
  }

  @Test func `the extreme integers are written whole`() throws {
    let run = try run(
      ["--from", "ns", "--to", "ns"],
      "9223372036854775807\n-9223372036854775808\n9223372036854775808")
    #expect(run.text == "9223372036854775807\n-9223372036854775808\n\n")
    #expect(run.status == 3 && run.errors.contains("line 3: 9223372036854775808"))
  }
}
