// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Clocks between processes, under a real ALSA kernel.
@Suite(.serialized, .enabled(if: ALSAMachine.isAvailable, ALSAMachine.reason))
struct ClockSyncTests {
  /// The duration of the steady clock, in seconds.
  private static let seconds =
    ProcessInfo.processInfo.environment["DOWNBEAT_LONG"] == nil ? 10 : 60

  /// 100 quarter notes per minute, and 150 from the eleventh on.
  private static let song = Data(
    SongBytes.file([
      (0, [0xFF, 0x51, 3, 0x09, 0x27, 0xC0]), (10 * 480, [0xFF, 0x51, 3, 0x06, 0x1A, 0x80]),
      (30 * 480, [0xFF, 0x01, 1, 0x2E]),
    ]))

  private static let script = """
    cd "$VM_OUT"
    set -m
    hears() { aconnect -l | grep -A 3 "downbeat $1'" | grep -q "Connected From"; }
    $CAPTURE 100000 15 clocks > steady.txt & witness=$!
    await eval 'aconnect -l | grep -q capture'
    $DOWNBEAT clock send -p capture --bpm 120 --for \(seconds)s; echo steady $? >> status.txt
    wait $witness

    $DOWNBEAT clock watch -p 14:0 --json --svg plot.svg > watch.txt & watch=$!
    $DOWNBEAT clock follow -p 14:0 --json > follow.txt 2>> told.txt & follow=$!
    await hears watch; await hears sync
    $DOWNBEAT clock send --json -p 14:0 --song "$INPUTS/song.mid" --from 3.1.0 --for 5s > song.json
    echo song $? >> status.txt
    await grep -q gone told.txt; echo mark >> told.txt
    $DOWNBEAT clock send -p 14:0 --bpm 120 & send=$!
    await grep -q "beat 0.000" told.txt; sleep 3; kill -KILL $send
    await eval '[ $(grep -c gone told.txt) = 2 ]'
    kill -INT $follow; wait $follow; echo follow $? >> status.txt
    kill -TERM $watch; wait $watch; echo watch $? >> status.txt

    $DOWNBEAT mtc watch -p 14:0 --json > timecode.txt & watch=$!
    await hears watch
    $DOWNBEAT mtc send --json -p 14:0 --fps 25 --from 01:00:00:00 --for 3s > mtc.json; echo mtc $? >> status.txt
    sleep 1; kill -INT $watch; wait $watch
    $DOWNBEAT clock send --json -p 14:0 > int.json & send=$!
    await eval 'aconnect -l | grep -q "downbeat clock"'
    sleep 1; kill -INT $send; wait $send; echo INT $? >> status.txt

    # A bridge: a clock that follows one port controls another, with MIDI clock and time code.
    $CAPTURE 100000 10 clocks > bridged.txt & witness=$!
    await eval 'aconnect -l | grep -q capture'
    $DOWNBEAT clock serve studio --sync midi:14:0 --clock-out capture --mtc-out capture --json > serve.json & serve=$!
    await eval 'aconnect -l | grep -A 2 "downbeat clock" | grep -q "Connecting To"'
    await hears sync
    $DOWNBEAT clock send -p 14:0 --bpm 150 --for 5s; echo bridge $? >> status.txt
    kill -INT $serve; wait $serve; echo serve $? >> status.txt
    wait $witness
    true
    """

  /// The load of the host must not affect the result: the first of up to three boots in which
  /// the master was never delayed counts.
  private static let attempts = 3

  private static let machine = Result {
    var machine = try boot()
    for _ in 1..<attempts where isHeldUp(machine) { machine = try boot() }
    return machine
  }

  private static func boot() throws -> ALSAMachine {
    try ALSAMachine(
      running: "export CAPTURE=\(ALSAMachine.capture)\n" + script, timeout: 200 + seconds,
      inputs: ["song.mid": song])
  }

  /// True if a master was delayed and had to relocate, or the witness ended before it began.
  private static func isHeldUp(_ machine: ALSAMachine) -> Bool {
    let told = String(decoding: machine.files["told.txt"] ?? Data(), as: UTF8.self)
    let moves = told.split(separator: "\n").filter { $0.contains("position beat") }
    return moves.count != 2 || (machine.files["steady.txt"] ?? Data()).isEmpty
  }

  private func lines(_ name: String) throws -> [String] {
    let machine = try Self.machine.get()
    let content = try #require(machine.files[name], "\(name) is missing: \(machine.errors)")
    return String(decoding: content, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  private func documents(_ name: String, _ type: String) throws -> [[String: Any]] {
    try lines(name).compactMap {
      try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
    }.filter { $0["type"] as? String == type }
  }

  /// ALSA's numbers of event types.
  private enum Kind {
    static let start = 30
    static let stop = 32
    static let clock = 36
    static let quarterFrame = 22
  }

  @Test func `every clock arrives, on the grid, without drift`() throws {
    let events = try lines("steady.txt").map { $0.split(separator: " ").compactMap { Int($0) } }
    let start = try #require(events.firstIndex { $0[1] == Kind.start })
    let stop = try #require(events.firstIndex { $0[1] == Kind.stop })
    let clocks = events[start..<stop].filter { $0[1] == Kind.clock }
    // A busy machine stops slightly late.
    #expect((48 * Self.seconds..<48 * Self.seconds + 48).contains(clocks.count))
    let period = 500_000_000.0 / 24
    let capture = clocks.map { "\($0[0])" }.joined(separator: "\n")
    let jitter = Jitter(capture: capture, spacing: period)
    print("clock send, \(Self.seconds) s: \(jitter), drift \(jitter.drift) ppm")
    // Delays of the emulation are below this; a lost or repeated clock is far above.
    #expect(jitter.p99 < 5)
    #expect(abs(jitter.drift) < 2000 / Double(Self.seconds))
    // Start is sent at least a millisecond before the clock of its downbeat.
    #expect(try #require(clocks.first?[0]) - events[start][0] >= 900_000)
  }

  @Test func `a clock that follows one port controls others, with clock and time code`() throws {
    let events = try lines("bridged.txt").map { $0.split(separator: " ").compactMap { Int($0) } }
    let start = try #require(events.firstIndex { $0[1] == Kind.start })
    let stop = try #require(events.firstIndex { $0[1] == Kind.stop })
    let clocks = events[start..<stop].filter { $0[1] == Kind.clock }.map { $0[0] }
    // 60 per second for five seconds, less those until the follower knows the tempo.
    #expect((240..<330).contains(clocks.count), "\(clocks.count)")
    let spacings = zip(clocks.dropFirst(), clocks).map { $0 - $1 }.sorted()
    #expect(abs(spacings[spacings.count / 2] - 16_666_667) < 1_000_000)
    #expect(events[start..<stop].contains { $0[1] == Kind.quarterFrame })
    let begin = try #require(try documents("serve.json", "event").first)
    #expect((begin["ports"] as? [[String: Any]])?.count == 2)
  }

  @Test func `a follower keeps to a song's tempo map from a song position on`() throws {
    let told = try lines("told.txt")
    let first = Array(told.prefix { $0 != "mark" })
    for words in ["position beat 8.000", "started at beat 8.000", "the master stopped"] {
      #expect(first.contains { $0.contains(words) }, "\(first)")
    }
    let places = try documents("follow.txt", "position").prefix { ($0["beat"] as? Int ?? 0) >= 8 }
    var previous: (beat: Int, host: Int)?
    for place in places {
      let beat = try #require(place["beat"] as? Int)
      let host = try #require(place["host"] as? Int)
      #expect(place["bbt"] as? String == "\(beat / 4 + 1)|\(beat % 4 + 1)|0")
      if let previous, beat == previous.beat + 1, previous.beat != 8 {
        let due = beat <= 10 ? 600_000_000 : 400_000_000
        #expect(abs(host - previous.host - due) < 20_000_000, "beat \(beat)")
      }
      previous = (beat, host)
    }
    #expect(places.count >= 2)
  }

  @Test func `a clock continues for a second after its master is killed, and then stops`() throws {
    let told = try lines("told.txt").drop { $0 != "mark" }.dropFirst()
    let words = told.map { $0.replacing("downbeat: ", with: "") }
    let start = try #require(words.firstIndex(of: "started at beat 0.000"))
    let end = try #require(words.firstIndex { $0.hasPrefix("stopped: the master was lost") })
    #expect(start < end)
  }

  @Test func `watching reports tempo, lock and an even spacing`() throws {
    let tempi = try documents("watch.txt", "clock").compactMap { $0["tempo"] as? Double }
    for tempo in [150.0, 120] { #expect(tempi.contains { abs($0 - tempo) < 0.1 }, "\(tempi)") }
    let events = try documents("watch.txt", "event").compactMap { $0["event"] as? String }
    for event in ["located", "started", "locked", "stopped", "freewheeling", "lost"] {
      #expect(events.contains(event))
    }
    let summary = try #require(try documents("watch.txt", "summary").first)
    #expect(summary["count"] as? Int ?? 0 > 200)
    let bins = try #require(summary["histogram"] as? [[String: Any]])
    #expect(bins.count == 17)
    #expect(try lines("plot.svg").first?.hasPrefix("<svg") == true)
  }

  @Test func `time code is watched from its first cycle on`() throws {
    let labels = try documents("timecode.txt", "clock").compactMap { $0["label"] as? String }
    #expect(labels.contains { $0.hasPrefix("01:00:01:") || $0.hasPrefix("01:00:02:") }, "\(labels)")
    let events = try documents("timecode.txt", "event").compactMap { $0["words"] as? String }
    #expect(events.contains("position 01:00:00:00"))
    #expect(events.contains("locked"))
  }

  @Test(
    .enabled(if: SchemaJudge.isAvailable, SchemaJudge.reason),
    arguments: [
      ("watch.txt", "clock-watch"), ("follow.txt", "clock-follow"), ("timecode.txt", "clock-watch"),
      ("song.json", "report"), ("mtc.json", "report"), ("int.json", "report"),
      ("serve.json", "report"),
    ])
  func `the JSON output matches the schemas`(name: String, schema: String) throws {
    let told = try lines(name)
    #expect(!told.isEmpty, "\(name)")
    let documents = Data(told.joined(separator: "\n").utf8)
    #expect(try SchemaJudge.faults(of: documents, in: schema) == "", "\(name)")
  }

  @Test func `a clock that is sent reports its start and its end`() throws {
    let events = try documents("song.json", "event").compactMap { $0["event"] as? String }
    #expect(events.first == "begin" && events.last == "end" && events.contains("start"))
    #expect(try lines("int.json").last?.contains(#""signal":2"#) == true)
  }

  @Test func `each command ends by its signal, or with status 0`() throws {
    #expect(
      try Set(lines("status.txt")) == [
        "steady 0", "song 0", "follow 130", "watch 143", "mtc 0", "INT 130", "bridge 0",
        "serve 130",
      ])
  }
}
