// SPDX-License-Identifier: Apache-2.0
import ClockService
import MusicalTime
import Realtime
import TestSupport
import Testing

/// What is said of a clock that another process serves.
@Suite struct ServedClockTests {
  @Test(arguments: [
    "clock show --sync clock:NAME --for 1s", "convert --clock NAME now",
    "clock follow --sync clock:NAME --for 1s --every 100ms",
    "clock follow --sync clock:NAME --for 1s --every 100ms --json",
  ])
  func `a count in doubt is told, and only that`(command: String) throws {
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
}
