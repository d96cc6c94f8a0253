// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Songs and clocks that follow linear timecode recorded by a sound card, under a real kernel with
/// its loop-back card.
@Suite(.serialized, .enabled(if: ALSAMachine.isAvailable, ALSAMachine.reason))
struct LTCSyncTests {
  /// A note on every quarter, with its number as key; 100 quarter notes per minute, and 150 from
  /// the ninth on.
  private static let song: Data = {
    var events: [(delta: Int, bytes: [UInt8])] = [(0, [0xFF, 0x51, 3, 0x09, 0x27, 0xC0])]
    for quarter in 0..<64 {
      if quarter == 8 { events.append((0, [0xFF, 0x51, 3, 0x06, 0x1A, 0x80])) }
      let key = UInt8(WireEvent.firstKey + quarter)
      events += [(0, [0x90, key, 100]), (480, [0x80, key, 64])]
    }
    return Data(SongBytes.file(events))
  }()

  /// The time of a quarter note, in seconds after the song's start.
  private static func due(_ quarter: Int) -> Double {
    quarter <= 8 ? 0.6 * Double(quarter) : 4.8 + 0.4 * Double(quarter - 8)
  }

  /// The time from the start of the tape to the start of the song, in seconds.
  private static let lead = 1.0

  private static let script = """
    export XDG_RUNTIME_DIR=/tmp/run; mkdir -m 700 $XDG_RUNTIME_DIR
    cd "$VM_OUT"; set -m
    witness() { # FILE
      stdbuf -oL $CAPTURE 100000 60 clocks > $1 2> $1.origin & witnesses="$witnesses $!"
      await grep -q origin $1.origin
    }
    hears() { await grep -q RUNNING /proc/asound/Loopback/pcm1c/sub0/status; }
    numbers() { aconnect -l | sed -n "s/^client \\([0-9]*\\): 'capture'.*/\\1/p"; }
    end() { kill -INT $1; wait $1; echo $2 $? >> status.txt; }
    $DOWNBEAT ltc send -o code.wav --from 00:59:59:00 --for 9s --rate 48000

    witness notes.txt
    $DOWNBEAT play "$INPUTS/song.mid" -p capture --sync ltc:hw:Loopback,1,0 --fps 25 \\
      --smpte-offset 01:00:00:00 2> told.txt & play=$!
    hears
    aplay -q -D plughw:Loopback,0,0 code.wav & tape=$!
    await grep -q RUNNING /proc/asound/Loopback/pcm0p/sub0/status
    cat /proc/asound/Loopback/pcm0p/sub0/status > began.txt
    wait $tape
    await grep -q "lost for 1 s" told.txt
    end $play play
    kill $witnesses; witnesses=

    for name in first second code; do witness $name.txt; done
    set -- $(numbers)
    $DOWNBEAT clock serve studio --sync ltc:hw:Loopback,1,0 --bpm 150 --fps 25 \\
      --smpte-offset 01:00:00:00 --clock-out $1:0 --clock-out $2:0 --mtc-out $3:0 2> serve.txt &
    serve=$!
    hears
    $DOWNBEAT clock watch clock:studio --json > served.json & watch=$!
    aplay -q -D plughw:Loopback,0,0 code.wav
    sleep 2
    end $watch watch; end $serve serve
    kill $witnesses

    $DOWNBEAT clock watch ltc:hw:Loopback,1,0 --json > watched.json & watch=$!
    hears
    aplay -q -D plughw:Loopback,0,0 code.wav
    sleep 2; end $watch watch
    true
    """

  private static let machine = Result {
    try ALSAMachine(
      running: "export CAPTURE=\(ALSAMachine.capture)\n" + script, timeout: 300,
      inputs: ["song.mid": song])
  }

  private func text(_ name: String) throws -> String {
    let machine = try Self.machine.get()
    return String(
      decoding: try #require(machine.files[name], "\(name) is missing: \(machine.errors)"),
      as: UTF8.self)
  }

  private func events(_ name: String) throws -> [WireEvent] {
    let origin = try text("\(name).origin").firstMatch(of: /origin (\d+)/)?.1
    return WireEvent.all(in: try text(name), origin: try #require(origin.flatMap { Int($0) }))
  }

  private func documents(_ name: String, _ type: String) throws -> [[String: Any]] {
    try text(name).split(separator: "\n").compactMap {
      try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
    }.filter { $0["type"] as? String == type }
  }

  @Test func `a song follows the tape that a card records`() throws {
    let told = try text("told.txt")
    #expect(told.contains("started at 00:59:59:") && told.contains("lost for 1 s"), "\(told)")
    let began = try text("began.txt")
    let trigger = try #require(
      began.firstMatch(of: /trigger_time: ([0-9.]+)/).flatMap { Double($0.1) }, "\(began)")
    let notes = try events("notes.txt").filter { $0.kind == .noteOn }
    let keys = notes.map { $0.key - WireEvent.firstKey }
    #expect(keys.first == 0 && zip(keys, keys.dropFirst()).allSatisfy { $1 == $0 + 1 }, "\(keys)")
    #expect(keys.count >= 16, "\(told)")
    let errors = zip(notes, keys).map { note, key in
      (Double(note.time) / 1e9 - trigger - Self.lead - Self.due(key)) * 1e3
    }
    let middle = errors.sorted()[errors.count / 2]
    let spread = errors.map { abs($0 - middle) }.max() ?? .infinity
    print("ltc: notes \(middle) ms after the tape, within \(spread) ms")
    // The card moves in steps of its timer, 4 ms: its start is known to this accuracy.
    #expect(abs(middle) < 5 && spread < 1, "\(errors)")
    #expect(try text("status.txt").contains("play 130"))
  }

  @Test func `one tape controls two clocks, a time code and a name`() throws {
    let clocks = try ["first.txt", "second.txt"].map { name in
      try events(name).filter { $0.kind == .clock }.map(\.time)
    }
    // 60 per second: 150 quarter notes per minute.
    let told = try text("serve.txt")
    #expect(clocks.allSatisfy { $0.count > 350 }, "\(clocks.map(\.count)) \(told)")
    for clocks in clocks {
      let spacings = zip(clocks.dropFirst(), clocks).map { $0 - $1 }.sorted()
      #expect(abs(spacings[spacings.count / 2] - 16_666_667) < 500_000)
    }
    let code = try events("code.txt").filter { $0.kind == .quarterFrame }
    #expect(code.count > 600, "\(code.count)")
    let served = try documents("served.json", "clock")
    #expect(served.allSatisfy { $0["kind"] as? String == "clock" })
    #expect(served.contains { $0["lock"] as? String == "locked" })
    #expect(served.contains { abs(($0["tempo"] as? Double ?? 0) - 150) < 0.5 }, "\(served)")
  }

  @Test func `watching a tape reports label, rate and lock like any clock`() throws {
    let lines = try documents("watched.json", "clock")
    let locked = lines.filter { $0["lock"] as? String == "locked" }
    #expect(locked.count >= 5, "\(lines)")
    #expect(locked.allSatisfy { $0["kind"] as? String == "ltc" && $0["rate"] as? String == "25" })
    #expect(locked.contains { ($0["label"] as? String)?.hasPrefix("01:00:0") == true })
    #expect(locked.dropFirst().allSatisfy { abs(($0["speed"] as? Double ?? 0) - 1) < 0.001 })
    let events = try documents("watched.json", "event").compactMap { $0["event"] as? String }
    for event in ["located", "started", "locked", "stopped", "lost"] {
      #expect(events.contains(event), "\(events)")
    }
  }

  @Test(
    .enabled(if: SchemaJudge.isAvailable, SchemaJudge.reason),
    arguments: ["served.json", "watched.json"])
  func `the JSON output matches the schema`(name: String) throws {
    let documents = Data(try text(name).utf8)
    #expect(!documents.isEmpty)
    #expect(try SchemaJudge.faults(of: documents, in: "clock-watch") == "")
  }
}
