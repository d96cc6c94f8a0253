// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
public import MusicalTime
internal import Synchronization

extension Transport {
  /// Starts the clock where it stands, between two ticks too.
  ///
  /// Where its output does not run yet, it starts as soon as that does; behind a master it goes on
  /// where the master is, if that moves.
  ///
  /// - Parameter time: When; nil for `lead` from now, on the beat that followers have heard.
  /// - Returns: what can be awaited.
  @discardableResult
  public func start(at time: HostTime? = nil) -> CommandReceipt {
    control.withLock { control in
      guard !control.isFollowing else {
        control.order = nil
        return perform { try $0.start() }
      }
      let receipt = performWhenHeard { [lead] in
        guard $0.lane.master == nil else { return try $0.start() }
        try $0.start(from: nil, heardAt: time, lead: lead)
      }
      control.order = .init(runs: true, receipt: receipt)
      return receipt
    }
  }

  /// Starts the clock from a tick; where its output does not run yet, as soon as it does.
  ///
  /// - Parameters:
  ///   - tick: The tick.
  ///   - time: When it is reached; nil for `lead` from now, on the beat that followers have heard.
  ///   - lead: How far ahead that is; nil for the transport's own.
  /// - Returns: what can be awaited.
  /// - Throws: `ClockError.follows` behind a master.
  @discardableResult
  public func start(
    from tick: Tick, at time: HostTime? = nil, lead: Duration? = nil
  ) throws(ClockError) -> CommandReceipt {
    try requireAlone("start")
    let lead = lead ?? self.lead
    return control.withLock { control in
      let receipt = performWhenHeard { try $0.start(from: tick, heardAt: time, lead: lead) }
      control.order = .init(runs: true, receipt: receipt)
      return receipt
    }
  }

  /// Starts the clock from any position, a fraction of a beat too.
  ///
  /// - Parameters:
  ///   - position: The position.
  ///   - time: When it is reached; nil as for a tick.
  /// - Returns: what can be awaited.
  /// - Throws: `ClockError.follows` behind a master; `ClockError.time` for a position that does
  ///   not fit.
  @discardableResult
  public func start(
    from position: TimePosition, at time: HostTime? = nil
  ) throws(ClockError) -> CommandReceipt {
    try requireAlone("start")
    let ticks = try ticks(of: position)
    stop()
    perform { try $0.locate(toTicks: ticks) }
    return start(at: time)
  }

  /// Stops the clock where it is; behind a master `start` takes it up again.
  ///
  /// - Parameter time: When it is heard to stop; nil, and where that is too near, for as soon as can
  ///   be.
  /// - Returns: what can be awaited.
  @discardableResult
  public func stop(at time: HostTime? = nil) -> CommandReceipt {
    control.withLock { control in
      let receipt = performWhenHeard(
        { try $0.stop(at: $0.time(heardAt: time)) }, orAfterOthers: false)
      (control.tempo, control.order) = (nil, .init(runs: false, receipt: receipt))
      return receipt
    }
  }

  /// Goes to a tick, running or not.
  ///
  /// - Parameters:
  ///   - tick: The tick.
  ///   - time: When it is heard there; nil, and where that is too near, for as soon as can be.
  /// - Returns: what can be awaited.
  /// - Throws: `ClockError.follows` behind a master.
  @discardableResult
  public func locate(
    to tick: Tick, at time: HostTime? = nil
  ) throws(ClockError) -> CommandReceipt {
    try requireAlone("position")
    return perform { try $0.locate(to: tick, at: $0.time(heardAt: time)) }
  }

  /// Goes to a position, a fraction of a beat too, running or not.
  ///
  /// It is held rounded down to 2⁻¹⁶ of the map's unit, some 3·10⁻¹⁶ s at 480 PPQN.
  ///
  /// - Throws: `ClockError.follows` behind a master; `ClockError.time` for a position that does
  ///   not fit.
  @discardableResult
  public func locate(to position: TimePosition) throws(ClockError) -> CommandReceipt {
    try requireAlone("position")
    let ticks = try ticks(of: position)
    return perform { try $0.locate(toTicks: ticks) }
  }

  private func ticks(of position: TimePosition) throws(ClockError) -> Ratio {
    let context = control.withLock { $0.clock.timeContext }
    do {
      let ticks = try context.ticks(of: position)
      _ = try ticks.rounded(.floor, unit: "ticks")
      return ticks
    } catch {
      throw .time(error)
    }
  }

  /// Goes to a time in any format: `33|1`, `00:01:00:00`, `1:30`.
  ///
  /// - Throws: `ClockError.follows` behind a master; `ClockError.time` for what is no time.
  @discardableResult
  public func locate(to text: String) throws(ClockError) -> CommandReceipt {
    let context = control.withLock { $0.clock.timeContext }
    let position: TimePosition
    do {
      position = try context.position(of: TimeExpression(text))
    } catch {
      throw .time(error)
    }
    return try locate(to: position)
  }

  /// Lets the master start the clock and set its position; without one nothing happens.
  @discardableResult
  public func arm() -> CommandReceipt {
    perform { $0.setArmed(true) }
  }

  /// Lets the master no longer start the clock; while it runs it goes on until the master stops.
  @discardableResult
  public func disarm() -> CommandReceipt {
    perform { $0.setArmed(false) }
  }

  /// Lets the clock follow a master, or with nil run by itself again.
  ///
  /// - Parameters:
  ///   - source: What is followed: maps, label and freewheel time are the clock's.
  ///   - input: What brings its messages; nil for a clock of another process.
  /// - Returns: what can be awaited.
  /// - Throws: `ClockError.runs` where the clock runs, or is about to.
  @discardableResult
  public func follow(
    _ source: ExternalClock.Source?, input: sending (any EventInput)? = nil
  ) throws(ClockError) -> CommandReceipt {
    try control.withLock { control throws(ClockError) in
      if isToRun(&control) { throw .runs("sync") }
      (control.isFollowing, control.tempo) = (source != nil, nil)
    }
    // The event thread's from here on.
    nonisolated(unsafe) let given = input
    return perform { scheduler in
      let clock = scheduler.lane.clock
      let master = source.map { ExternalClock(following: $0, for: clock) }
      try unsafe scheduler.follow(master, input: given)
    }
  }

  func requireAlone(_ what: String) throws(ClockError) {
    if control.withLock({ $0.isFollowing }) { throw .follows(what) }
  }
}

extension EventScheduler {
  /// The instant that is heard at a host time; nil before the output has begun.
  func time(heardAt host: HostTime?) -> ReferenceTime? {
    host.flatMap { reference.base?.time(at: $0) }
  }

  /// Starts the clock at a host time, or so far ahead, on the beat that followers have heard.
  fileprivate func start(from tick: Tick?, heardAt host: HostTime?, lead: Duration) throws {
    // The sum of two times that were rounded up may lie behind the beginning of the frame that is meant.
    let earliest = reference.startOfFrame(at: heard.advanced(by: lead))
    let time = time(heardAt: host) ?? lane.nextBeat(atOrAfter: earliest)
    if let tick { try start(from: tick, at: time) } else { try start(at: time) }
  }
}
