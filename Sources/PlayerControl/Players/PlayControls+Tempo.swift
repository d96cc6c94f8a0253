// SPDX-License-Identifier: Apache-2.0
package import ClockService
package import MusicalTime

extension PlayControls {
  /// The audible speed as a factor, 1 as written: that of a constant tempo, or of the pass of a
  /// ramp.
  package func audibleSpeed(_ snapshot: ClockSnapshot, at tick: Tick) -> Double {
    if let constantTempo {
      return constantTempo.beatsPerMinute.approximation / writtenTempo(at: tick)
    }
    let isRamped = ramp != 0 && snapshot.mode == .alone && snapshot.isRunning
    return (isRamped ? snapshot.clock.playRate : speed).approximation
  }

  /// The audible tempo in quarter notes per minute.
  package func audibleTempo(_ snapshot: ClockSnapshot, at tick: Tick) -> Double {
    if isPaused, let constantTempo { return constantTempo.beatsPerMinute.approximation }
    return snapshot.beatsPerMinute(at: MonotonicClock.now)
      ?? writtenTempo(at: tick) * audibleSpeed(snapshot, at: tick)
  }

  private func writtenTempo(at tick: Tick) -> Double {
    outline.context.tempoMap.tempo(at: tick).beatsPerMinute.approximation
  }
}
