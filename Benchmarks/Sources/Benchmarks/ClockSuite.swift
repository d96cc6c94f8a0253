// SPDX-License-Identifier: Apache-2.0
import BenchmarkHarness
import ClockService
import MIDIMessages
import MusicalTime

/// What following and sending clocks costs.
let clockSuite = Suite("clock") {
  [following(), followingPlayer(), followingTimecode(), try sending()]
}

private let clockCount = 100_000

/// A half of a millisecond either way, by a fixed pattern.
private func lateness(_ index: Int) -> Int64 { Int64(index * 7919 % 1_000_003) - 500_000 }

private func following() -> Benchmark {
  Benchmark("follow MIDI clock", "clocks", count: clockCount) {
    var follower = MIDIClockFollower()
    _ = follower.take(Message(status: 0xFA), at: .zero)
    for index in 0..<clockCount {
      let time = Int64(index + 1) * 20_833_333 + lateness(index)
      _ = follower.take(Message(status: 0xF8), at: HostTime(nanoseconds: time))
    }
    return follower.position.count
  }
}

/// A tempo that sways by 15 % within four beats, as a player's may.
private func followingPlayer() -> Benchmark {
  Benchmark("follow a player's clock", "clocks", count: clockCount) {
    var follower = MIDIClockFollower()
    _ = follower.take(Message(status: 0xFA), at: .zero)
    var time: Int64 = 0
    for index in 0..<clockCount {
      // A triangle of 96 clocks.
      let place = Int64(index % 96)
      let sway = place < 48 ? place - 24 : 72 - place
      time += 20_833_333 + sway * 130_208
      let arrival = HostTime(nanoseconds: time + lateness(index))
      _ = follower.take(Message(status: 0xF8), at: arrival)
    }
    return follower.position.count
  }
}

private func followingTimecode() -> Benchmark {
  Benchmark("follow time code", "quarter frames", count: clockCount) {
    var follower = MTCFollower()
    for index in 0..<clockCount {
      let piece = index % 8
      let frame = index / 8 * 2
      let fields = [frame % 25, frame / 25 % 60, frame / 1500 % 60, 1 << 5 | frame / 90_000]
      let field = UInt8(piece % 2 == 0 ? fields[piece / 2] & 15 : fields[piece / 2] >> 4)
      let message = Message(status: 0xF1, data1: UInt8(piece << 4) | field)
      let time = Int64(index + 1) * 10_000_000 + lateness(index)
      _ = follower.take(message, at: HostTime(nanoseconds: time))
    }
    return follower.position?.count ?? 0
  }
}

/// A clock at 300 beats a minute to four destinations, in the steps of the event thread.
private func sending() throws -> Benchmark {
  let tempo = try Tempo.beatsPerMinute(300, rounding: .nearest).value
  guard let resolution = PPQN(480) else { throw TimeError.badDivision(480) }
  return Benchmark("send at 300 bpm to 4", "clocks", count: clockCount) {
    let map = TempoMap(ppqn: resolution, tempo: tempo)
    let sinks = (0..<4).map { _ in CountingSink() }
    let scheduler = EventScheduler(
      clock: MusicClock(tempoMap: map), sources: [], router: Router(sinks: sinks))
    scheduler.lane.generators = [MIDIClockGenerator(tempoMap: map)]
    scheduler.lane.horizon = EventThread.portHorizon
    try scheduler.start(from: .zero, at: ReferenceTime(nanoseconds: 200_000_000))
    let end = Int64(clockCount) * 25_000_000 / 3
    for time in stride(from: 0, to: end, by: Int(EventThread.period / .nanoseconds(1))) {
      try scheduler.step(at: ReferenceTime(nanoseconds: Int64(time)))
    }
    return sinks.reduce(0) { $0 + $1.count }
  }
}

/// Takes everything and remembers how much it was.
private final class CountingSink: EventSink {
  private(set) var count: Int64 = 0

  var ordersByTime: Bool { true }

  func send(_ events: Span<TimedEvent>, payloads: Span<UInt8>) -> Int {
    count += Int64(events.count)
    return events.count
  }

  func cancel(from time: ReferenceTime) {}
}
