// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
public import MusicalTime
internal import Synchronization

extension Transport {
  /// Changes the play rate: 1 plays at the written tempo, 2 twice as fast.
  ///
  /// - Throws: `ClockError.follows` if there is a master; `ClockError.time` unless the rate is
  ///   above 0 and at most 32.
  @discardableResult
  public func setPlayRate(_ rate: Ratio) throws(ClockError) -> CommandReceipt {
    try requireAlone("play rate")
    return try change { clock, time throws(TimeError) in try clock.setPlayRate(rate, at: time) }
  }

  /// Sets a tempo by hand until the clock stops; nil returns to the tempi of the map.
  ///
  /// - Throws: `ClockError.follows` if there is a master; `ClockError.stands` if the clock is
  ///   stopped; `ClockError.time` if the tempo at this play rate cannot be calculated in fractions
  ///   of 64-bit integers.
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
        // After a stop in the meantime, the tempo would have been removed.
        if scheduler.lane.clock.isRunning { try scheduler.setTempo(tempo) }
      }
    }
  }

  /// Replaces the tempo map; the position in ticks stays the same.
  ///
  /// - Parameters:
  ///   - map: The map.
  ///   - alongside: Called on the event thread at the same instant, to make other changes that
  ///     belong to the same edit.
  /// - Returns: A receipt to wait for the effect.
  /// - Throws: `ClockError.time` if the map at the current play rate cannot be calculated in
  ///   fractions of 64-bit integers.
  @discardableResult
  public func setTempoMap(
    _ map: TempoMap,
    alongside: @escaping @Sendable (TransportPosition, inout EventBuffer) -> Void = { _, _ in }
  ) throws(ClockError) -> CommandReceipt {
    try change(alongside) { clock, time throws(TimeError) in try clock.setTempoMap(map, at: time) }
  }

  /// Changes the meter map, from which bars and beats are calculated.
  @discardableResult
  public func setMeterMap(_ map: MeterMap) throws(ClockError) -> CommandReceipt {
    try change { clock, _ in clock.meterMap = map }
  }

  /// Changes the frame rate of positions in time code, and the time code of tick 0.
  @discardableResult
  public func setLabels(at rate: FrameRate?, offset: Timecode?) throws(ClockError) -> CommandReceipt
  {
    try change { clock, _ in (clock.frameRate, clock.smpteOffset) = (rate, offset) }
  }

  /// Changes the sample rate of positions in samples.
  @discardableResult
  public func setSampleRate(_ rate: SampleRate?) throws(ClockError) -> CommandReceipt {
    try change { clock, _ in clock.sampleRate = rate }
  }

  /// Changes the time for which the clock continues after its master has stopped sending.
  @discardableResult
  public func setFreewheel(_ time: Duration) throws(ClockError) -> CommandReceipt {
    try change { clock, _ in clock.freewheel = time }
  }

  /// Changes the range that is repeated; nil ends the loop.
  @discardableResult
  public func setLoop(_ loop: LoopRange?) throws(ClockError) -> CommandReceipt {
    try change { clock, time in clock.setLoop(loop, at: time) }
  }

  /// Makes a change to the local copy, which may throw, and then to the running clock.
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
        // Each change was checked together with those before it, so they must stay in order.
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

// The latest values, including those that have not taken effect yet.
extension Transport {
  /// The play rate: 1 plays at the written tempo, 2 twice as fast.
  public var playRate: Ratio { settings.playRate }

  /// The tempo set by hand; nil if the map or a master determines the tempo.
  public var tempo: Tempo? { control.withLock(\.tempo) }

  /// The tempo map of the song.
  public var tempoMap: TempoMap { settings.tempoMap }

  /// The meter map, from which bars and beats are calculated.
  public var meterMap: MeterMap { settings.meterMap }

  /// The frame rate of positions in time code; nil if it is not set.
  public var frameRate: FrameRate? { settings.frameRate }

  /// The time code of tick 0; nil for 00:00:00:00.
  public var smpteOffset: Timecode? { settings.smpteOffset }

  /// The sample rate of positions in samples; nil if it is not set.
  public var sampleRate: SampleRate? { settings.sampleRate }

  /// The time for which the clock continues after its master has stopped sending.
  public var freewheel: Duration { settings.freewheel }

  /// The range that is repeated; nil for none.
  public var loop: LoopRange? { settings.loop }

  private var settings: MusicClock { control.withLock(\.clock) }
}
