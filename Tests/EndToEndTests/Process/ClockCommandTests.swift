// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Clocks that need no port: served under a name, followed, shown and asked.
@Suite struct ClockCommandTests {
  private let name = "test-\(UInt64.random(in: 0 ... .max))"

  /// Runs the command while a clock is served.
  private func run(_ arguments: [String], serving: [String]) throws -> ToolRun {
    let script = """
      "$DOWNBEAT" clock serve \(name) --for 300s \(serving.joined(separator: " ")) & server=$!
      for try in $(seq 600); do
        "$DOWNBEAT" convert --clock \(name) > /dev/null 2>&1 && break
        sleep 0.05
      done
      "$DOWNBEAT" "$@"; status=$?
      kill $server; wait $server
      exit $status
      """
    return try ToolRun(
      ["-c", script, "bash"] + arguments, environment: ["DOWNBEAT": ToolRun.command],
      command: "/bin/bash", limit: 300)
  }

  private func documents(_ run: ToolRun) throws -> [[String: Any]] {
    try run.text.split(separator: "\n").compactMap {
      try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
    }
  }

  @Test func `a served clock is followed to the nanosecond, at every beat`() throws {
    let run = try run(
      ["clock", "follow", "--sync", "clock:\(name)", "--json", "--for", "1500ms"],
      serving: ["--bpm", "240"])
    #expect(run.status == 0, "\(run.errors)")
    let places = try documents(run)
    #expect(places.count >= 2)
    for (place, next) in zip(places, places.dropFirst()) {
      let beats = try #require(next["beat"] as? Int) - #require(place["beat"] as? Int)
      let host = try #require(next["host"] as? Int) - #require(place["host"] as? Int)
      #expect(abs(host - beats * 250_000_000) <= 1)
      #expect(next["tempo"] as? Double == 240)
    }
  }

  @Test func `a served clock gives the current bar, and the time of another one`() throws {
    let run = try run(
      ["convert", "--clock", name, "now", "--to", "bbt"], serving: ["--stopped"])
    #expect(run.text.contains("1|1|0"), "\(run.text) \(run.errors)")
  }

  @Test func `a served tempo is shown as it was typed`() throws {
    let asked = try run(["convert", "--clock", name, "now"], serving: ["--bpm", "90"])
    #expect(asked.text.contains(" in 4/4 at 90 bpm\n"), "\(asked.text) \(asked.errors)")
    let followed = try run(
      ["clock", "follow", "clock:\(name)", "--for", "2s"],
      serving: ["--bpm", "90"])
    let lines = followed.text.split(separator: "\n").map { $0.split(separator: " ") }
    #expect(!lines.isEmpty, "\(followed.errors)")
    for words in lines where words.count > 3 {
      // Three quarter notes last two seconds.
      let decimals = words[3].split(separator: ".").dropFirst().first
      #expect(decimals?.count ?? 0 <= 6, "\(followed.text)")
      #expect((decimals == nil) == (Int(words[1]).map { $0 % 3 == 0 } ?? false), "\(words)")
    }
  }

  @Test func `now without a clock names the option`() throws {
    let run = try CommandRun(["convert", "now"])
    #expect(run.status == 64)
    #expect(run.errors == "downbeat: now: needs a running clock (add --clock NAME)\n")
  }

  @Test func `a running clock can be read between its ticks`() throws {
    let run = try run(
      ["convert", "--clock", name, "now", "now + 1b", "--to", "beats", "--exact"], serving: [])
    let beats = run.text.split(separator: "\n").map { $0.split(separator: "/").map { Int($0) } }
    #expect(run.status == 0 && beats.count == 2, "\(run.text) \(run.errors)")
    // In nanoseconds at 120: of 500 million.
    for beat in beats where beat.count == 2 {
      #expect(500_000_000 % (beat[1] ?? 0) == 0 && 480 % (beat[1] ?? 1) != 0)
    }
  }

  @Test func `a served clock that is not started is at its start position`() throws {
    let run = try run(
      ["convert", "--clock", name, "now", "--to", "bbt"],
      serving: ["--stopped", "--from", "17.1.0"])
    #expect(run.text.contains("17|1|0"), "\(run.text) \(run.errors)")
  }

  @Test func `a last command without a newline is performed, and a huge time is not an end`()
    throws
  {
    let script = #"printf quit | timeout 60 "$DOWNBEAT" clock serve "$1" --control --for "$2""#
    let run = try ToolRun(
      ["-c", script, "bash", name, "9223372036s"],
      environment: ["DOWNBEAT": ToolRun.command], command: "/bin/bash", limit: 90)
    #expect(run.status == 0, "\(run.errors)")
    #expect(
      run.errors == "downbeat: clock '\(name)' is running: follow it with"
        + " --sync clock:\(name), end it with Ctrl-C\n")
  }

  @Test func `a clock is shown in large digits`() throws {
    let run = try run(
      ["clock", "show", "--sync", "clock:\(name)", "--for", "100ms"], serving: ["--stopped"])
    #expect(run.status == 0, "\(run.errors)")
    let rows = run.text.split(separator: "\n", omittingEmptySubsequences: false)
    // 1|1|0, stopped.
    #expect(rows.first == "  █ █   █ █ ███")
    #expect(rows.contains("stopped  - bpm"))
  }

  @Test(arguments: [
    (
      ["clock", "follow", "--sync", "clock:no-such-clock"], 69,
      "no clock named 'no-such-clock' is running"
    ),
    (["clock", "send", "--bpm", "0"], 64, "--tempo 0: out of range"),
    (["clock", "send", "--tempo", "x"], 64, "--tempo x: not a tempo (try 120, 120bpm"),
    (["clock", "send", "--bpm", "120", "--ramp", "120-140/16"], 64, "use one of them"),
    (["clock", "send", "--ramp", "120-140"], 64, "120-140/16"),
    (["clock", "send", "--song", "none.mid"], 66, "no such file"),
    (["clock", "send", "--from", "yesterday"], 64, "yesterday"),
    (["clock", "send", "--while-stopped", "--only-running"], 64, "cannot be used together"),
    (["clock", "watch", "--for", "soon"], 64, "soon"),
    (["clock", "send", "--offset", "0", "--offset", "-500"], 64, "-100…1000"),
    (["play", "song.mid", "--clock-offset", "5"], 64, "--clock-offset"),
    (["play", "song.mid", "--mtc-out", "14:0", "--mtc-offset", "2000"], 64, "--mtc-offset"),
    (["clock", "serve", "a/b"], 64, "a/b"),
    (["clock", "serve", "a", "--sync", "clock:b", "--from", "1s"], 64, "--from"),
    (["clock", "serve", "a", "--sync", "clock:b", "--stopped"], 64, "--stopped"),
    (["clock", "follow", "--sync", "clock:b", "--bpm", "90"], 64, "--tempo"),
    (["clock", "show", "--sync", "clock:b", "--meter", "7/8"], 64, "--meter"),
    (["mtc", "send", "--fps", "77"], 64, "77"),
    (["mtc", "send", "--speed", "0"], 64, "--speed 0"),
    (["mtc", "send", "--from", "abc"], 64, "--from abc"),
    (["events", "--to", "-1s", "song.mid"], 66, "song.mid"),
    (["play", "--to", "-1s", "none.mid"], 66, "none.mid"),
    (["render", "-r", "44.1k", "-o", "x.wav", "none.mid"], 66, "none.mid"),
    (["sound", "record", "-o", "x.wav", "-r", "4k"], 64, "8000…192000"),
  ])
  func `impossible options give one sentence and a status`(
    arguments: [String], status: Int32, words: String
  ) throws {
    let run = try ToolRun(arguments)
    #expect(run.status == status, "\(run.errors)")
    #expect(run.errors.contains(words), "\(run.errors)")
    #expect(run.output.isEmpty)
  }
}
