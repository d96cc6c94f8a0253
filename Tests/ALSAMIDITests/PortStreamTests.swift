// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Many events at once through ports, and the time until a command with ports ends, under a real
/// ALSA kernel.
@Suite(.serialized, .enabled(if: ALSAMachine.isAvailable, ALSAMachine.reason))
struct PortStreamTests {
  /// The number of bytes between F0 and F7.
  private static let sysExLength = 20_000
  /// The number of notes, at three thousand per second.
  private static let floodCount = 9_000

  private static let sysEx = Data(
    [0xF0] + (0..<sysExLength).map { UInt8($0 % 128) } + [0xF7])

  /// A note-on or note-off every four of 12,000 ticks per second.
  private static let flood: Data = {
    var events: [(delta: Int, bytes: [UInt8])] = [(0, [0xFF, 0x51, 3, 0x00, 0x9C, 0x40])]
    for index in 0..<floodCount {
      let kind: UInt8 = index % 2 == 0 ? 0x90 : 0x80
      events.append((index == 0 ? 480 : 4, [kind, UInt8(index / 2 % 128), 64]))
    }
    return Data(SongBytes.file(events))
  }()

  /// The commands with ports, without any other reason to end.
  private static let commands = [
    "clock watch -p 14:0", "clock send -p 14:0", "clock send -p 14:0 --control",
    "clock follow -p 14:0", "clock show --sync midi:14:0", "clock serve studio --bpm 90",
    "mtc send -p 14:0", "mtc watch -p 14:0", "monitor -p 14:0", "send -p 14:0 -",
    "send -p 14:0 wait 30s", "thru --from 16:0 --to 14:0", "play $INPUTS/flood.mid -p 14:0",
    "play $INPUTS/flood.mid -p 14:0 --sync midi:16:0",
    "record -p 14:0 -o record.mid --overwrite",
  ]

  private static let script = """
    cd "$VM_OUT"
    set -m
    has() { aconnect -l | grep -q "$1"; }

    # A SysEx longer than any pool, through a filter.
    $DOWNBEAT monitor --json --count 2 > sysex.txt & monitor=$!
    await has "downbeat monitor"
    $DOWNBEAT thru -f 14:0 -t 'downbeat monitor' --not sensing & thru=$!
    await has "downbeat thru"; sleep 0.5
    $DOWNBEAT send -p 14:0 --sysex-rate 20000 syf "$INPUTS/long.syx" on 60 100
    await eval '! kill -0 $monitor'; kill -INT $thru; wait $thru

    # Three thousand events a second.
    $DOWNBEAT monitor --json > flood.txt 2> flood.err & monitor=$!
    await has "downbeat monitor"
    $DOWNBEAT play "$INPUTS/flood.mid" -p 'downbeat monitor'
    sleep 2; kill -INT $monitor; wait $monitor

    # Signal, status, milliseconds from one to the other, command.
    ends() {
      for name in INT TERM HUP; do
        $DOWNBEAT "$@" <&5 >/dev/null 2>&1 & command=$!
        sleep 1.5
        sent=${EPOCHREALTIME/./}; kill -$name $command; wait $command; status=$?
        echo "$name $status $(( (${EPOCHREALTIME/./} - sent) / 1000 )) $*" >> ends.txt
      done
    }
    mkfifo /tmp/idle; exec 5<> /tmp/idle
    \(commands.map { "ends \($0)" }.joined(separator: "\n"))
    true
    """

  private static let run = WitnessedRun(
    of: script, ["long.syx": sysEx, "flood.mid": flood])

  @Test func `a SysEx of any length passes a filter whole, before later events`() throws {
    let events = try Self.run.events("sysex.txt")
    #expect(events.map { $0["type"] as? String } == ["sysex", "note on"])
    let bytes = try #require(events.first?["bytes"] as? [Int])
    #expect(bytes == Self.sysEx.map(Int.init))
    let times = events.compactMap { $0["host"] as? Int }
    // It took a second to send; later events follow at once.
    #expect(times.count == 2 && times[1] - times[0] < 300_000_000)
  }

  @Test func `a monitor receives three thousand events per second without loss`() throws {
    let events = try Self.run.lines("flood.txt").count { $0.contains(#""type":"note o"#) }
    print("monitor: \(events) of \(Self.floodCount) events")
    #expect(events == Self.floodCount)
    #expect(try !Self.run.lines("flood.err").joined().contains("lost"))
  }

  @Test func `a command with ports ends within 200 ms of a signal`() throws {
    let lines = try Self.run.lines("ends.txt").map { $0.split(separator: " ").map(String.init) }
    #expect(lines.count == 3 * Self.commands.count)
    let statuses = ["INT": "130", "TERM": "143", "HUP": "129"]
    for line in lines {
      let time = try #require(Int(line[2]))
      print("\(line.dropFirst(3).joined(separator: " ")), \(line[0]): \(time) ms")
      #expect(time <= 200 && line[1] == statuses[line[0]], "\(line)")
    }
  }
}
