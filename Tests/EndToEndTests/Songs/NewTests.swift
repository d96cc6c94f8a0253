// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@Suite struct NewTests {
  private let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  @Test func `a drum loop in one line becomes a file of one bar`() throws {
    let path = scratch.path("loop.mid")
    let run = try CommandRun(["new", "drums: kick x--- snare --x- hat xx *4", "-o", path])
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.isEmpty)
    let info = try CommandRun(["info", path])
    #expect(info.text.contains("0:02.000"))
    #expect(info.text.contains("10 24 notes"))
  }

  @Test func `a score file gives a MIDI file in its folder, and does not replace one`() throws {
    let score = scratch.path("a.score")
    try Data("p: c4 d e f\n".utf8).write(to: URL(fileURLWithPath: score))
    #expect(try CommandRun(["new", score]).status == 0)
    #expect(FileManager.default.fileExists(atPath: scratch.path("a.mid")))
    #expect(try CommandRun(["new", score]).status == 73)
    #expect(try CommandRun(["new", score, "--overwrite"]).status == 0)
  }

  @Test func `every example of the help runs in a shell and makes a file`() throws {
    _ = try scratch.write("song.score", Array("p: c4 d e f\n".utf8))
    let help = try CommandRun(["new", "--help"]).text
    let examples = help.split(separator: "\n").map { $0.drop(while: { $0 == " " }) }
      .filter { $0.hasPrefix("downbeat new ") }
    #expect(examples.count == 4)
    let commandFolder = URL(fileURLWithPath: ToolRun.command).deletingLastPathComponent().path
    for example in examples {
      // The description follows some spaces.
      let end = example.range(of: "  ")?.lowerBound ?? example.endIndex
      let run = try ToolRun(
        ["-c", String(example[..<end])], environment: ["PATH": "\(commandFolder):/usr/bin:/bin"],
        command: "/bin/bash", folder: scratch.url)
      #expect(run.status == 0, "\(example): \(run.errors)")
    }
    #expect(try scratch.names().count == 5)
  }

  @Test func `standard input and standard output can be used`() throws {
    let run = try CommandRun(["new", "-", "-o", "-"], input: Data("p: c4 e g\n".utf8))
    #expect(run.status == 0)
    #expect(run.output.starts(with: Data("MThd".utf8)))
  }

  @Test(arguments: ["c4", "c;d", "c d e f", "C4 D Eb/8", "tempo 96; c4 e", "[c4 e g]/2"])
  func `notes can be without a part, in an argument, a file or standard input`(text: String) throws
  {
    let made = try CommandRun(["new", text, "-o", "-"])
    #expect(made.status == 0, "\(made.errors)")
    let named = text.hasPrefix("tempo") ? "tempo 96; piano: c4 e" : "piano: \(text)"
    let same = named.replacing(";d", with: "; piano: d")
    #expect(try CommandRun(["new", same, "-o", "-"]).output == made.output)
    let file = try scratch.write("bare.score", Array("\(text)\n".utf8))
    #expect(try CommandRun(["new", file, "-o", "-"]).output == made.output)
    #expect(try CommandRun(["new", "-", "-o", "-"], input: Data(text.utf8)).output == made.output)
  }

  @Test func `notes without a part continue on the next line, drums are a separate part`() throws {
    let lines = Data("c4 d\ne f\nkick x--- snare --x-\n".utf8)
    let run = try CommandRun(["new", "-", "-o", "-"], input: lines)
    #expect(run.status == 0, "\(run.errors)")
    let whole = try CommandRun(["new", "piano: c4 d e f\ndrums: kick x--- snare --x-", "-o", "-"])
    #expect(run.output == whole.output)
  }

  @Test(arguments: [
    (["new", "c4 h4", "-o", "/dev/null"], 65, "score: line 1, column 4: 'h4' is not a note"),
    (["new", "h4 c4", "-o", "/dev/null"], 65, "'h4' is not a statement: notes are a…g"),
    (["new", "notes", "-o", "/dev/null"], 66, "notes: no such file (to type notes: downbeat new"),
    (["new", "my song.score"], 66, "my song.score: no such file"),
    (["new", "p: c4 h4", "-o", "/dev/null"], 65, "line 1, column 7: 'h4'"),
    (["new", "no/such.score"], 66, "no/such.score"),
    (["new", "p: c4"], 64, "--output is missing"),
    (["new", "p: c4", "-o", "no/such/folder/a.mid"], 73, "no/such/folder"),
  ])
  func `a mistake gives one sentence and a status`(
    arguments: [String], status: Int32, sentence: String
  ) throws {
    let run = try CommandRun(arguments)
    #expect(run.status == status)
    #expect(run.errors.contains(sentence), "\(run.errors)")
    #expect(run.output.isEmpty)
  }
}
