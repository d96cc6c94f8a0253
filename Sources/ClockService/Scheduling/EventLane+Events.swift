// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages
internal import MusicalTime

extension EventLane {
  /// The kind of master that the lane follows; `alone` without a master.
  public var syncMode: SyncMode { driver.mode }

  func report(_ event: ClockEvent) { onEvent?(event) }

  /// Reports a move, before it is audible.
  func report(_ move: TransportMove, to position: TransportPosition, because reason: StopReason) {
    let time = reference.hostTime(of: position.time)
    switch move {
    case .start: report(.started(position.tick, at: time))
    case .stop: report(.stopped(reason, position.tick, at: time))
    case .locate where isRunning: report(.located(position.tick, at: time))
    case .locate: report(.startTimeSet(position.tick))
    case .loop, .skip: break
    }
  }

  /// Reports the properties of the clock that have changed, and passes them to the master.
  func reportChanges(since old: MusicClock) {
    if clock.playRate != old.playRate { report(.changed(.playRate(clock.playRate))) }
    if clock.tempoOverride != old.tempoOverride { report(.changed(.tempo(clock.tempoOverride))) }
    if clock.edition != old.edition { report(.changed(.tempoMap)) }
    if clock.meterMap != old.meterMap { report(.changed(.meterMap)) }
    if clock.loop != old.loop { report(.changed(.loop(clock.loop))) }
    if clock.frameRate != old.frameRate { report(.changed(.frameRate(clock.frameRate))) }
    if clock.sampleRate != old.sampleRate { report(.changed(.sampleRate(clock.sampleRate))) }
    if clock.smpteOffset != old.smpteOffset {
      master?.offset = clock.smpteOffset
      report(.changed(.smpteOffset(clock.smpteOffset)))
    }
    if clock.freewheel != old.freewheel {
      master?.freewheel = clock.freewheel
      report(.changed(.freewheel(clock.freewheel)))
    }
    if clock.edition != old.edition { master?.tempoMap = clock.tempoMap }
    passOnMaps(since: old)
  }

  /// Passes changed maps and time codes to generators.
  private func passOnMaps(since old: MusicClock) {
    let isRelabelled =
      (clock.smpteOffset, clock.frameRate) != (old.smpteOffset, old.frameRate)
    guard clock.edition != old.edition || isRelabelled else { return }
    let position = position(at: end)
    for generator in generators {
      generator.use(clock.tempoMap, at: position.tick)
      if isRelabelled {
        generator.relabel(from: clock.smpteOffset, at: clock.frameRate, tick: position.tick)
      }
    }
    // The tick stays the same, but is another position in the music.
    if clock.tempoMap.division != old.tempoMap.division { announce(.locate, to: position) }
  }
}
