// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// The times at which clocks are sent, under a real ALSA kernel, by the stamps of a witness.
@Suite(.serialized, .enabled(if: ALSAMachine.isAvailable, ALSAMachine.reason))
struct ClockWireTests {
  /// A note on every half beat, at 120 quarter notes per minute.
  private static let song = Data(SongBytes.notes(8, every: 240, channel: 0, key: 36))

  private static let script = """
    cd "$VM_OUT"
    set -m
    aconnect -l >/dev/null
    witness() { # FILE: starts one
      stdbuf -oL $CAPTURE 100000 60 clocks > $1 & witness=$!
      await eval 'aconnect -l | grep -q capture'
    }
    finish() { sleep 0.3; kill $witness; wait $witness; }
    status() { echo "$1 $2" >> status.txt; }
    # The nanoseconds to subtract from the wall clock to get the clock of the stamps, the uptime,
    # which is given in hundredths of a second.
    before() {
      read -r was _ < /proc/uptime; now=$was
      while [ $now = $was ]; do read -r now _ < /proc/uptime; done
      echo $(( ${EPOCHREALTIME/./} * 1000 - 10#${now/./} * 10000000 ))
    }
    # COMMAND PAUSE:WORDS...: sends commands to a clock, each after a pause, and prints the times.
    speak() {
      mkfifo said; $1 < said & clock=$!
      exec 6> said; offset=$(before); shift
      for words; do
        sleep ${words%%:*}
        echo "$(( ${EPOCHREALTIME/./} * 1000 - offset )) ${words#*:}"; echo "${words#*:}" >&6
      done
      exec 6>&-; wait $clock; rm said
    }

    witness first.txt
    $DOWNBEAT clock send -p capture --bpm 125 --for 1s; finish
    witness odd.txt
    $DOWNBEAT clock send -p capture --bpm 117 --for 1s; finish
    # Cold, and not.
    for name in cold warm; do
      [ $name = warm ] || { sync; echo 1 > /proc/sys/vm/drop_caches; }
      witness $name.txt
      $DOWNBEAT play "$INPUTS/song.mid" -p capture --clock-out capture; status $name $?; finish
    done

    witness code.txt
    $DOWNBEAT play "$INPUTS/song.mid" -p capture --mtc-out capture; status code $?; finish
    witness clicks.txt
    $DOWNBEAT play "$INPUTS/song.mid" -p capture --metronome; status clicks $?; finish

    witness moved.txt
    speak "$DOWNBEAT clock send -p capture --bpm 125 --control" \
      "1:locate 5.1.0" "0.5:locate 2.2.0" "0.487:locate 1.1.0" "0.5:quit" > moves.txt; finish

    $DOWNBEAT monitor --json --kind clock > tempo.txt & monitor=$!
    await eval 'aconnect -l | grep -q "downbeat monitor"'
    speak "$DOWNBEAT clock send -p monitor --bpm 125 --control" \
      1:"tempo 150" 0.5:"tempo 90" 0.513:"tempo 140" 0.507:"tempo 100" 0.503:"tempo 160" 0.5:quit \
      > commands.txt
    kill -INT $monitor; wait $monitor

    # The second receives the same clocks 7 ms later.
    $DOWNBEAT clock watch -p 14:0 --json > two.txt & watch=$!
    await eval 'aconnect -l | grep -q "downbeat watch"'
    $DOWNBEAT clock send -p 14:0 -p 'downbeat watch' --offset 0 --offset 7 --bpm 120 --for 3s
    kill -INT $watch; wait $watch
    true
    """

  private static let run = WitnessedRun(
    of: script, ["song.mid": song])

  private func heard(_ name: String) throws -> [WireEvent] {
    WireEvent.all(in: String(decoding: try Self.run.content(name), as: UTF8.self))
  }

  private func spacing(_ events: [WireEvent]) -> [Double] {
    let times = events.filter { $0.kind == .clock }.map(\.time)
    return zip(times, times.dropFirst()).map { Double($1 - $0) / 1e6 }
  }

  @Test(arguments: [("first.txt", 125.0), ("odd.txt", 117), ("warm.txt", 120), ("cold.txt", 120)])
  func `clocks are even from the first on`(name: String, tempo: Double) throws {
    let spacing = spacing(try heard(name))
    #expect(spacing.count >= 40)
    let errors = spacing.map { abs($0 - 2500 / tempo) }
    print("\(name): clocks up to \(errors.max() ?? .nan) ms uneven")
    #expect(errors.allSatisfy { $0 <= 1 }, "\(spacing.prefix(10))")
  }

  @Test(arguments: ["cold", "warm"])
  func `the first note is on its clock, and every note after it`(name: String) throws {
    #expect(try Self.run.status(name) == 0)
    let events = try heard("\(name).txt")
    let start = try #require(events.firstIndex { $0.kind == .start })
    let clocks = events.indices.filter { $0 > start && events[$0].kind == .clock }
    let notes = events.indices.filter { events[$0].kind == .noteOn }
    #expect(notes.count == 8)
    for (number, note) in notes.enumerated() {
      // The clock is first, and the note follows at once.
      let clock = clocks[number * 12]
      #expect(clock < note, "note \(number)")
      #expect(events[note].time - events[clock].time < 1_000_000, "note \(number)")
    }
    #expect(events[clocks[0]].time - events[start].time >= 900_000)
    // It ends after the last note, and reports it.
    #expect(events.last { $0.kind == .stop } != nil)
  }

  @Test func `with time code a song ends too, together with the code`() throws {
    #expect(try Self.run.status("code") == 0)
    let events = try heard("code.txt")
    #expect(events.count { $0.kind == .noteOn } == 8)
    let end = try #require(events.last { $0.kind == .noteOff }).time
    let frame = try #require(events.last { $0.kind == .quarterFrame }).time
    #expect(frame - end < 300_000_000)
  }

  @Test func `a metronome clicks on every beat of the song`() throws {
    #expect(try Self.run.status("clicks") == 0)
    let lines = try Self.run.lines("clicks.txt").map { $0.split(separator: " ").map(String.init) }
    let notes = lines.filter { $0.count == 5 && $0[1] == "6" && $0[4] != "0" }
    let clicks = notes.filter { $0[2] == "9" }
    #expect(notes.count - clicks.count == 8)
    #expect(clicks.map { $0[3] }.prefix(4) == ["34", "33", "33", "33"])
    let times = clicks.compactMap { Int($0[0]) }
    let errors = zip(times, times.dropFirst()).map { abs($1 - $0 - 500_000_000) }
    #expect(errors.allSatisfy { $0 < 1_000_000 })
  }

  @Test func `relocating while running keeps the beat, and each change is reported`() throws {
    let events = try heard("moved.txt")
    let errors = spacing(events).map { abs($0 - 20) }
    #expect(errors.allSatisfy { $0 <= 1 }, "\(spacing(events))")
    let told = events.filter { ![.clock, .noteOn, .noteOff].contains($0.kind) }
    let kinds: [WireEvent.Kind] = [
      .start, .stop, .songPosition, .go, .stop, .songPosition, .go, .stop, .songPosition, .start,
      .stop,
    ]
    #expect(told.map(\.kind) == kinds)
    let gaps = zip(told, told.dropFirst()).map { $1.time - $0.time }
    #expect(gaps.allSatisfy { $0 >= 800_000 }, "\(gaps)")
    for go in told.filter({ [.start, .go].contains($0.kind) }) {
      let clock = try #require(events.first { $0.kind == .clock && $0.time >= go.time })
      #expect(clock.time - go.time >= 900_000)
    }
  }

  @Test func `a change of tempo takes effect within 25 ms`() throws {
    let times = try Self.run.events("tempo.txt").compactMap { $0["host"] as? Int }
    let commands = try Self.run.lines("commands.txt").compactMap { line -> (Int, Double)? in
      let words = line.split(separator: " ")
      guard words.count == 3, let time = Int(words[0]), let tempo = Double(words[2]) else {
        return nil
      }
      return (time, tempo)
    }
    #expect(commands.count == 5)
    var old = 20.0
    for (said, tempo) in commands {
      let new = 2500 / tempo
      // The first different interval is partly old and partly new.
      let index = try #require(
        times.indices.dropLast().first {
          times[$0 + 1] > said && abs(Double(times[$0 + 1] - times[$0]) / 1e6 - old) > 0.4
        })
      let mixed = Double(times[index + 1] - times[index]) / 1e6
      let part = (mixed - new) / (1 - new / old)
      let delay = Double(times[index] - said) / 1e6 + part
      print("tempo \(tempo): in effect after \(delay) ms")
      #expect(delay <= 25, "tempo \(tempo)")
      old = new
    }
  }

  @Test func `two masters on two ports are followed separately`() throws {
    let lines = try Self.run.events("two.txt").filter { $0["type"] as? String == "clock" }
    let ports = Dictionary(grouping: lines) { $0["port"] as? String ?? "" }.filter { $0.key != "" }
    #expect(ports.count == 2)
    for (port, lines) in ports {
      let tempi = lines.compactMap { $0["tempo"] as? Double }
      #expect(!tempi.isEmpty && tempi.allSatisfy { abs($0 - 120) < 0.2 }, "\(port): \(tempi)")
      #expect(lines.allSatisfy { $0["lost"] as? Int == 0 && $0["doubled"] as? Int == 0 })
    }
  }
}
