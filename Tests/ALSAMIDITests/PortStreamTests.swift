// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Much at once through ports, and how soon a command that has ports ends, under a real ALSA
/// kernel.
@Suite(.serialized, .enabled(if: ALSAMachine.isAvailable, ALSAMachine.reason))
struct PortStreamTests {
  /// How many bytes lie between F0 and F7.
  private static let sysExLength = 20_000
  /// How many notes come, three thousand a second.
  private static let floodCount = 9_000

  private static let sysEx = Data(
    [0xF0] + (0..<sysExLength).map { UInt8($0 % 128) } + [0xF7])

  /// A strike or a release every four of 12,000 ticks a second.
  private static let flood: Data = {
    var events: [(delta: Int, bytes: [UInt8])] = [(0, [0xFF, 0x51, 3, 0x00, 0x9C, 0x40])]
    for index in 0..<floodCount {
      let kind: UInt8 = index % 2 == 0 ? 0x90 : 0x80
      events.append((index == 0 ? 480 : 4, [kind, UInt8(index / 2 % 128), 64]))
    }
    return Data(SongBytes.file(events))
  }()

  /// Starts a command, sends it a signal once it is ready, and says how long it took to end, in
  /// milliseconds: the least of three tries.
  private static let timer = """
    import os, signal, subprocess, sys, time
    ready, words = sys.argv[1], sys.argv[2:]
    def is_ready():
        with open('/proc/asound/seq/clients') as clients: return ready in clients.read()
    for name in ('INT', 'TERM', 'HUP'):
        number, least = getattr(signal, 'SIG' + name), 1e9
        for attempt in range(3):
            held, kept = os.pipe()
            process = subprocess.Popen(
                words, stdin=held, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            while not is_ready() and process.poll() is None: time.sleep(0.02)
            time.sleep(0.5)
            sent = time.monotonic()
            process.send_signal(number)
            status = process.wait()
            least = min(least, (time.monotonic() - sent) * 1e3)
            os.close(held); os.close(kept)
            while is_ready(): time.sleep(0.02)
            if status != -number: least = 1e6
            if least < 100: break
        print(name, round(least, 1), *words[1:3], flush=True)
    """

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

    ends() { python3 "$INPUTS/timer.py" "$@" >> ends.txt; }
    ends "downbeat watch" $DOWNBEAT clock watch -p 14:0
    ends "downbeat mtc" $DOWNBEAT mtc send -p 14:0
    ends "downbeat monitor" $DOWNBEAT monitor -p 14:0
    ends "downbeat record" $DOWNBEAT record -p 14:0 -o record.mid --overwrite
    true
    """

  private static let run = WitnessedRun(
    of: script, ["long.syx": sysEx, "flood.mid": flood, "timer.py": Data(timer.utf8)])

  @Test func `a SysEx of any length passes a filter whole, before what comes after it`() throws {
    let events = try Self.run.events("sysex.txt")
    #expect(events.map { $0["type"] as? String } == ["sysex", "note on"])
    let bytes = try #require(events.first?["bytes"] as? [Int])
    #expect(bytes == Self.sysEx.map(Int.init))
    let times = events.compactMap { $0["host"] as? Int }
    // The whole took a second to send; what comes after it follows at once.
    #expect(times.count == 2 && times[1] - times[0] < 300_000_000)
  }

  @Test func `a monitor loses none of three thousand events a second`() throws {
    let events = try Self.run.lines("flood.txt").count { $0.contains(#""type":"note o"#) }
    print("monitor: \(events) of \(Self.floodCount) events")
    #expect(events == Self.floodCount)
    #expect(try !Self.run.lines("flood.err").joined().contains("lost"))
  }

  @Test func `a command with ports ends within 200 ms of a signal`() throws {
    let lines = try Self.run.lines("ends.txt").map { $0.split(separator: " ").map(String.init) }
    #expect(lines.count == 12)
    for line in lines {
      let time = try #require(Double(line[1]))
      print("\(line.dropFirst(2).joined(separator: " ")), \(line[0]): \(time) ms")
      #expect(time <= 200, "\(line)")
    }
  }
}
