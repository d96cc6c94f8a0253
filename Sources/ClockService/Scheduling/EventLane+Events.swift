// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages
internal import MusicalTime

extension EventLane {
  /// What the lane follows.
  public var syncMode: SyncMode { driver.mode }

  func report(_ event: ClockEvent) { onEvent?(event) }

  /// Tells of a move, which is known before it is heard.
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

  /// Tells which properties of the clock are not as they were, and the master of those it shares.
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

  /// Gives generators the maps and labels that are not as they were.
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
    // The tick stays, and is another place in the music.
    if clock.tempoMap.division != old.tempoMap.division { announce(.locate, to: position) }
  }
}
