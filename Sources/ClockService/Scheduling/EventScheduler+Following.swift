// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
public import MusicalTime

extension EventScheduler {
  /// Makes the lane follow a master, or run freely from its current position.
  ///
  /// A running clock is stopped first.
  ///
  /// - Parameters:
  ///   - master: The master; nil to run freely.
  ///   - input: The input for the master's messages; nil if the master does not send messages, such
  ///     as the served clock of another process.
  /// - Throws: The errors of a sink.
  public func follow(_ master: ExternalClock?, input: (any EventInput)? = nil) throws {
    try stop()
    lane.withdrawArmed(at: lane.end)
    let place = lane.position(at: lane.end).tick
    lane.master = master
    lane.masterInput = input
    lane.master?.standing = place
    if master == nil { lane.clock.locate(to: place, at: lane.end) }
    lane.report(.changed(.sync(lane.syncMode)))
  }

  /// Determines if the master may start the clock and set its position; does nothing without a
  /// master.
  ///
  /// A clock that is disarmed while it runs continues until the master stops.
  public func setArmed(_ isArmed: Bool) {
    guard let before = lane.master?.isArmed, before != isArmed else { return }
    lane.master?.isArmed = isArmed
    if !isArmed { lane.withdrawArmed(at: lane.end) }
    lane.report(isArmed ? .armed : .disarmed)
  }

  /// Sets a tempo by hand until the clock stops; nil returns to the tempi of the map.
  ///
  /// - Throws: `ClockError.stands` if the lane's own clock is stopped; the errors of a sink.
  public func setTempo(_ tempo: Tempo?, at time: ReferenceTime? = nil) throws {
    try interrupt(at: time) { position, clock, _ in
      try clock.setTempo(tempo, at: position.time)
    }
  }
}
