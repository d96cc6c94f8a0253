// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

extension EventLane {
  /// Writes into a shared clock's state where the lane is and how it runs.
  ///
  /// - Note: on the event thread, after a step.
  public func describe(in state: inout SharedClockState, at now: ReferenceTime) {
    if describedMaps != clock.mapsInForce {
      describedMaps = clock.mapsInForce
      state.set(clock.mapInForce, clock.meterMap)
    }
    // Before its output runs there is no host time at which it could be said to run.
    guard let base = reference.base else { return }
    let host = base.hostTime(of: now)
    if let line = master?.timeline(at: host) {
      state.run(along: line, from: host, isExternal: true, moves: moves, at: host)
    } else if master == nil, clock.isRunning, let piece = nextPiece(after: now) {
      // A change of tempo is no new start.
      let runsOn = state.isRunning && state.moves == moves
      state.run(
        along: base.hostLine(of: piece.timeline),
        from: runsOn ? state.start : base.hostTime(of: piece.window.lowerBound),
        isExternal: false, moves: moves, at: host)
    } else {
      state.stand(at: position(at: now).tick, moves: moves, at: host)
    }
  }

  /// The piece that holds now, or the first one where the start has not come yet.
  private func nextPiece(after now: ReferenceTime) -> ClockPiece? {
    var first: ClockPiece?
    let start = max(now, clock.startTime)
    clock.forEachPiece(of: start..<start.advanced(byNanoseconds: 1)) { first = first ?? $0 }
    return first
  }
}
