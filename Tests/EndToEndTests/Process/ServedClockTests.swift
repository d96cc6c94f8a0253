// SPDX-License-Identifier: Apache-2.0
import ClockService
import MusicalTime
import Realtime
import TestSupport
import Testing

/// The reports on a clock that another process serves.
@Suite struct ServedClockTests {
  @Test(arguments: [
    "clock show --sync clock:NAME --for 1s", "convert --clock NAME now",
    "clock show clock:NAME --for 1s", "clock show NAME --for 1s", "clock show --sync NAME --for 1s",
    "clock follow NAME --for 1s --every 100ms", "convert --clock clock:NAME now",
    "clock follow --sync clock:NAME --for 1s --every 100ms",
    "clock follow --sync clock:NAME --for 1s --every 100ms --json",
  ])
  func `an uncertain position is reported, and a certain one is not`(command: String) throws {
    for isUncertain in [true, false] {
      let name = "test\(UInt32.random(in: 0 ... .max))"
      let ppqn = try #require(PPQN(480))
      let map = TempoMap(ppqn: ppqn, tempo: .standard)
      var state = SharedClockState(tempoMap: map, meterMap: try MeterMap())
      let now = HostTime(nanoseconds: DeadlineWait.now)
      let line = try map.timeline(at: 0, originTick: 0, origin: now, playRate: 1)
      // As if it went on publishing.
      let later = now.advanced(byNanoseconds: 60_000_000_000)
      state.run(along: line, from: now, isExternal: true, moves: 1, at: later)
      state.isUncertain = isUncertain
      let publisher = try SharedClockPublisher(name: name, state)
      let run = try withExtendedLifetime(publisher) {
        try ToolRun(command.replacing("NAME", with: name).split(separator: " ").map(String.init))
      }
      #expect(run.status == 0, "\(run.errors)")
      let words = run.text + run.errors
      #expect(words.contains("uncertain") == isUncertain, "\(words)")
    }
  }

  @Test(arguments: [
    ["clock", "watch"], ["clock", "show"], ["clock", "follow"], ["clock", "watch", "--sync"],
    ["play", "Songs/canon.mid", "--audio", "null", "-s", "Soundfonts/Downbeat.sf2", "--sync"],
  ])
  func `a bare word that is not a clock is read as a port, as the error states`(
    command: [String]
  ) throws {
    let name = "test\(UInt32.random(in: 0 ... .max))"
    let run = try ToolRun(command + [name])
    #expect(run.status != 0)
    let sentence =
      "downbeat: \(name): is not a running clock, so it is read as a MIDI port"
      + " (for a clock: clock:\(name)): "
    #expect(run.errors.contains(sentence), "\(run.errors)")
    let missing = try ToolRun(command + ["clock:\(name)"])
    #expect(missing.status == 69, "\(missing.errors)")
    #expect(
      missing.errors.hasSuffix(
        "no clock named '\(name)' is running"
          + " (start it: downbeat clock serve \(name))\n"))
  }

  @Test func `a song is reported before the master that it waits for`() throws {
    let name = "test\(UInt32.random(in: 0 ... .max))"
    let map = TempoMap(ppqn: try #require(PPQN(480)), tempo: .standard)
    let state = SharedClockState(tempoMap: map, meterMap: try MeterMap())
    let publisher = try SharedClockPublisher(name: name, state)
    let script = """
      timeout -s INT 4 "$0" play Songs/canon.mid --audio null -s Soundfonts/Downbeat.sf2 \
        --sync \(name)
      """
    let run = try withExtendedLifetime(publisher) {
      try ToolRun(["-c", script, ToolRun.command], command: "/bin/bash")
    }
    let lines = run.errors.split(separator: "\n")
    let song = try #require(lines.firstIndex { $0.hasPrefix("downbeat: playing ") })
    let master = try #require(
      lines.firstIndex { $0 == "downbeat: waiting for the master to start" })
    #expect(song < master, "\(run.errors)")
  }

  @Test func `convert suggests the clock of a similar name`() throws {
    let name = "test\(UInt32.random(in: 0 ... .max))"
    let map = TempoMap(ppqn: try #require(PPQN(480)), tempo: .standard)
    let state = SharedClockState(tempoMap: map, meterMap: try MeterMap())
    let publisher = try SharedClockPublisher(name: name, state)
    let run = try withExtendedLifetime(publisher) {
      try ToolRun(["convert", "1:30", "--clock", "\(name)x"])
    }
    #expect(run.status == 69)
    #expect(run.errors.contains("(did you mean \(name)?)"), "\(run.errors)")
  }
}
