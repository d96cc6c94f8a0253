// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
public import MusicalTime

extension EventScheduler {
  /// Replaces the clock by a master, or with nil the master by the clock, at its position.
  ///
  /// A running clock is stopped first.
  ///
  /// - Parameters:
  ///   - master: The master.
  ///   - input: The input for its messages; nil for a clock of another process.
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

  /// Sets whether the master may start the clock and set its position; does nothing without a
  /// master.
  ///
  /// A clock that is disarmed while it runs continues until the master stops.
  public func setArmed(_ isArmed: Bool) {
    guard let before = lane.master?.isArmed, before != isArmed else { return }
    lane.master?.isArmed = isArmed
    if !isArmed { lane.withdrawArmed(at: lane.end) }
    lane.report(isArmed ? .armed : .disarmed)
  }

  /// Sets a tempo that replaces those of the map until the clock stops; nil removes it.
  ///
  /// - Throws: `ClockError.stands` if the lane's own clock is stopped; the errors of a sink.
  public func setTempo(_ tempo: Tempo?, at time: ReferenceTime? = nil) throws {
    try interrupt(at: time) { position, clock, _ in
      try clock.setTempo(tempo, at: position.time)
    }
  }
}
