// SPDX-License-Identifier: Apache-2.0
internal import ClockService
internal import MusicalTime
internal import Realtime

/// The maps of a clock that is served, where it is now, and when what sounds, for
/// `convert --clock`.
struct ConvertClock {
  private let name: String
  private let state: SharedClockState
  private let now: HostTime

  init(name: String) throws {
    self.name = name
    do {
      let reader = try SharedClockReader(name: name)
      state = reader.read().value
      switch reader.publisher {
      case .running: break
      case .ended: Terminal.report("clock '\(name)': is served no more; this is its last word")
      case .crashed:
        Terminal.report("clock '\(name)': whoever served it crashed; this is its last word")
      }
    } catch {
      throw Failure(error.exitStatus, "\(error)")
    }
    now = HostTime(nanoseconds: DeadlineWait.now)
  }

  /// The time that the word `now` stands for.
  var nowText: String {
    let isStarted = state.isRunning && now >= state.start
    guard state.isRunning else { return "tick:\(state.standing.value)" }
    return "tick:\(state.line.firstCount(atOrAfter: isStarted ? now : state.start))"
  }

  /// The maps, and while it runs the host time of every position.
  func context() throws -> TimeContext {
    do {
      var context = TimeContext(
        tempoMap: try state.tempoMap(), meterMap: try state.meterMap())
      if state.isRunning { context.anchor = try anchor(context.tempoMap) }
      return context
    } catch {
      throw Failure(.noDevice, "clock '\(name)': \(error)")
    }
  }

  /// Where time 0 of the piece lies on the host's clock, and how fast it passes there.
  private func anchor(_ map: TempoMap) throws(TimeError) -> SampleAnchor? {
    guard let rate = SampleRate.standard else { return nil }
    let line = state.line
    let tick = Tick(line.firstCount(atOrAfter: max(now, state.start)))
    let written = try map.timeline(at: tick, originTick: .zero, originHost: .zero, playRate: 1)
    let speed =
      try Ratio(written.numerator, over: written.denominator)
      / Ratio(line.numerator, over: line.denominator)
    let elapsed = try (map.seconds(at: tick) / speed * 1_000_000_000)
      .rounded(.nearest, unit: "nanoseconds").value
    let start = line.hostTimeRoundedUp(atCount: tick.value)
      .advanced(byNanoseconds: -Int64(clamping: elapsed))
    return try SampleAnchor(
      host: start, sample: SampleTime(frames: 0), rate: rate, rateScalar: speed)
  }
}
