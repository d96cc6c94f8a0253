// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// A song played in time with a master that is another process, under a real ALSA kernel.
@Suite(.serialized, .enabled(if: ALSAMachine.isAvailable, ALSAMachine.reason))
struct PlaySyncTests {
  private static let firstKey = 36

  /// A note on every quarter, its key the number; 100 quarter notes a minute, and 150 from the
  /// ninth on.
  private static let song: Data = {
    var events: [(delta: Int, bytes: [UInt8])] = [(0, [0xFF, 0x51, 3, 0x09, 0x27, 0xC0])]
    for quarter in 0..<64 {
      if quarter == 8 { events.append((0, [0xFF, 0x51, 3, 0x06, 0x1A, 0x80])) }
      let key = UInt8(firstKey + quarter)
      events.append((0, [0x90, key, 100]))
      events.append((480, [0x80, key, 64]))
    }
    return Data(SongBytes.file(events))
  }()

  private static let script = """
    cd "$VM_OUT"
    set -m
    await() { for try in $(seq 150); do "$@" && return; sleep 0.2; done; echo "no: $*" >&2; }
    $DOWNBEAT --version
    $CAPTURE 100000 15 clocks > heard.txt & witness=$!
    await eval 'aconnect -l | grep -q capture'
    aconnect 14:0 capture
    $DOWNBEAT play "$INPUTS/song.mid" -p capture --sync 14:0 2> told.txt & play=$!
    await eval 'aconnect -l | grep -A 3 "downbeat sync" | grep -q "Connected From"'
    $DOWNBEAT clock send -p 14:0 --song "$INPUTS/song.mid" --for 8s
    await grep -q "master stopped" told.txt
    $DOWNBEAT clock send -p 14:0 --song "$INPUTS/song.mid" --from 9.1.0 & send=$!
    await grep -q "started at beat 32.000" told.txt; sleep 3; kill -KILL $send
    await grep -q "lost for 1 s" told.txt
    kill -INT $play; wait $play; echo $? > status.txt
    wait $witness
    """

  /// An event at the witness: when, and ALSA's number of its type.
  private struct Event {
    let time: Int
    let kind: Int
    let key: Int
  }

  private enum Kind {
    static let noteOn = 6
    static let noteOff = 7
    static let start = 30
    static let go = 31
    static let stop = 32
    static let clock = 36
  }

  private func run() throws -> (events: [Event], told: String, status: String) {
    let machine = try ALSAMachine(
      running: "export CAPTURE=\(ALSAMachine.capture)\n" + Self.script, timeout: 200,
      inputs: ["song.mid": Self.song])
    func text(_ name: String) throws -> String {
      String(decoding: try #require(machine.files[name], "\(machine.errors)"), as: UTF8.self)
    }
    let events = try text("heard.txt").split(separator: "\n").compactMap { line -> Event? in
      let words = line.split(separator: " ").compactMap { Int($0) }
      return words.count == 5 ? Event(time: words[0], kind: words[1], key: words[3]) : nil
    }
    return (events, try text("told.txt"), try text("status.txt"))
  }

  /// How far the note of each quarter lies from its clock, in milliseconds, by quarter.
  private func distances(_ events: ArraySlice<Event>, from quarter: Int) -> [Int: Double] {
    let clocks = events.filter { $0.kind == Kind.clock }.map(\.time)
    var distances: [Int: Double] = [:]
    for note in events where note.kind == Kind.noteOn {
      let index = (note.key - Self.firstKey - quarter) * 24
      guard clocks.indices.contains(index) else { continue }
      distances[note.key - Self.firstKey] = Double(note.time - clocks[index]) / 1e6
    }
    return distances
  }

  /// The host's own load is no part of what is measured: the best of up to three boots counts.
  private static let attempts = 3

  @Test func `notes are on the master's grid, stop with it and go on where it does`() throws {
    for attempt in 1...Self.attempts {
      let (events, told, status) = try run()
      let start = try #require(events.firstIndex { $0.kind == Kind.start }, "\(told)")
      let stop = try #require(events[start...].firstIndex { $0.kind == Kind.stop })
      let go = try #require(events[stop...].firstIndex { $0.kind == Kind.go })
      let first = distances(events[start..<stop], from: 0)
      let second = distances(events[go...], from: 32)
      #expect(first.keys.min() == 0 && second.keys.min() == 32)
      #expect(told.contains("started at beat 32.000"))
      #expect(told.contains("stopped: the master was lost for 1 s"))
      #expect(status == "130\n")

      // The first note of a start cannot be before the clock that starts it has been heard.
      let grid =
        Array(first.filter { $0.key > 0 }.values) + Array(second.filter { $0.key > 32 }.values)
      let rms = (grid.reduce(0) { $0 + $1 * $1 } / Double(max(grid.count, 1))).squareRoot()
      let end = events[stop].time
      let last = events[stop..<go].last { [Kind.noteOn, Kind.noteOff].contains($0.kind) }?.time
      let silence = Double((last ?? end) - end) / 1e6
      let onsets = events[stop..<go].filter { $0.kind == Kind.noteOn }.count
      print("play --sync: \(grid.count) notes \(rms) ms RMS off, silent after \(silence) ms")
      // At 150 quarter notes a minute a clock lasts 16.7 ms.
      let isMet = grid.count > 8 && rms <= 0.8 && silence <= 16.7 + 20 && onsets == 0
      if isMet { return }
      #expect(attempt < Self.attempts, "\(rms) ms RMS of \(grid), silent after \(silence) ms")
    }
  }
}
