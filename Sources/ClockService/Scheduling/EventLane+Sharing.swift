// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

extension EventLane {
  /// Stores the position and motion of the lane in the state of a served clock.
  ///
  /// - Note: Called on the event thread, after a step.
  public func describe(in state: inout SharedClockState, at now: ReferenceTime) {
    if describedMaps != clock.mapsInForce {
      describedMaps = clock.mapsInForce
      state.set(clock.mapInForce, clock.meterMap)
    }
    state.isUncertain = master?.master.isUncertain ?? false
    // Before the output runs, the host time of the state is unknown.
    guard let base = reference.base else { return }
    let host = base.hostTime(of: now)
    guard let motion = driver.motion(at: now, on: base) else {
      return state.stand(at: position(at: now).tick, moves: moves, at: host)
    }
    // A change of tempo does not count as another start.
    let runsOn = !motion.isExternal && state.isRunning && state.moves == moves
    state.run(
      along: motion.line, from: runsOn ? state.start : motion.start,
      isExternal: motion.isExternal, moves: moves, at: host)
  }
}
