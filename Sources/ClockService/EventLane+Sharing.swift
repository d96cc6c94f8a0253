// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

extension EventLane {
  /// Writes into a shared clock's state where the lane is and how it runs.
  ///
  /// - Note: on the event thread, after a step.
  public func describe(in state: inout SharedClockState, at now: HostTime) {
    if describedMaps != clock.mapsInForce {
      describedMaps = clock.mapsInForce
      state.set(clock.mapInForce, clock.meterMap)
    }
    if let line = master?.timeline(at: now) {
      state.run(along: line, from: now, isExternal: true, moves: moves, at: now)
    } else if master == nil, clock.isRunning, let piece = nextPiece(after: now) {
      // A change of tempo is no new start.
      let runsOn = state.isRunning && state.moves == moves
      state.run(
        along: piece.timeline, from: runsOn ? state.start : piece.window.lowerBound,
        isExternal: false, moves: moves, at: now)
    } else {
      state.stand(at: position(at: now).tick, moves: moves, at: now)
    }
  }

  /// The piece that holds now, or the first one where the start has not come yet.
  private func nextPiece(after now: HostTime) -> ClockPiece? {
    var first: ClockPiece?
    let start = max(now, clock.startTime)
    clock.forEachPiece(of: start..<start.advanced(byNanoseconds: 1)) { first = first ?? $0 }
    return first
  }
}
