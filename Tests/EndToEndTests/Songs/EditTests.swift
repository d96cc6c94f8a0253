// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@Suite struct EditTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
  }

  /// Two channels of quarter notes over eight bars, a tempo, and markers at bars 1 and 3.
  private static let song: [UInt8] = {
    let tempo: [UInt8] = [0xFF, 0x51, 3, 0x07, 0xA1, 0x20]
    let verse: [UInt8] = [0xFF, 0x06, 5] + Array("verse".utf8)
    let chorus: [UInt8] = [0xFF, 0x06, 6] + Array("chorus".utf8)
    var events: [(delta: Int, bytes: [UInt8])] = [(0, tempo), (0, verse)]
    for beat in 0..<32 {
      if beat == 8 { events.append((0, chorus)) }
      events.append((0, [0x90, UInt8(48 + beat), 80]))
      events.append((0, [0x99, 36, 100]))
      events.append((240, [0x89, 36, 64]))
      events.append((240, [0x80, UInt8(48 + beat), 64]))
    }
    return SongBytes.file(events)
  }()

  private func edit(
    _ operations: [String], _ more: [String] = [], of song: [UInt8] = Self.song
  ) throws -> CommandRun {
    let flags = operations.flatMap { ["--do", $0] } + more
    return try CommandRun(["edit", "-", "-o", "-"] + flags, input: Data(song))
  }

  /// Returns the document of `info --json` for a file.
  private func facts(of bytes: Data) throws -> [String: Any] {
    let run = try CommandRun(["info", "--json", "--strict", "-"], input: bytes)
    #expect(run.status == 0)
    return try #require(try JSONSerialization.jsonObject(with: run.output) as? [String: Any])
  }

  private func ticks(after operations: String...) throws -> Int? {
    try facts(of: try edit(operations).output)["maxTick"] as? Int
  }

  @Test func `a tempo applies to its range, and the old tempo returns after it`() throws {
    let run = try edit(["tempo 60bpm range=2|1..3|1"])
    #expect(run.status == 0, "\(run.errors)")
    let list = try CommandRun(["events", "--kind", "tempo", "-"], input: run.output).text
    let tempi = list.split(separator: "\n").dropFirst().map { $0.split(separator: " ") }
    #expect(tempi.map { $0[3] } == ["0", "1920", "3840"])
    #expect(tempi.map { $0[5] } == ["120.000", "60.000", "120.000"])
    let whole = try edit(["tempo 90"])
    #expect(try facts(of: whole.output)["tempoEvents"] as? Int == 1)
  }

  @Test func `a program and a volume are set for channels`() throws {
    let run = try edit(["program 41", "volume 80 channel=10 range=3|1..5|1"])
    #expect(run.status == 0, "\(run.errors)")
    let list = try CommandRun(["events", "--kind", "program,control", "-"], input: run.output).text
    let lines = list.split(separator: "\n").dropFirst().map {
      $0.split(separator: " ").dropFirst(3).joined(separator: " ")
    }
    #expect(
      lines == [
        "0 1 program 41 Violin", "3840 10 control 7 volume = 80", "7680 10 control 7 volume = 100",
      ])
    let again = try CommandRun(
      ["edit", "-", "-o", "-", "--do", "program 1 channel=1"], input: run.output)
    let programs = try CommandRun(["events", "--kind", "program", "-"], input: again.output).text
    #expect(programs.contains("1 Acoustic Grand Piano") && !programs.contains("Violin"))
  }

  @Test func `a volume is changed by decibels, over a range`() throws {
    func controls(_ text: String, _ song: Data? = nil) throws -> [Substring] {
      let run =
        try song.map {
          try CommandRun(["edit", "-", "-o", "-", "--do", text], input: $0)
        } ?? edit([text])
      #expect(run.status == 0, "\(run.errors)")
      return try CommandRun(["events", "--kind", "control", "-"], input: run.output).text
        .split(separator: "\n").dropFirst().map { $0.drop { !$0.isWhitespace } }
    }
    // 100 is the volume of a channel without one. −12 dB of volume is half of the controller.
    let soft = try controls("volume -12dB channel=10 range=3|1..5|1")
    #expect(soft.count == 2 && soft[0].contains("= 50") && soft[1].contains("= 100"), "\(soft)")
    let half = try controls("volume 25% channel=10 range=3|1..5|1")
    #expect(half == soft)
    #expect(try controls("volume -12 channel=10 range=3|1..5|1") == soft)
    let set = try edit(["volume 80 channel=10 range=2|1..6|1"])
    let twice = try controls("volume -12dB channel=10 range=3|1..5|1", set.output)
    #expect(
      twice.map { $0.split(separator: " ").last } == ["80", "40", "80", "100"], "\(twice)")
    let loud = try edit(["volume +6dB channel=10"])
    #expect(loud.status == 1 && loud.errors.contains("the maximum is 127"), "\(loud.errors)")
    #expect(try edit(["volume 200 channel=10"]).status == 64)
    #expect(try edit(["volume x channel=10"]).status == 64)
  }

  @Test func `a program has a name too, and one for channels that nothing plays on is refused`()
    throws
  {
    for name in ["41", "violin", "acoustic grand piano", "French"] {
      #expect(try edit(["program \(name)"]).status == 0, "\(name)")
    }
    for (name, answer) in [
      ("viol", "ambiguous: 41 Violin, 42 Viola"), ("0", "1…128 or a name"), ("kazoo", "or a name"),
    ] {
      let run = try edit(["program \(name)"])
      #expect(run.status == 64 && run.errors.contains(answer), "\(name): \(run.errors)")
    }
    let absent = try edit(["program 1 channel=16"])
    #expect(absent.status == 1 && absent.errors.contains("channel=10"), "\(absent.errors)")
    #expect(try edit(["delete-track 2"]).errors.contains("track=2"))
  }

  @Test func `tracks are deleted, but not all`() throws {
    let run = try edit(["split", "delete-track track=2"])
    #expect(run.status == 0, "\(run.errors)")
    let split = try facts(of: try edit(["split"]).output)["tracks"] as? Int ?? 0
    #expect(try facts(of: run.output)["tracks"] as? Int == split - 1)
    #expect(try edit(["delete-track track=1"]).status == 1)
    #expect(try edit(["delete-track"]).status == 64)
    #expect(try edit(["delete-track track=9"]).status == 1)
  }

  @Test func `every example of the help runs in a shell and makes a clean file`() throws {
    let two = try edit(["format 1", "move +7t range=1t.."])
    #expect(two.status == 0)
    _ = try folder.write("song.mid", Array(two.output))
    let help = try CommandRun(["edit", "--help-all"]).text
    let examples = help.split(separator: "\n").map { $0.drop(while: { $0 == " " }) }
      .filter { $0.hasPrefix("downbeat edit ") || $0.hasPrefix("cat ") }
      // Those that need installed soundfonts are in `TrimCommandTests`.
      .filter { !$0.contains("--embed") }
    #expect(examples.count >= 10)
    let commandFolder = URL(fileURLWithPath: ToolRun.command).deletingLastPathComponent().path
    let path = "\(commandFolder):/usr/bin:/bin"
    for example in examples {
      let run = try ToolRun(
        ["-c", String(example)], environment: ["PATH": path], command: "/bin/bash",
        folder: folder.url)
      #expect(run.status == 0, "\(example): \(run.errors)")
      #expect(run.errors.isEmpty)
    }
    for name in try folder.names() where name != "song.mid" {
      let bytes = try Data(contentsOf: folder.url.appendingPathComponent(name))
      #expect(try facts(of: bytes)["status"] as? String == "clean")
      #expect(bytes != two.output, "\(name) is the song as it was")
    }
    #expect(try folder.names().count == examples.count)
  }

  @Test func `a cut reports the settings of its range that it removes`() throws {
    let start = try edit(["cut range=1|1..3|1"])
    #expect(
      start.errors
        == "downbeat: standard input: cut range=1|1..3|1: also removes tempo set in its range "
        + "(delete-time keeps them)\n")
    let opening: [(Int, [UInt8])] = [
      (0, [0xFF, 3, 1, 0x61]), (0, [0xFF, 0x58, 4, 3, 2, 24, 8]), (0, [0xFF, 0x59, 2, 1, 0]),
      (0, [0xC0, 40]), (0, [0xB0, 7, 90]), (480, [0xB0, 64, 0]), (480, [0xC0, 41]),
      (480, [0x90, 60, 80]), (480, [0x80, 60, 64]),
    ]
    let song = SongBytes.file(opening.map { (delta: $0.0, bytes: $0.1) })
    let lost = { (words: [String], more: [String]) in
      try #require(try edit(words, more, of: song).errors.split(separator: ": ").last)
    }
    #expect(try lost(["cut range=..480t"], []).hasPrefix("also removes meter, key, programs, cont"))
    #expect(try lost(["cut range=..480t"], []).contains("controllers and names set in its range"))
    // The second program begins at the end of the range.
    #expect(try lost(["cut range=..960t"], []).contains("meter, key, controllers and names set"))
    for words in ["cut range=480t..960t", "delete-time range=..480t", "cut"] {
      #expect(try edit([words], of: song).errors.isEmpty)
    }
    #expect(try edit(["cut range=..480t"], ["--quiet"], of: song).errors.isEmpty)
    #expect(try edit(["reverse"]).errors.isEmpty)
  }

  @Test func `losses of the file format are reported, one line each`() throws {
    #expect(try edit(["merge to=120t"]).errors.isEmpty)
    let nested = ["scale-time 1/4 range=480t..960t", "move -400t range=480t..481t"]
    #expect(
      try edit(nested).errors == """
        downbeat: standard output: not saved exactly: track 1, tick 0: note of key 36, channel 10 \
        overlaps another of the same key: will be read as 140 instead of 240 ticks
        downbeat: standard output: not saved exactly: track 1, tick 80: note of key 36, channel 10 \
        overlaps another of the same key: will be read as 160 instead of 60 ticks

        """)
    #expect(try edit(nested, ["--quiet"]).errors.isEmpty)
  }

  @Test func `operations are applied in order`() throws {
    #expect(try ticks() == 15360)
    #expect(try ticks(after: "scale-time 2", "insert-time 480t") == 31200)
    #expect(try ticks(after: "insert-time 480t", "scale-time 2") == 31680)
    #expect(try ticks(after: "delete-time range=1|1..3|1", "delete-time range=1|1..3|1") == 7680)
  }

  @Test func `each operation has its effect`() throws {
    #expect(try ticks(after: "cut range=2|1..3|1") == 13440)
    #expect(
      try ticks(after: "copy range=verse..@chorus to=9|1".replacing("verse", with: "@verse"))
        == 19200)
    #expect(try ticks(after: "merge range=8|1.. to=9|1") == 17280)
    #expect(try ticks(after: "move +1/4 range=8.4.0..") == 15840)
    #expect(try ticks(after: "insert-time 2b at=2s") == 16320)
    #expect(try ticks(after: "retime 60bpm") == 7680)
    #expect(try ticks(after: "reverse", "reverse") == 15360)
    let notes = { (operation: String) in
      try self.facts(of: try self.edit([operation]).output)["noteOns"] as? Int
    }
    #expect(try notes("clear range=..@chorus") == 48)
    #expect(try notes("clear range=50%..") == 32)
    let tracks = { (operations: [String]) in
      try self.facts(of: try self.edit(operations).output)["tracks"] as? Int
    }
    #expect(try tracks(["split"]) == 3)
    #expect(try tracks(["split", "join"]) == 1)
    #expect(try tracks(["split", "join track=1,3"]) == 2)
    #expect(try tracks(["format 1"]) == 3)
    #expect(try tracks(["format 1", "format 2", "format 1 together", "format 0"]) == 1)
  }

  @Test func `times after an operation are those of the edited song`() throws {
    // At half the tempo the third bar begins at 8 s; before it was at 4 s.
    #expect(try ticks(after: "retime 240bpm", "clear range=8s..") == 30720)
    let seconds = try facts(of: try edit(["scale-time 2", "retime 240bpm"]).output)["lengthExact"]
    #expect(seconds as? String == "32")
  }

  @Test func `without an operation the bytes are those of the file`() throws {
    let run = try edit([])
    #expect(Array(run.output) == Self.song)
    let undone = try edit(["transpose +5", "transpose -5"])
    #expect(
      try facts(of: undone.output)["firstNotes"] as? NSArray == facts(of: run.output)["firstNotes"]
        as? NSArray)
  }

  @Test func `an existing file is replaced only with --overwrite, and completely`() throws {
    let path = try folder.write("out.mid", [1, 2, 3])
    let refused = try CommandRun(["edit", "-", "-o", path], input: Data(Self.song))
    #expect(refused.status == 73)
    #expect(refused.errors == "downbeat: \(path): already exists (use --overwrite to replace it)\n")
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data([1, 2, 3]))
    let failed = try CommandRun(
      ["edit", "-", "-o", path, "--overwrite", "--do", "transpose +100"], input: Data(Self.song))
    #expect(failed.status == 1)
    #expect(failed.errors.hasPrefix("downbeat: standard input: transpose +100: key 48 at tick 0 "))
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data([1, 2, 3]))
    let replaced = try CommandRun(
      ["edit", "-", "-o", path, "--overwrite"], input: Data(Self.song))
    #expect(replaced.status == 0)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data(Self.song))
    #expect(try folder.names() == ["out.mid"])
    let nowhere = try CommandRun(
      ["edit", "-", "-o", folder.path("no/out.mid")], input: Data(Self.song))
    #expect(nowhere.status == 73)
    #expect(nowhere.errors.hasSuffix("cannot be created: no such file or directory\n"))
  }

  @Test func `a file that does not fit is reported and leaves nothing behind`() throws {
    _ = try folder.write("song.mid", SongBytes.notes(2_000, every: 480))
    let script = "ulimit -f 4; \(ToolRun.command) edit song.mid -o out.mid --do reverse"
    let run = try ToolRun(["-c", script], command: "/bin/bash", folder: folder.url)
    #expect(run.status == 74)
    #expect(
      run.errors == "downbeat: out.mid: cannot be written: file too large; nothing was saved\n")
    #expect(try folder.names() == ["song.mid"])
  }

  @Test func `a link is followed and a file keeps its mode`() throws {
    let path = try folder.write("real.mid", [])
    let manager = FileManager.default
    try manager.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
    let link = folder.path("link.mid")
    try manager.createSymbolicLink(atPath: link, withDestinationPath: "real.mid")
    let run = try CommandRun(["edit", "-", "-o", link, "--overwrite"], input: Data(Self.song))
    #expect(run.status == 0)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data(Self.song))
    #expect(try manager.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o640)
    #expect(try manager.destinationOfSymbolicLink(atPath: link) == "real.mid")
  }

  @Test func `a damaged song is repaired with status 3, another file is refused`() throws {
    let cut = Array(Self.song.dropLast(4))
    let repaired = try edit(["transpose +1"], of: cut)
    #expect(repaired.status == 3)
    #expect(try facts(of: repaired.output)["status"] as? String == "clean")
    #expect(try edit([], ["--strict"], of: cut).status == 65)
    #expect(try edit([], of: Array("a letter".utf8)).status == 65)
    #expect(try CommandRun(["edit", "no-such.mid", "-o", "-"]).status == 66)
  }

  @Test(
    arguments: [
      ("frob", 64, "--do frob: unknown operation (use clear, cut, copy, merge"),
      ("transpose 1.5", 64, "--do 'transpose 1.5': not a whole number in -127…127"),
      ("transpose 3 loud", 64, "transpose: unknown word 'loud'"),
      ("cut by=3", 64, "cut: unknown setting 'by='"),
      ("copy", 64, "copy needs to= (to=5|1)"),
      ("move 5", 64, "'5' needs a unit (try 5b, 5t or 1/4)"),
      ("quantise 16", 64, "--do 'quantise 16': '16' is not a grid (try 1/16)"),
      ("quantise 7", 64, "--do 'quantise 7': '7' is not a grid (try 1/16, 7b or 7t)"),
      ("cut bar 1-4", 64, "cut: unknown word 'bar' (try --range 'bar 1..bar 5' --do cut)"),
      ("clear bars 3 to 3", 64, "(try --range 'bar 3..bar 4' --do clear)"),
      ("tempo fast", 64, "--do 'tempo fast': 'fast' is not a tempo (try 120bpm)"),
      ("move far", 64, "--do 'move far': 'far' is not a distance (try 1/4, 2b or 120t)"),
      ("copy to=5x", 64, "unknown unit 'x'"),
      ("clear range=5|1", 64, "not FROM..TO (try 5|1..9|1, 30s.. or ..@chorus)"),
      ("clear range=9|1..5|1", 64, "range '9|1..5|1': ends before it starts"),
      ("clear range=@bridge..", 64, "unknown marker bridge"),
      ("clear track=0", 64, "must be track numbers, 1 or higher (try 2 or 1,3-5)"),
      ("clear track=7", 1, "clear track=7: track 7 does not exist (number of tracks: 1)"),
      ("move -1/4", 1, "the edit would move an event to tick -480, before tick 0"),
      ("move 2s", 64, "not seconds (try 1/4, 2b or 120t)"),
      ("scale-time -2", 64, "--do 'scale-time -2': the factor must be above 0"),
      ("quantise 0/4", 64, "the grid must be longer than 0 (try 1/16)"),
      ("quantise 1/16 strength=200%", 64, "strength= must be in 0%…100%"),
      ("trnspose 2", 64, "--do 'trnspose 2': unknown operation (did you mean transpose?)"),
      ("velocity 50", 64, "'velocity 50': ambiguous (=50 sets it, 50% scales it, +50 adds)"),
      ("velocity =200", 64, "--do 'velocity =200': not a velocity (=1…=127 sets it, 50% scales"),
      ("velocity +200", 64, "'velocity +200': not a change (+1…+127 or -1…-127 adds"),
      ("velocity 0:200", 64, "point '0:200': not two velocities (IN:OUT, each 0…127"),
      ("velocity loud", 64, "'loud' is not a number (try 2, 3/2, 0.75 or 80%)"),
      ("retime 1bpm", 64, "must be 3.58…60000000 beats per minute"),
      ("format 0 track=1", 64, "applies to the whole file (leave out range and track)"),
      ("insert-time 281474976710655t", 1, "is out of range (at most 281474976710655)"),
    ])
  func `bad input gives a sentence with a suggestion`(
    operation: String, status: Int32, sentence: String
  ) throws {
    let run = try edit([operation])
    #expect(run.status == status)
    #expect(run.errors.contains(sentence), "\(run.errors)")
    #expect(run.output.isEmpty)
  }

  @Test(arguments: [
    ("tempo 60 bpm", "tempo 60bpm"), ("move 2 beats", "move 2b"), ("velocity 50 %", "velocity 50%"),
    ("copy range=1|1..2|1 to=4 s", "copy range=1|1..2|1 to=4s"),
  ])
  func `a space may stand before the unit of a value`(apart: String, together: String) throws {
    let run = try edit([apart])
    #expect(run.status == 0, "\(run.errors)")
    #expect(try run.output == edit([together]).output)
  }

  @Test func `a distance of a fraction of a tick is reported with its rounding`() throws {
    let run = try edit(["insert-time 1/7"])
    #expect(run.status == 0)
    #expect(run.errors.contains("distance 1/7: "), "\(run.errors)")
    #expect(try edit(["insert-time 1/8"]).errors.isEmpty)
  }

  @Test(arguments: ["130", "120.000001", "500000.4us/q"])
  func `a tempo of a recording that a file cannot store is reported once`(tempo: String) throws {
    let scratch = try ScratchFolder()
    let run = try ToolRun(["record", "-o", scratch.path("take.mid"), "--tempo", tempo])
    let told = run.errors.split(separator: "\n").filter { $0.contains("whole microseconds") }
    #expect(told.count == 1, "\(run.errors)")
  }

  @Test func `a range and tracks for all operations are overridden by those of one`() throws {
    let both = try edit(["clear", "clear range=4|1..5|1"], ["--range", "1|1..3|1"])
    #expect(try facts(of: both.output)["noteOns"] as? Int == 40)
    let whole = try edit(["clear", "format 1"], ["--range", "1|1..3|1"])
    #expect(try facts(of: whole.output)["noteOns"] as? Int == 48)
    let drums = try edit(["split", "clear"], ["--track", "2"])
    #expect(drums.status == 1)
    let split = try edit(["split track=1", "clear"], ["--track", "2"])
    #expect(try facts(of: split.output)["noteOns"] as? Int == 32)
  }
}
