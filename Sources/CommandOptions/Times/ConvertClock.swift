// SPDX-License-Identifier: Apache-2.0
internal import ClockService
internal import CommandKit
internal import MusicalTime
internal import Realtime

/// The maps and the current position of a served clock, for `convert --clock`.
struct ConvertClock {
  private let name: String
  private let state: SharedClockState
  private let now: HostTime

  init(name text: String) throws {
    let reader = try SharedClockReader.named(text)
    name = reader.name
    do {
      state = try reader.read().value
      switch reader.publisher {
      case .running:
        let silence = (DeadlineWait.now - state.published.nanoseconds) / 1_000_000_000
        if silence > 0 {
          Terminal.report(
            "clock '\(name)': last update \(silence) s ago; using its last state")
        }
      case .ended: Terminal.report("clock '\(name)' has ended; using its last state")
      case .crashed:
        Terminal.report("clock '\(name)': its program crashed; using its last state")
      }
    } catch {
      throw Failure(error.exitStatus, "\(error)")
    }
    if state.isUncertain {
      Terminal.report("clock '\(name)': is uncertain; its position may be off by whole MIDI clocks")
    }
    now = HostTime(nanoseconds: DeadlineWait.now)
  }

  /// The context: the maps, the current position and, while the clock runs, the host times of all
  /// positions.
  func context() throws -> TimeContext {
    do {
      var context = TimeContext(
        tempoMap: try state.tempoMap(), meterMap: try state.meterMap())
      let time = max(now, state.start)
      guard state.isRunning else {
        context.now = .ticks(Ratio(state.standing.value))
        return context
      }
      let line = line(at: time, in: context.tempoMap)
      let place = try line.exactCount(at: time)
      context.now = .ticks(place)
      context.anchor = try HostAnchor(
        line, in: context.tempoMap, at: Tick(place.rounded(.floor, unit: "ticks").value))
      return context
    } catch {
      throw Failure(.noDevice, "clock '\(name)': \(error)")
    }
  }

  /// The line at an instant: the published one, or one that follows it.
  private func line(at time: HostTime, in map: TempoMap) -> Timeline<Tick, HostTime> {
    var line = state.line
    let window = time..<time.advanced(byNanoseconds: 1)
    state.forEachPiece(of: window, in: map) { line = $1 }
    return line
  }
}
