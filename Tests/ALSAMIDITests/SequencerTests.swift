// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// The commands under a real ALSA kernel, with ALSA's own tools at the other end.
@Suite(.serialized, .enabled(if: ALSAMachine.isAvailable, ALSAMachine.reason))
struct SequencerTests {
  private static let machine = Result {
    try ALSAMachine(
      running: SequencerScript.text, timeout: 240,
      inputs: ["eight.mid": NoteFile.bytes(count: 8, ticksApart: 48, division: 480)])
  }

  private func file(_ name: String) throws -> String {
    let machine = try Self.machine.get()
    let content = try #require(machine.files[name], "\(name) is missing: \(machine.errors)")
    return String(decoding: content, as: UTF8.self)
  }

  private func lines(_ name: String) throws -> [String] {
    try file(name).split(separator: "\n").map(String.init)
  }

  /// The columns of a witness's output from the second on.
  private func seen(_ name: String) throws -> [String] {
    try lines(name).filter { $0.contains("14:0") }.map { line in
      line.split(separator: " ").dropFirst().joined(separator: " ")
    }
  }

  private func status(_ name: String) throws -> Int? {
    try lines("status.txt").last { $0.hasPrefix("\(name) ") }
      .flatMap { Int($0.dropFirst(name.count + 1)) }
  }

  @Test func `ports are listed as by aplaymidi`() throws {
    #expect(try file("list.txt") == file("aplaymidi.txt"))
    #expect(try lines("list.txt").count > 4)
    let json = try JSONSerialization.jsonObject(with: Data(file("list.json").utf8))
    let document = try #require(json as? [String: Any])
    #expect(document["v"] as? Int == 1)
    let devices = try #require(document["devices"] as? [[String: Any]])
    #expect(devices.contains { $0["name"] as? String == "Midi Through" })
  }

  @Test func `a shell completes the names of ports`() throws {
    #expect(try lines("complete.txt").contains { $0.contains("Midi Through") })
    #expect(try !lines("complete.txt").contains { $0.contains("VirMIDI") })
  }

  @Test(
    .enabled(if: SchemaJudge.isAvailable, SchemaJudge.reason),
    arguments: [
      ("list.json", "ports"), ("watch.json", "ports"), ("made.json", "ports"),
      ("again.json", "report"), ("sysex.json", "monitor"), ("filter.json", "monitor"),
      ("sent.json", "report"), ("release-INT.json", "report"), ("thru.json", "report"),
      ("panic.json", "report"), ("unknown.json", "report"),
    ])
  func `the JSON output matches the schemas`(name: String, schema: String) throws {
    let told = try file(name)
    #expect(!told.isEmpty, "\(name)")
    #expect(try SchemaJudge.faults(of: Data(told.utf8), in: schema) == "", "\(name)")
  }

  @Test func `the last JSON line reports the end`() throws {
    let ends = [
      ("sent.json", #""reason":"eof","events":10,"exitStatus":0"#),
      ("release-INT.json", #""reason":"signal","signal":2,"events":3,"exitStatus":130"#),
      ("thru.json", #""reason":"signal","signal":15,"exitStatus":143"#),
      ("panic.json", #""reason":"eof","events":2176,"exitStatus":0"#),
      ("unknown.json", #""exitStatus":69"#),
    ]
    for (name, end) in ends {
      let last = try #require(try lines(name).last)
      #expect(last.contains(end), "\(name): \(last)")
    }
    #expect(try lines("made.json").map { $0.contains(#""type":"connected""#) } == [true, false])
  }

  @Test func `sent events arrive in order`() throws {
    #expect(try status("send") == 0)
    #expect(
      try seen("send.txt") == [
        "Program change 0, program 40", "Note on 0, note 60, velocity 100",
        "Note off 0, note 60, velocity 64", "Control change 9, controller 7, value 100",
        "Pitch bend 9, value -8192", "Polyphonic aftertouch 9, note 60, value 5",
        "Channel aftertouch 9, value 9", "Start", "Song position pointer value 5",
        "System exclusive F0 01 02 03 F7", "Note on 0, note 61, velocity 1",
        "Note off 0, note 61, velocity 2", "Note on 0, note 62, velocity 1",
        "Note off 0, note 62", "System exclusive F0 09 F7", "Note on 0, note 63, velocity 1",
      ])
  }

  @Test(arguments: [("INT", 130), ("TERM", 143), ("HUP", 129)])
  func `a sender that is ended releases sounding notes, and ends by the signal`(
    signal: String, code: Int
  ) throws {
    #expect(try status("release-\(signal)") == code)
    let seen = try seen("release-\(signal).txt")
    for release in [
      "Note off 2, note 60, velocity 64", "Note off 2, note 64, velocity 64",
      "Control change 2, controller 64, value 0", "Pitch bend 2, value 0",
      "Control change 2, controller 120, value 0", "Control change 2, controller 123, value 0",
    ] {
      #expect(seen.contains(release), "\(signal): \(seen)")
    }
  }

  @Test func `a long SysEx arrives whole and paced; notes wait, real-time messages do not`()
    throws
  {
    #expect(try status("sysex") == 0)
    let events = try lines("sysex.json").map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
    #expect(events.map { $0["type"] as? String } == ["start", "sysex", "note on"])
    let bytes = try #require(events[1]["bytes"] as? [Int])
    #expect(bytes == [0xF0] + Array(repeating: 0x55, count: 2000) + [0xF7])
    let times = try events.map { try #require($0["host"] as? Int) }
    // Eight pieces: the last leaves the time of seven times 256 bytes after the first.
    #expect(times[1] - times[0] > 560_000_000)
    #expect(times[1] - times[0] < 1_000_000_000)
    #expect(times[2] >= times[1])
  }

  @Test func `monitor shows the events of aplaymidi`() throws {
    #expect(try status("monitor") == 0)
    let lines = try lines("monitor.txt")
    #expect(lines.first == "        Time  Source  Event                  Ch  Data")
    let notes = lines.dropFirst().map { line in
      line.split(separator: " ").dropFirst().joined(separator: " ")
    }
    let keys = ["C4", "C#4", "D4", "Eb4", "E4", "F4", "F#4", "G4"]
    #expect(
      notes == zip(keys, 60..<68).map { "14:0 Note on 1, note \($0) (\($1)), velocity 100" })
    let times = lines.dropFirst().compactMap { line in
      line.split(separator: " ").first.flatMap { Double($0) }
    }
    // 48 of 480 ticks at 120 beats a minute: 50 ms.
    #expect(zip(times, times.dropFirst()).allSatisfy { abs($1 - $0 - 0.05) < 0.02 })
  }

  @Test func `a filter passes the selected events`() throws {
    let lines = try lines("filter.json")
    #expect(lines.count == 2)
    #expect(lines[0].contains("\"note\":64"))
    #expect(lines[1].contains("\"note\":65"))
  }

  @Test func `connections are made and removed`() throws {
    #expect(try file("connected.txt").contains("Connecting To: 17:0"))
    #expect(
      try lines("connections.txt")
        == ["16:0 Virtual Raw MIDI 0-0: VirMIDI 0-0 -> 17:0 Virtual Raw MIDI 0-1: VirMIDI 0-1"])
    #expect(try !file("disconnected.txt").contains("Connecting To: 17:0"))
    #expect(try status("again") == 1)
    #expect(try file("again.txt").contains("is not connected"))
  }

  @Test func `thru without changes is done by the kernel, and ends with the command`() throws {
    #expect(try file("thru-kernel.txt").contains("Connecting To: 14:0"))
    #expect(try !file("thru-after.txt").contains("Connecting To: 14:0"))
  }

  @Test func `thru changes events and releases sounding notes`() throws {
    #expect(try status("thru") == 143)
    let seen = try lines("thru.txt").map { line in
      line.split(separator: " ").dropFirst(2).joined(separator: " ")
    }
    #expect(
      seen.dropFirst().prefix(3) == [
        "Note on 5, note C5 (72), velocity 100", "Note on 5, note C#5 (73), velocity 100",
        "Note off 5, note C#5 (73), velocity 0",
      ])
    #expect(seen.contains("Note off 5, note C5 (72), velocity 64"))
  }

  @Test func `thru changes values, controllers and parameters`() throws {
    let seen = try lines("values.txt").map { line in
      line.split(separator: " ").dropFirst().joined(separator: " ")
    }
    let first = try #require(seen.firstIndex { $0.hasPrefix("Control change") })
    #expect(
      seen[first...].prefix(10) == [
        "Control change 0, controller 11, value 50", "Control change 0, controller 101, value 0",
        "Control change 0, controller 100, value 0", "Control change 0, controller 6, value 0",
        "Control change 0, controller 38, value 12", "Pitch bend 0, value 4096",
        "Polyphonic aftertouch 0, note 71, value 30", "Channel aftertouch 0, value 99",
        "Program change 0, program 10", "Note on 0, note 50, velocity 90",
      ])
  }

  @Test func `panic silences every channel`() throws {
    #expect(try status("panic") == 0)
    let seen = try seen("panic.txt")
    for channel in 0..<16 {
      #expect(seen.contains("Control change \(channel), controller 120, value 0"))
      #expect(seen.contains("Control change \(channel), controller 123, value 0"))
    }
    #expect(seen.count { $0.hasPrefix("Note off") } == 16 * 128)
  }

  @Test func `a source that returns under another number is received again`() throws {
    #expect(try status("phoenix") == 0)
    #expect(try file("phoenix.txt").contains("(99), velocity 9"))
    #expect(try file("phoenix.err").contains("disconnected"))
    #expect(try file("phoenix.err").contains("reconnected"))
    let watched = try lines("watch.json").filter { $0.contains("phoenix") }
    let types = watched.map { $0.contains("appeared") }
    // The disappearance of the last one may be reported or not before the watch is ended.
    #expect(types.prefix(3) == [true, false, true])
  }

  @Test func `a paused reader is notified of the loss, and continues`() throws {
    #expect(try file("slow.err").contains("some events were lost"))
    #expect(try file("slow.txt").contains("(100), velocity 1"))
  }

  @Test func `errors are reported in a sentence, with a status`() throws {
    #expect(try status("unknown") == 69)
    #expect(try file("unknown.txt").contains("unknown destination (available: '14:0"))
    #expect(try status("ambiguous") == 64)
    #expect(try file("ambiguous.txt").contains("matches several: '16:0"))
    #expect(try status("permission") == 77)
    #expect(try file("permission.txt").contains("join the group audio"))
    #expect(try status("none") == 69)
    #expect(try file("none.txt").contains("modprobe snd-seq"))
    #expect(try lines("none.txt").count == 1)
  }
}
