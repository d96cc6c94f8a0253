// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

private let isLong = ProcessInfo.processInfo.environment["DOWNBEAT_LONG"] != nil

/// Measures clocks under a real ALSA kernel: at several ports of a busy
/// machine, in the sound of a following song, and with a paused server.
@Suite(
  .serialized, .enabled(if: ALSAMachine.isAvailable, ALSAMachine.reason),
  .enabled(if: isLong, "DOWNBEAT_LONG is not set"))
struct SyncMeasureTests {
  private static let prologue = """
    export CAPTURE=\(ALSAMachine.capture) XDG_RUNTIME_DIR=/tmp/run
    mkdir -m 700 $XDG_RUNTIME_DIR
    FONT=$PWD/Soundfonts/Downbeat.sf2
    cd "$VM_OUT"; set -m
    witness() { # FILE: starts one
      stdbuf -oL $CAPTURE 100000 100 clocks > $1 2> $1.origin & witness=$!
      await grep -q origin $1.origin
    }

    """

  private func run(_ script: String, _ inputs: [String: Data] = [:]) throws -> ALSAMachine {
    try ALSAMachine(running: Self.prologue + script, timeout: 300, inputs: inputs)
  }

  private func text(_ name: String, of machine: ALSAMachine) throws -> String {
    String(decoding: try #require(machine.files[name], "\(machine.errors)"), as: UTF8.self)
  }

  /// A capture's events, at times of the monotonic clock.
  private func events(_ name: String, of machine: ALSAMachine) throws -> [WireEvent] {
    let origin = try text("\(name).origin", of: machine).firstMatch(of: /origin (\d+)/)?.1
    return WireEvent.all(
      in: try text(name, of: machine), origin: try #require(origin.flatMap { Int($0) }))
  }

  private func clocks(_ name: String, of machine: ALSAMachine) throws -> [Int] {
    try events(name, of: machine).filter { $0.kind == .clock }.map(\.time)
  }

  /// One CPU, two programs that use it fully, and four ports, one later and one earlier.
  private static let load = """
    for name in plain late early; do witness $name.txt; witnesses="$witnesses $witness"; done
    set -- $(aconnect -l | sed -n "s/^client \\([0-9]*\\): 'capture'.*/\\1/p")
    while :; do :; done & hogs=$!
    while :; do :; done & hogs="$hogs $!"
    TIMEFORMAT='%R %U %S'
    { time $DOWNBEAT clock send -p $1:0 -p $2:0 -p $3:0 -p 14:0 \
      --offset 0 --offset 7.5 --offset -3 --offset 0 --bpm 300 --for 10s; } 2> cost.txt
    kill -KILL $hogs; sleep 0.5; kill $witnesses
    true
    """

  @Test func `four ports of a busy machine get even clocks, each at its offset`() throws {
    let machine = try run(Self.load)
    let plain = try clocks("plain.txt", of: machine)
    #expect(plain.count > 1190)
    for (name, offset) in [("plain", 0.0), ("late", 7.5), ("early", -3)] {
      let times = try clocks("\(name).txt", of: machine)
      let jitter = Jitter(of: times, spacing: 1e9 * 60 / 300 / 24)
      let distances = zip(times, plain).map { Double($0 - $1) / 1e6 - offset }
      let mean = distances.reduce(0, +) / Double(distances.count)
      print("\(name): \(jitter), \(mean) ms from its offset")
      #expect(jitter.rms <= 0.08 && jitter.p99 <= 0.3)
      // A step of the queue's timer.
      #expect(abs(mean) < 0.16)
    }
    print("seconds by the clock, of its own and of the kernel:", try text("cost.txt", of: machine))
  }

  /// A click on each quarter note, at 100 a minute.
  private static let clicks: Data = {
    var events: [(delta: Int, bytes: [UInt8])] = []
    for quarter in 0..<40 {
      events.append((quarter == 0 ? 0 : 360, [0x99, 75, 120]))
      events.append((120, [0x89, 75, 64]))
    }
    return Data(
      SongBytes.file([(0, [0xFF, 0x51, 3, 0x09, 0x27, 0xC0])] + events))
  }()

  private static let sound = """
    witness clocks.txt
    aconnect 14:0 capture
    arecord -q -D hw:Loopback,1,0 -f S16_LE -r 48000 -c 2 -B 4000000 heard.wav & recorder=$!
    status=/proc/asound/Loopback/pcm1c/sub0/status
    await grep -q RUNNING $status
    $DOWNBEAT play "$INPUTS/clicks.mid" --soundfont $FONT --no-reverb --no-chorus \
      --audio hw:Loopback,0,0 --period 1024 --periods 4 --sync midi:14:0 2> told.txt & play=$!
    await grep -q RUNNING /proc/asound/Loopback/pcm0p/sub0/status
    $DOWNBEAT clock send -p 14:0 --bpm 100 --for 20s
    cat $status > began.txt
    sleep 1; kill -INT $play; wait $play
    kill -INT $recorder; wait $recorder; kill $witness
    true
    """

  @Test func `a following song sounds on the master's clocks`() throws {
    let machine = try run(Self.sound, ["clicks.mid": Self.clicks])
    let events = try events("clocks.txt", of: machine)
    let start = try #require(events.firstIndex { $0.kind == .start })
    let clocks = events[start...].filter { $0.kind == .clock }.map(\.time)
    let began = try text("began.txt", of: machine)
    let trigger = try #require(
      began.firstMatch(of: /trigger_time: ([0-9.]+)/).flatMap { Double($0.1) })
    let wave = try #require(machine.files["heard.wav"].flatMap(WaveAudio.init))
    let onsets = wave.onsets()
    let told = try text("told.txt", of: machine)
    try #require(onsets.count >= 30, "\(told)")
    var errors: [Double] = []
    for onset in onsets {
      let time = (trigger + Double(onset) / 48_000) * 1e9
      let quarter = stride(from: 0, to: clocks.count, by: 24)
        .min { abs(Double(clocks[$0]) - time) < abs(Double(clocks[$1]) - time) }
      errors.append((time - Double(clocks[try #require(quarter)])) / 1e6)
    }
    // The first cannot sound before its clock has arrived and the buffer of the device was played.
    let rest = errors.dropFirst()
    let mean = rest.reduce(0, +) / Double(rest.count)
    let spread = (rest.max() ?? 0) - (rest.min() ?? 0)
    print("heard \(errors[0]) ms after the first clock, then \(mean) ms, within \(spread) ms")
    // The card moves in steps of its timer, of 4 ms.
    #expect(abs(mean) < 5 && spread < 1)
  }

  private static let frozen = """
    witness heard.txt
    $DOWNBEAT clock serve studio --bpm 100 --stopped --control < <(sleep 4; echo start; sleep 99) &
    serve=$!
    await eval '[ -n "$(ls -A $XDG_RUNTIME_DIR)" ]'
    $DOWNBEAT play "$INPUTS/song.mid" -p capture --sync clock:studio 2> told.txt & play=$!
    await grep -q "started" told.txt
    sleep 4; kill -STOP $serve; sleep 4; kill -CONT $serve
    await eval '[ $(grep -c "started at" told.txt) = 2 ]'; sleep 2
    kill -INT $play; wait $play; echo $? > status.txt
    kill -INT $serve; wait $serve; kill $witness
    true
    """

  @Test func `with a paused server a song continues for a second, and resumes`()
    throws
  {
    var events: [(delta: Int, bytes: [UInt8])] = [(0, [0xFF, 0x51, 3, 0x09, 0x27, 0xC0])]
    for quarter in 0..<40 {
      let key = UInt8(WireEvent.firstKey + quarter)
      events += [(0, [0x90, key, 100]), (480, [0x80, key, 64])]
    }
    let machine = try run(Self.frozen, ["song.mid": Data(SongBytes.file(events))])
    let told = try text("told.txt", of: machine)
    #expect(told.contains("no clock received; continuing at the last tempo"), "\(told)")
    #expect(told.contains("stopped: the master was lost for 1 s"), "\(told)")
    #expect(try text("status.txt", of: machine) == "130\n")
    let notes = try self.events("heard.txt", of: machine).filter { $0.kind == .noteOn }
    let first = try #require(notes.first)
    // All on the grid of the first, including those after the gap of 3 s: five notes.
    for note in notes {
      let due = (note.key - first.key) * 600_000_000
      #expect(abs(note.time - first.time - due) < 1_000_000, "key \(note.key)")
    }
    let gaps = zip(notes, notes.dropFirst()).filter { $1.key != $0.key + 1 }
    #expect(gaps.count == 1 && (4...6).contains(gaps[0].1.key - gaps[0].0.key), "\(told)")
  }
}
