// SPDX-License-Identifier: Apache-2.0
internal import CJACK
internal import ClockService
internal import MusicalTime
internal import Realtime
internal import Synchronization

/// The transport of a client's server: its position in each cycle, the readiness of the song, and
/// the bars if the client is the timebase.
final class TransportDuty: JACKDuty, @unchecked Sendable {
  // Unchecked: as its superclass; other threads read only a snapshot or atomic values.

  let frames: Snapshot<RollingFrames>
  /// The number of moves for which the song is ready.
  let acknowledged = Atomic<UInt32>(0)
  /// True if a song follows the transport.
  let isFollowed = Atomic<Bool>(false)
  /// The output of the same client that goes with it.
  let output: OutputDuty?
  /// True if the client is the timebase of the server.
  let leadsBars = Atomic<Bool>(false)
  private let writer: SnapshotWriter<RollingFrames>
  private let rate: SampleRate
  private let bars: BarTable?
  private let takesOver: Bool
  private let latency = Atomic<Int>(0)
  // The following properties belong to the server's thread.
  private var moves: UInt32 = 0
  private var frame: UInt32 = 0
  private var start: UInt32 = 0
  private var motion = RollingFrames.Motion.stopped
  private var expected: UInt32 = 0
  /// The frames for which the output has waited until a cancelled start is undone.
  private var waited = Int.max
  private var cardPort: JACKPort?

  /// Creates a duty.
  ///
  /// - Parameters:
  ///   - rate: The sample rate of the server.
  ///   - bars: The bars of which the client is the timebase; nil to follow another client's.
  ///   - takesOver: True to replace another client as the timebase.
  ///   - output: The output that goes with the transport; nil for none.
  init(rate: SampleRate, bars: BarTable?, takesOver: Bool, output: OutputDuty?) {
    (self.rate, self.bars, self.takesOver, self.output) = (rate, bars, takesOver, output)
    frames = Snapshot(.standing(at: rate))
    writer = frames.writer
  }

  override var order: Order { .receiving }

  override func open(_ handle: JACKHandle) throws(JACKError) {
    let context = unsafe handle.context(for: self)
    let calls = unsafe handle.table.pointee
    _ = unsafe calls.set_sync_callback(
      handle.client,
      { state, position, context in
        guard let position = unsafe position else { return 1 }
        let frame = unsafe cjack_place(JackTransportStopped, position).frame
        return unsafe JACKCallee.call(context, TransportDuty.self) {
          $0.isReady(at: frame, in: state) ? 1 : 0
        } ?? 1
      }, context)
    let card = handle.ports(JACKHandle.audio, JackPortIsInput, JackPortIsPhysical).first
    if let card, let port = unsafe calls.port_by_name(handle.client, card) {
      cardPort = unsafe JACKPort(pointer: port)
    }
    guard bars != nil else { return }
    let code = unsafe calls.set_timebase_callback(
      handle.client, takesOver ? 0 : 1,
      { _, _, position, _, context in
        guard let position = unsafe position else { return }
        _ = unsafe JACKCallee.call(context, TransportDuty.self) { unsafe $0.fill(position) }
      }, context)
    leadsBars.store(code == 0, ordering: .relaxed)
  }

  override func close(_ handle: JACKHandle) {
    _ = unsafe handle.table.pointee.set_sync_callback(handle.client, nil, nil)
    if bars != nil { _ = unsafe handle.table.pointee.release_timebase(handle.client) }
    handle.forget(self)
  }

  override func lookAtLatency(_ mode: JackLatencyCallbackMode, _ library: JACKLibrary) {
    guard mode == JackPlaybackLatency, let cardPort else { return }
    latency.store(library.latency(of: cardPort, mode), ordering: .relaxed)
  }

  override func note(isAway: Bool) {
    guard isAway else { return }
    writer.write(.standing(at: rate, isThere: false))
  }

  override func process(_ cycle: JACKCycle) {
    let place = unsafe cjack_query(cycle.table, cycle.client)
    let rolls = place.state == JackTransportRolling || place.state == JackTransportLooping
    let starts = Self.isStarting(place.state)
    let isMoved = place.frame != expected
    let wasStarting = motion == .starting
    if isMoved || starts != wasStarting && !rolls { moves &+= 1 }
    if isMoved || motion != .rolling { start = place.frame }
    frame = place.frame
    motion = rolls ? .rolling : starts ? .starting : .stopped
    expected = rolls ? place.frame &+ UInt32(truncatingIfNeeded: cycle.frameCount) : place.frame
    let isHeld = isFollowed.load(ordering: .relaxed) && (starts || isTakingBack(cycle, wasStarting))
    let delay = Double(latency.load(ordering: .relaxed)) * cycle.nanosecondsPerFrame
    writer.write(
      RollingFrames(
        motion: motion, frame: Int64(place.frame), start: Int64(start),
        line: cycle.line(at: Int64(place.frame), later: Int64(delay)), rate: rate, moves: moves,
        beats: beats(place), isThere: true, output: output?.follow(waiting: isHeld, cycle)))
  }

  /// True while events that were sent for a cancelled start are not cancelled yet, for a second at
  /// most.
  private func isTakingBack(_ cycle: JACKCycle, _ wasStarting: Bool) -> Bool {
    guard motion == .stopped else {
      waited = .max
      return false
    }
    if wasStarting { waited = 0 }
    guard waited < rate.hertz, acknowledged.load(ordering: .acquiring) != moves else {
      waited = .max
      return false
    }
    waited += cycle.frameCount
    return true
  }

  override func rest(_ cycle: JACKCycle) {
    writer.write(.standing(at: rate, isThere: false))
  }

  private static func isStarting(_ state: jack_transport_state_t) -> Bool {
    state == JackTransportStarting || state == JackTransportNetStarting
  }

  /// True if the song has noted the start position of the transport, and has sent the events that
  /// are due there.
  ///
  /// The server asks before each cycle. If it has stopped waiting, it has already started.
  private func isReady(at frame: UInt32, in state: jack_transport_state_t) -> Bool {
    guard isFollowed.load(ordering: .relaxed), state != JackTransportRolling else { return true }
    return self.frame == frame && (motion == .starting || !Self.isStarting(state))
      && acknowledged.load(ordering: .acquiring) == moves
  }

  private func fill(_ position: UnsafeMutablePointer<jack_position_t>) {
    guard let bars else { return }
    let frame = unsafe cjack_place(JackTransportStopped, position).frame
    guard var place = bars.place(at: frame) else { return }
    unsafe cjack_set_bars(position, &place)
  }

  /// The beats of another client that is the timebase.
  private func beats(_ place: CJACKPlace) -> RollingFrames.Beats? {
    guard place.has_bars, !leadsBars.load(ordering: .relaxed), place.ticks_per_beat > 0,
      place.beats_per_minute > 0, place.beat_type > 0
    else { return nil }
    let quarter = Double(place.beat_type) / 4
    // Some clients leave out the number of ticks before the bar.
    let before =
      place.bar_start_tick > 0 || place.bar <= 1
      ? place.bar_start_tick
      : Double(place.bar - 1) * Double(place.beats_per_bar) * place.ticks_per_beat
    let ticks = before + Double(place.beat - 1) * place.ticks_per_beat + place.tick
    return RollingFrames.Beats(
      frame: Int64(place.frame),
      quarters: Int64((ticks / place.ticks_per_beat / quarter * 1e6).rounded()),
      grain: Int64((1.01e6 / place.ticks_per_beat / quarter).rounded(.up)),
      nanosecondsPerQuarter: max(1, Int64((60e9 / place.beats_per_minute * quarter).rounded())))
  }
}
