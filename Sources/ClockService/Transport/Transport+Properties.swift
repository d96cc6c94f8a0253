// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
public import MusicalTime
internal import Synchronization

extension Transport {
  /// Changes how fast the clock runs: 2 is twice as fast as written.
  ///
  /// - Throws: `ClockError.follows` behind a master; `ClockError.time` for a rate outside 0…32,
  ///   zero not included.
  @discardableResult
  public func setPlayRate(_ rate: Ratio) throws(ClockError) -> CommandReceipt {
    try requireAlone("play rate")
    return try change { clock, time throws(TimeError) in try clock.setPlayRate(rate, at: time) }
  }

  /// Sets the tempo by hand until the clock stops; nil gives it back to the map.
  ///
  /// - Throws: `ClockError.follows` behind a master; `ClockError.stands` where the clock stands;
  ///   `ClockError.time` for a play rate that does not fit beside it.
  @discardableResult
  public func setTempo(_ tempo: Tempo?) throws(ClockError) -> CommandReceipt {
    try requireAlone("tempo")
    return try control.withLock { control throws(ClockError) in
      guard isToRun(&control) else { throw .stands("tempo") }
      do throws(TimeError) {
        try control.clock.check(tempo)
      } catch {
        throw .time(error)
      }
      control.tempo = tempo
      return performInOrder { scheduler in
        // Stopped meanwhile, it would have been forgotten.
        if scheduler.lane.clock.isRunning { try scheduler.setTempo(tempo) }
      }
    }
  }

  /// Puts another tempo map in the place of the clock's; the tick stays.
  ///
  /// - Parameters:
  ///   - map: The map.
  ///   - alongside: Done with it, on the event thread: what else the same edit changes.
  /// - Returns: what can be awaited.
  /// - Throws: `ClockError.time` for a play rate that does not fit the new map.
  @discardableResult
  public func setTempoMap(
    _ map: TempoMap,
    alongside: @escaping @Sendable (TransportPosition, inout EventBuffer) -> Void = { _, _ in }
  ) throws(ClockError) -> CommandReceipt {
    try change(alongside) { clock, time throws(TimeError) in try clock.setTempoMap(map, at: time) }
  }

  /// Changes the meters by which bars are counted.
  @discardableResult
  public func setMeterMap(_ map: MeterMap) throws(ClockError) -> CommandReceipt {
    try change { clock, _ in clock.meterMap = map }
  }

  /// Changes the rate of labels and the label of tick 0.
  @discardableResult
  public func setLabels(at rate: FrameRate?, offset: Timecode?) throws(ClockError) -> CommandReceipt
  {
    try change { clock, _ in (clock.frameRate, clock.smpteOffset) = (rate, offset) }
  }

  /// Changes the rate at which positions are counted in samples.
  @discardableResult
  public func setSampleRate(_ rate: SampleRate?) throws(ClockError) -> CommandReceipt {
    try change { clock, _ in clock.sampleRate = rate }
  }

  /// Changes how long the clock goes on without its master.
  @discardableResult
  public func setFreewheel(_ time: Duration) throws(ClockError) -> CommandReceipt {
    try change { clock, _ in clock.freewheel = time }
  }

  /// Changes the part that is gone through over and over; nil goes on.
  @discardableResult
  public func setLoop(_ loop: LoopRange?) throws(ClockError) -> CommandReceipt {
    try change { clock, time in clock.setLoop(loop, at: time) }
  }

  /// Makes a change here, where it may fail, and then where the clock runs.
  private func change(
    _ alongside: @escaping @Sendable (TransportPosition, inout EventBuffer) -> Void = { _, _ in },
    _ body: @escaping @Sendable (inout MusicClock, ReferenceTime) throws(TimeError) -> Void
  ) throws(ClockError) -> CommandReceipt {
    do {
      return try control.withLock { control throws(TimeError) in
        forgetMaps(&control)
        var clock = control.clock
        try body(&clock, .zero)
        try clock.check(control.tempo)
        control.set(clock)
        // Each change was checked beside those before it, so the order counts.
        return performInOrder { scheduler in
          try scheduler.interrupt { position, clock, buffer in
            try body(&clock, position.time)
            alongside(position, &buffer)
          }
        }
      }
    } catch {
      throw .time(error)
    }
  }
}

// What was set last, whether or not it has taken effect yet.
extension Transport {
  /// How much faster than written the clock runs: 2 is twice as fast.
  public var playRate: Ratio { settings.playRate }

  /// The tempo set by hand; nil where the map's holds, and behind a master.
  public var tempo: Tempo? { control.withLock(\.tempo) }

  /// The tempo map.
  public var tempoMap: TempoMap { settings.tempoMap }

  /// The meters by which bars are counted.
  public var meterMap: MeterMap { settings.meterMap }

  /// The rate of labels; nil where none is declared.
  public var frameRate: FrameRate? { settings.frameRate }

  /// The label of tick 0; nil for 00:00:00:00.
  public var smpteOffset: Timecode? { settings.smpteOffset }

  /// The rate at which positions are counted in samples; nil where none is declared.
  public var sampleRate: SampleRate? { settings.sampleRate }

  /// How long the clock goes on without its master.
  public var freewheel: Duration { settings.freewheel }

  /// The part that is gone through over and over; nil for none.
  public var loop: LoopRange? { settings.loop }

  private var settings: MusicClock { control.withLock(\.clock) }
}
