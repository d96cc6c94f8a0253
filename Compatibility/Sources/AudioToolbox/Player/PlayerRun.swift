// SPDX-License-Identifier: Apache-2.0
internal import ClockService
internal import CoreAudioTypes
internal import Downbeat
internal import Foundation
internal import MIDIMessages
internal import MusicSequences
internal import MusicalTime
internal import SequencePlayback
internal import Synchronization

/// A sequence that plays, from a start to a stop.
///
/// Beats and host times are told from the one instant at which it was started, so that they are right
/// from the first event on; what changes the tempo on the way sets another.
final class PlayerRun: Sendable {
  private let sequence: SequenceBox
  private let playback: Playback
  private let state: Mutex<State>
  /// Where edits become part of what plays, one after another.
  private let queue = DispatchQueue(label: "downbeat.player")

  private struct State: Sendable {
    var anchor: PlayerAnchor?
    var rate: Double
    var played: PlayedScore
    var isEdited = false
  }

  /// How far ahead a start lies, in nanoseconds: its first events are on their way in time.
  private static let lead: Int64 = 10_000_000

  /// Makes everything ready.
  ///
  /// - Throws: `ParamError` where times do not fit; `MemFullError` where no thread is to be had.
  init(_ sequence: SequenceBox, rate: Double) throws(StatusError) {
    self.sequence = sequence
    let played = try PlayedScore(sequence)
    state = Mutex(State(rate: rate, played: played))
    var options = PlaybackOptions()
    options.startsAtOnce = false
    options.playRate = Self.ratio(rate)
    do {
      playback = try Playback(
        played.score, on: Self.ports(of: played, in: sequence), options: options)
    } catch {
      throw StatusError(kAudio_MemFullError)
    }
    playback.observe { [weak self] event in
      guard let self, case .event(let told, let track?, let tick) = event.kind else { return }
      self.tell(told, track: track, at: tick)
    }
  }

  /// A rate as the clock has it: to a millionth.
  private static func ratio(_ rate: Double) -> Ratio {
    Ratio(max(1, Int64((rate * 1e6).rounded())), over: 1_000_000)
  }

  /// Where the tracks go: endpoints, and the units of the sequence's graph.
  private static func ports(of played: PlayedScore, in sequence: SequenceBox) -> [PlaybackPort] {
    let usesGraph = played.destinations.values.contains {
      if case .endpoint = $0 { false } else { true }
    }
    let graph = usesGraph ? unsafe TrackDestinations.graph(sequence.standardGraph()) : nil
    graph?.startForPlayer()
    return played.destinations.map { name, destination in
      let sink: (any EventSink<HostTime>)? =
        switch destination {
        case .standard: graph?.openSink(nil)
        case .node(let node): graph?.openSink(node)
        case .endpoint(let endpoint): TrackDestinations.openSink(endpoint)
        }
      return PlaybackPort(name: name, sink: sink ?? SilentSink())
    }
  }

  /// Begins at a beat.
  func start(at beat: MusicTimeStamp) {
    state.withLock { state in
      let time = MonotonicClock.now.advanced(byNanoseconds: Self.lead)
      locate(to: beat, state.played.ticksPerBeat)
      playback.start(at: time)
      state.anchor = PlayerAnchor(
        beat: beat, hostTime: UInt64(time.nanoseconds), rate: state.rate, map: state.played.map)
    }
  }

  private func locate(to beat: MusicTimeStamp, _ ticksPerBeat: Double) {
    let scaled = max(-1e14, min(beat * ticksPerBeat * 65_536, 1e18)).rounded()
    do {
      try playback.locate(to: TimePosition.ticks(Ratio(Int64(scaled), over: 65_536)))
    } catch {
      // It follows nobody, and the ticks fit.
      return
    }
  }

  /// Goes to a beat and on from there.
  func move(to beat: MusicTimeStamp) {
    playback.stop()
    start(at: beat)
  }

  /// The anchor that holds now.
  var anchor: PlayerAnchor? { state.withLock { $0.anchor } }

  /// Ends it: what sounds is released.
  func end() { playback.end(draining: false) }

  /// Changes how fast it runs.
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

  /// Lets what was edited be played, within a few milliseconds; many edits at once cost one.
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
      // What cannot be played leaves what plays as it is.
      return
    }
  }

  /// Waits until a change has reached the clock, and takes its time from there on.
  private func settle(_ hasCome: (ClockSnapshot) -> Bool) {
    for _ in 0..<100 {
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

  /// Tells the sequence's callback of a user event.
  private func tell(_ event: TrackEvent, track: Int, at tick: Tick) {
    guard case .user(let stamped) = event.content, let (time, bytes) = UserStamp.event(stamped)
    else { return }
    let (box, slice) = state.withLock { state in
      let tracks = state.played.tracks
      let perBeat = state.played.ticksPerBeat
      let start = event.tick == tick ? time : Double(tick.value) / perBeat
      let length = 0.005 * state.rate / state.played.map.secondsPerBeat(at: start)
      return (tracks.indices.contains(track) ? tracks[track] : nil, start..<start + length)
    }
    guard let box else { return }
    sequence.tell(of: Array(bytes), at: time, on: box, slice: slice)
  }
}

extension SequenceBox {
  /// Calls the callback, if there is one.
  func tell(
    of bytes: [UInt8], at time: MusicTimeStamp, on track: TrackBox,
    slice: Range<MusicTimeStamp>
  ) {
    guard let callback, let sequence = unsafe pointer, let track = unsafe track.pointer else {
      return
    }
    let event = BeatEvent.raw(bytes, kMusicEventType_User, at: time)
    unsafe event.payload?.lend { bytes in
      guard let data = unsafe bytes.baseAddress?.assumingMemoryBound(to: MusicEventUserData.self)
      else {
        return
      }
      unsafe callback.function(
        callback.data, sequence, track, time, data, slice.lowerBound, slice.upperBound)
    }
  }

  /// Tells the callback of the user events before a beat, with both beats of the slice there.
  func chaseUserEvents(to beat: MusicTimeStamp) {
    guard callback != nil, beat > 0 else { return }
    var found: [(event: BeatEvent, track: TrackBox)] = []
    for track in tracks {
      do {
        let events = try track.content().events.events(in: 0..<beat)
        found += events.filter { $0.type == kMusicEventType_User }.map { ($0, track) }
      } catch {
        continue
      }
    }
    found.sort { $0.event.time < $1.event.time }
    for (event, track) in found {
      tell(of: event.rawBytes, at: event.time, on: track, slice: beat..<beat)
    }
  }
}
