// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
public import MusicalTime
internal import Synchronization

extension Transport {
  /// Starts the clock from its current position, which may be between ticks.
  ///
  /// If the clock's output does not run yet, the clock starts with the output. If there is a master
  /// and it is running, the clock continues at the master's position.
  ///
  /// - Parameter time: The time of the start. If nil (the default), the clock starts after the
  ///   transport's usual delay, on the beat that followers have received.
  /// - Returns: A receipt to wait for the effect.
  @discardableResult
  public func start(at time: HostTime? = nil) -> CommandReceipt {
    control.withLock { control in
      guard !control.isFollowing else {
        control.order = nil
        return performInOrder { try $0.start() }
      }
      let receipt = performWhenHeard { [lead] in
        guard $0.lane.master == nil else { return try $0.start() }
        try $0.start(from: nil, heardAt: time, lead: lead)
      }
      control.order = .init(runs: true, receipt: receipt)
      return receipt
    }
  }

  /// Starts the clock from a tick; if its output does not run yet, it starts with the output.
  ///
  /// - Parameters:
  ///   - tick: The tick.
  ///   - time: The time at which the tick sounds. If nil (the default), the clock starts after the
  ///     delay `lead`, on the beat that followers have received.
  ///   - lead: The delay from now to the start; nil (the default) for that of the transport.
  /// - Returns: A receipt to wait for the effect.
  /// - Throws: `ClockError.follows` if there is a master.
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

  /// Starts the clock from any position, for example a fraction of a beat.
  ///
  /// - Parameters:
  ///   - position: The position.
  ///   - time: The time at which the position sounds. If nil, the clock starts after the
  ///     transport's usual delay, on the beat that followers have received.
  /// - Returns: A receipt to wait for the effect.
  /// - Throws: `ClockError.follows` if there is a master; `ClockError.time` if the position does
  ///   not fit.
  @discardableResult
  public func start(
    from position: TimePosition, at time: HostTime? = nil
  ) throws(ClockError) -> CommandReceipt {
    try requireAlone("start")
    let ticks = try ticks(of: position)
    stop()
    performInOrder { try $0.locate(toTicks: ticks) }
    return start(at: time)
  }

  /// Stops the clock.
  ///
  /// If there is a master, `start(at:)` continues at the master's position.
  ///
  /// - Parameter time: The time at which the stop is audible. If nil (the default) or too soon, the
  ///   clock stops as soon as possible.
  /// - Returns: A receipt to wait for the effect.
  @discardableResult
  public func stop(at time: HostTime? = nil) -> CommandReceipt {
    control.withLock { control in
      let receipt = performInOrder { try $0.stop(at: $0.time(heardAt: time)) }
      (control.tempo, control.order) = (nil, .init(runs: false, receipt: receipt))
      return receipt
    }
  }

  /// Moves to a tick, running or stopped.
  ///
  /// - Parameters:
  ///   - tick: The tick.
  ///   - time: The time at which the tick sounds. If nil (the default) or too soon, the clock moves
  ///     as soon as possible.
  /// - Returns: A receipt to wait for the effect.
  /// - Throws: `ClockError.follows` if there is a master.
  @discardableResult
  public func locate(
    to tick: Tick, at time: HostTime? = nil
  ) throws(ClockError) -> CommandReceipt {
    try requireAlone("position")
    return performInOrder { try $0.locate(to: tick, at: $0.time(heardAt: time)) }
  }

  /// Moves to a position, for example a fraction of a beat, running or stopped.
  ///
  /// The position is rounded down to 2⁻¹⁶ of the tempo map's smallest unit, about 3·10⁻¹⁶ s at 480
  /// PPQN.
  ///
  /// - Throws: `ClockError.follows` if there is a master; `ClockError.time` if the position does
  ///   not fit.
  @discardableResult
  public func locate(to position: TimePosition) throws(ClockError) -> CommandReceipt {
    try requireAlone("position")
    let ticks = try ticks(of: position)
    return performInOrder { try $0.locate(toTicks: ticks) }
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

  /// Moves to a position written in any time format, such as `33|1`, `00:01:00:00` or `1:30`.
  ///
  /// - Throws: `ClockError.follows` if there is a master; `ClockError.time` if the string is not a
  ///   time.
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

  /// Allows the master to start the clock and set its position; does nothing without a master.
  @discardableResult
  public func arm() -> CommandReceipt {
    perform { $0.setArmed(true) }
  }

  /// Prevents the master from starting the clock; a running clock continues until the master stops.
  @discardableResult
  public func disarm() -> CommandReceipt {
    perform { $0.setArmed(false) }
  }

  /// Makes the clock follow a master, or run freely.
  ///
  /// - Parameters:
  ///   - source: The master, or nil to run freely. The maps, time code and freewheel time of the
  ///     clock are used.
  ///   - input: The input for the master's messages; nil (the default) if the master does not send
  ///     messages, such as the served clock of another process.
  /// - Returns: A receipt to wait for the effect.
  /// - Throws: `ClockError.runs` if the clock runs, or is about to start.
  @discardableResult
  public func follow(
    _ source: ExternalClock.Source?, input: sending (any EventInput)? = nil
  ) throws(ClockError) -> CommandReceipt {
    try control.withLock { control throws(ClockError) in
      if isToRun(&control) { throw .runs("sync") }
      (control.isFollowing, control.tempo) = (source != nil, nil)
    }
    // The event thread owns it from here on.
    nonisolated(unsafe) let given = input
    return performInOrder { scheduler in
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
  /// The reference time that is audible at a host time; nil before the output has started.
  func time(heardAt host: HostTime?) -> ReferenceTime? {
    host.flatMap { reference.base?.time(at: $0) }
  }

  /// Starts the clock at a host time, or `lead` from now on the beat that followers have received.
  fileprivate func start(from tick: Tick?, heardAt host: HostTime?, lead: Duration) throws {
    // The sum of two times that were rounded up may be after the start of the intended frame.
    let earliest = reference.startOfFrame(at: heard.advanced(by: lead))
    let time = time(heardAt: host) ?? lane.nextBeat(atOrAfter: earliest)
    if let tick { try start(from: tick, at: time) } else { try start(at: time) }
  }
}
