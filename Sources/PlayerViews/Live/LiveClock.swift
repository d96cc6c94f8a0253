// SPDX-License-Identifier: Apache-2.0
package import ClockService
internal import CommandKit
package import MusicalTime
internal import PlayerControl
internal import TerminalViews

/// The live view of a clock that is followed.
package struct LiveClock {
  package let frame: LiveFrame

  /// Creates it from its parts.
  package init(frame: LiveFrame) {
    self.frame = frame
  }

  /// Draws where the clock is; true where a person ends it.
  package func update(_ clock: ClockSnapshot, _ context: TimeContext) -> Bool {
    let keys = frame.keys()
    if keys.contains(where: frame.display.bindings.quits) { return true }
    frame.show(isUrgent: !keys.isEmpty) { state in
      state.mode = clock.isRunning ? .running : .waiting
      state.hint = "q quit"
      do {
        let reading = try ClockReading(clock, at: MonotonicClock.now, in: context)
        state.time = Int64(try context.seconds(of: reading.place).approximation).clockText
        state.music = try reading.value(.barBeat)
        state.fields = try fields(reading, clock)
      } catch {
        state.message = "\(error)"
      }
    }
    return false
  }

  private func fields(
    _ reading: ClockReading, _ clock: ClockSnapshot
  ) throws -> [LiveState.Field] {
    let lock = clock.lock
    return [
      .init("tempo", reading.tempoText),
      .init("lock", lock?.word ?? "", lock == .locked ? .good : .warning),
      .init("position", clock.isUncertain ? "uncertain" : "", .warning),
      .init("label", try reading.value(.timecode)), .init("ticks", try reading.value(.ticks)),
      .init("samples", try reading.value(.samples)),
    ]
  }
}
