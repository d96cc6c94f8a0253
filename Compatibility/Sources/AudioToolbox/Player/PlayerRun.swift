internal import ClockService
// SPDX-License-Identifier: Apache-2.0
internal import CoreAudioHandles
internal import CoreAudioTypes
internal import Downbeat
internal import Foundation
internal import MIDIMessages
internal import MusicSequences
internal import MusicalTime
internal import SequencePlayback
internal import Synchronization

/// The playback of a sequence on a device or endpoints, from a start to a stop.
///
/// Beats and host times are computed from the time of the start, so they are exact from the first
/// event on. Each change of tempo or rate sets another anchor.
final class PlayerRun: SequenceRun {
  private let sequence: SequenceBox
  private let playback: Playback
  private let state: Mutex<State>
  /// Applies edits to playback, one after another.
  private let queue = DispatchQueue(label: "downbeat.player")

  private struct State: Sendable {
    var anchor: PlayerAnchor?
    var rate: Double
    var played: PlayedScore
    var isEdited = false
  }

  /// The time from the start to the first event, in nanoseconds: 10 ms, so that the first event is
  /// in time.
  private static let lead: Int64 = 10_000_000

  /// Prepares playback.
  ///
  /// - Throws: `MemFullError` if a thread cannot be started.
  init(
    _ sequence: SequenceBox, _ played: PlayedScore, rate: Double
  ) throws(StatusError) {
    self.sequence = sequence
    state = Mutex(State(rate: rate, played: played))
    var options = PlaybackOptions()
    options.startsAtOnce = false
    options.playRate = Self.ratio(rate)
    options.device = played.graph == nil ? .published : .synthesizer
    do {
      playback = try Playback(
        played.score, on: Self.ports(of: played), options: options)
    } catch {
      throw StatusError(kAudio_MemFullError)
    }
    playback.observe { [weak self] event in
      guard let self, case .event(let told, let track?, let tick) = event.kind else { return }
      self.tell(told, track: track, at: tick)
    }
  }

  /// A rate, rounded to a millionth, as the clock stores it.
  static func ratio(_ rate: Double) -> Ratio {
    Ratio(max(1, Int64((rate * 1e6).rounded())), over: 1_000_000)
  }

  /// The destinations of the tracks: endpoints, and instruments of the sequence's graph.
  private static func ports(of played: PlayedScore) -> [PlaybackPort] {
    let graph = played.graph
    graph?.startForPlayer(played.score)
    return played.destinations.map { name, destination in
      let sink: (any EventSink<HostTime>)? =
        switch destination {
        case .standard: graph?.openSink(nil)
        case .node(let node): graph?.openSink(node)
        case .endpoint(let endpoint): TrackDestinations.openSink(endpoint)
        case .outlet(let outlet): outlet.openSink()
        }
      return PlaybackPort(name: name, sink: sink ?? SilentSink())
    }
  }

  var now: UInt64 { mach_absolute_time() }

  func start(at beat: MusicTimeStamp) {
    state.withLock { state in
      let soonest = MonotonicClock.now.advanced(byNanoseconds: Self.lead)
      let time = state.played.startTime(atOrAfter: soonest)
      locate(to: state.played.ticks(at: beat))
      playback.start(at: time)
      state.anchor = PlayerAnchor(
        beat: beat, hostTime: UInt64(time.nanoseconds), rate: state.rate, map: state.played.map)
    }
  }

  private func locate(to ticks: Ratio) {
    do {
      try playback.locate(to: TimePosition.ticks(ticks))
    } catch {
      // This cannot fail: the clock does not follow a master, and the ticks are in range.
      return
    }
  }

  func move(to beat: MusicTimeStamp) {
    playback.stop()
    start(at: beat)
  }

  var anchor: PlayerAnchor? { state.withLock { $0.anchor } }

  func end() { playback.end(draining: false) }

  func setRate(_ rate: Double) {
    let ratio = Self.ratio(rate)
    do {
      try playback.setPlayRate(ratio)
    } catch {
      return
    }
    state.withLock { $0.rate = rate }
    settle { $0.clock.playRate == ratio }
  }

  /// Applies edits within a few milliseconds; many edits at the same time are applied together.
  func noteEdit() {
    let isFirst = state.withLock { state in
      defer { state.isEdited = true }
      return !state.isEdited
    }
    guard isFirst else { return }
    queue.asyncAfter(deadline: .now() + .milliseconds(2)) { [weak self] in self?.takeEdits() }
  }

  private func takeEdits() {
    let old = state.withLock { state in
      state.isEdited = false
      return state.played
    }
    do {
      let played = try PlayedScore(sequence, after: old.score)
      let edition = playback.snapshot.edition
      try playback.play(played.score)
      state.withLock { $0.played = played }
      if played.score.tempoMap != old.score.tempoMap { settle { $0.edition != edition } }
    } catch {
      // If the edited sequence cannot be played, playback continues unchanged.
      return
    }
  }

  /// Waits a few milliseconds until a change has reached the clock, and sets an anchor there.
  private func settle(_ hasCome: (ClockSnapshot) -> Bool) {
    // On a busy machine the clock's thread may take longer. If the thread has ended, this stops
    // waiting.
    for _ in 0..<20_000 where playback.failure == nil {
      let snapshot = playback.snapshot
      if hasCome(snapshot) {
        anchor(by: snapshot)
        return
      }
      usleep(500)
    }
  }

  private func anchor(by snapshot: ClockSnapshot) {
    state.withLock { state in
      guard let old = state.anchor else { return }
      let now = max(MonotonicClock.now, HostTime(nanoseconds: Int64(old.hostTime)))
      let beat: MusicTimeStamp
      do {
        beat = try snapshot.ticks(at: now).approximation / state.played.ticksPerBeat
      } catch {
        return
      }
      state.anchor = PlayerAnchor(
        beat: beat, hostTime: UInt64(now.nanoseconds), rate: state.rate, map: state.played.map)
    }
  }

  /// Calls the sequence's callback for a user event.
  private func tell(_ event: TrackEvent, track: Int, at tick: Tick) {
    let call = state.withLock { $0.played.call(event, track: track, at: tick, rate: $0.rate) }
    if let call { sequence.tell(call) }
  }
}
