// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
public import MusicalTime

extension EventScheduler {
  /// Puts a master in the place of a lane's clock, or with nil the clock in the place of its
  /// master, where the lane stands; one that runs is stopped first.
  ///
  /// - Parameters:
  ///   - master: the master.
  ///   - input: what brings its messages; nil for a clock of another process.
  ///   - number: the lane.
  /// - Throws: what a sink throws when it is gone.
  public func follow(
    _ master: ExternalClock?, input: (any EventInput)? = nil, lane number: UInt8 = 0
  ) throws {
    try stop(lane: number)
    let lane = lanes[Int(number)]
    lane.withdrawArmed(at: lane.end)
    let place = lane.position(at: lane.end).tick
    lane.master = master
    lane.masterInput = input
    lane.master?.standing = place
    if master == nil { lane.clock.locate(to: place, at: lane.end) }
    lane.report(.changed(.sync(lane.syncMode)))
  }

  /// Lets a lane's master start it and set its position, or no longer; without one nothing happens.
  ///
  /// Disarmed while it runs, it runs on until the master stops.
  public func setArmed(_ isArmed: Bool, lane number: UInt8 = 0) {
    let lane = lanes[Int(number)]
    guard let before = lane.master?.isArmed, before != isArmed else { return }
    lane.master?.isArmed = isArmed
    if !isArmed { lane.withdrawArmed(at: lane.end) }
    lane.report(isArmed ? .armed : .disarmed)
  }

  /// Sets a lane's tempo by hand until it stops; nil gives it back to the map.
  ///
  /// - Throws: `ClockError.stands` where the lane's own clock does not run; what a sink throws when
  ///   it is gone.
  public func setTempo(
    _ tempo: Tempo?, at time: ReferenceTime? = nil, lane number: UInt8 = 0
  ) throws {
    try interrupt(lane: number, at: time) { position, clock, _ in
      try clock.setTempo(tempo, at: position.time)
    }
  }
}
