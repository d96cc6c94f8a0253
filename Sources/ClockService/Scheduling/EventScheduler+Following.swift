// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
public import MusicalTime

extension EventScheduler {
  /// Puts a master in the place of the clock, or with nil the clock in the place of its master,
  /// where it stands; a clock that runs is stopped first.
  ///
  /// - Parameters:
  ///   - master: the master.
  ///   - input: what brings its messages; nil for a clock of another process.
  /// - Throws: what a sink throws when it is gone.
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

  /// Lets the master start the clock and set its position, or no longer; without one nothing
  /// happens.
  ///
  /// Disarmed while it runs, it runs on until the master stops.
  public func setArmed(_ isArmed: Bool) {
    guard let before = lane.master?.isArmed, before != isArmed else { return }
    lane.master?.isArmed = isArmed
    if !isArmed { lane.withdrawArmed(at: lane.end) }
    lane.report(isArmed ? .armed : .disarmed)
  }

  /// Sets the tempo by hand until the clock stops; nil gives it back to the map.
  ///
  /// - Throws: `ClockError.stands` where the lane's own clock does not run; what a sink throws when
  ///   it is gone.
  public func setTempo(_ tempo: Tempo?, at time: ReferenceTime? = nil) throws {
    try interrupt(at: time) { position, clock, _ in
      try clock.setTempo(tempo, at: position.time)
    }
  }
}
