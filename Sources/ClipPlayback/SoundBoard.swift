// SPDX-License-Identifier: Apache-2.0
public import AudioProcessing
internal import Glibc
public import MusicalTime
internal import Realtime
internal import Synchronization

/// Plays system sounds immediately or at a given time, up to 64 at once, and reports the end of
/// each.
///
/// Add its `unit` to an audio graph. Playing a sound does not allocate memory. By default, a sound
/// starts with the next rendered quantum (64 frames).
///
/// - Note: Safe to use from any thread. Completions are called one after another on a separate
///   thread.
public final class SoundBoard: Sendable {
  /// The time at which a sound starts.
  public enum Start: Hashable, Sendable {
    /// The sound starts immediately, with the next rendered quantum.
    case now
    /// The sound starts at an output frame.
    case frame(SampleTime)
    /// The sound becomes audible at a host time (`CLOCK_MONOTONIC`).
    ///
    /// `follow` must have been called. Intervals between the start times of sounds are exact to the
    /// nearest frame, except for the drift between the clocks of output and host that is measured
    /// between two calls.
    case host(HostTime)
  }

  /// A function that is called when a sound has ended.
  public typealias Completion = @Sendable (ClipEnd) -> Void

  /// Identifies a sound that was started; pass it to `cut` to stop the sound.
  public struct Play: Hashable, Sendable {
    let slot: Int32
    let serial: UInt64
  }

  /// The unit that plays the sounds; add it to an audio graph.
  public var unit: ClipUnit { unsafe owned }
  // Only its rings are used after `init`, under the lock; its kernel belongs to the render thread.
  private nonisolated(unsafe) let owned: ClipUnit
  private let state: Mutex<State>
  private let wantsUISounds = Atomic<Bool>(true)
  private let signal: (@Sendable () -> Void)?
  /// The interval in microseconds at which the thread checks the output.
  private static let pause: UInt32 = 2_000
  private let follower = Mutex<RepeatingThread?>(nil)
  private let program: DetachedProgram?

  private struct Slot {
    var serial: UInt64 = 0
    var sound: SystemSound?
    var completion: Completion?
    /// True if its end was already reported; the kernel can still read the sound.
    var isStopped = false

    var isUnderWay: Bool { sound != nil && !isStopped }
  }

  private struct State {
    var slots = Array(repeating: Slot(), count: ClipKernel.slotLimit)
    var free = (0..<Int32(ClipKernel.slotLimit)).reversed().map(\.self)
    /// Sounds that have ended in the kernel but are still audible.
    var ended: [ClipFact] = []
    var children: [DetachedClip] = []
    /// The relation between the times of output and host, if it is known.
    var base: TimeBase?
  }

  /// Creates a board.
  ///
  /// - Parameters:
  ///   - rate: The sample rate of the output.
  ///   - program: The program that plays sounds whose `completesIfProcessDies` is true; nil to play
  ///     them like all others.
  ///   - alert: Called for each alert, for example to flash a screen or ring a bell.
  public init(
    rate: SampleRate, program: DetachedProgram? = nil, alert: (@Sendable () -> Void)? = nil
  ) {
    unsafe owned = ClipUnit(rate: rate)
    var state = State()
    state.ended.reserveCapacity(2 * ClipKernel.slotLimit)
    self.state = Mutex(state)
    self.program = program
    signal = alert
  }

  deinit {
    end()
    // The graph can outlive the board.
    unit.heldSounds = state.withLock { state in state.slots.compactMap(\.sound) }
  }

  /// True if user interface sounds (`SystemSound.isUISound`) are played; true by default.
  ///
  /// Other sounds are always played.
  public var playsUISounds: Bool {
    get { wantsUISounds.load(ordering: .relaxed) }
    set { wantsUISounds.store(newValue, ordering: .relaxed) }
  }

  /// Plays a sound.
  ///
  /// - Parameters:
  ///   - sound: The sound.
  ///   - start: The time at which it starts; by default immediately.
  ///   - gain: A linear factor.
  ///   - pan: The pan, −1 (left) to 1 (right).
  ///   - completion: Called once when the sound has ended, for any reason.
  /// - Returns: A token with which `cut` can stop the sound.
  /// - Throws: `ClipError.disposed`, `.noRoom`, `.notRunning`, `.cannotDetach`, and `.cannotWait`
  ///   if another process plays the sound and `start` is not `.now`. If an error is thrown, the
  ///   completion is not called.
  /// - Note: The call does not allocate memory, unless another process plays the sound.
  @discardableResult
  public func play(
    _ sound: SystemSound, at start: Start = .now, gain: Float = 1, pan: Float = 0,
    completion: Completion? = nil
  ) throws(ClipError) -> Play {
    guard !sound.isDisposed else { throw .disposed }
    if sound.completesIfProcessDies, let program, !isSilenced(sound) {
      guard start == .now else { throw .cannotWait }
      return try detach(sound, to: program, gain: gain, pan: pan, completion: completion)
    }
    let sides = PanLaw.balance.gains(at: pan)
    return try state.withLock { (state) throws(ClipError) in
      let frame = try frame(of: start, state)
      guard let slot = state.free.popLast() else { throw .noRoom }
      let index = Int(slot)
      state.slots[index].serial &+= 1
      state.slots[index].sound = sound
      state.slots[index].completion = completion
      if isSilenced(sound) {
        state.ended.append(ClipFact(slot: slot, reason: .silenced, endFrame: .min))
      } else {
        let order = ClipOrder(
          start: sound.memory, slot: slot, at: frame, leftGain: gain * sides.left,
          rightGain: gain * sides.right)
        guard unit.orders.writer.push(order) else {
          _ = Self.release(ClipFact(slot: slot, reason: .refused, endFrame: 0), &state)
          throw .noRoom
        }
      }
      return Play(slot: slot, serial: state.slots[index].serial)
    }
  }

  /// Plays a sound as an alert, and calls the board's `alert` function.
  ///
  /// - Throws: The errors of `play`.
  @discardableResult
  public func playAlert(
    _ sound: SystemSound, gain: Float = 1, completion: Completion? = nil
  ) throws(ClipError) -> Play {
    let play = try play(sound, gain: gain, completion: completion)
    signal?()
    return play
  }

  /// Plays a sound and waits for its end.
  ///
  /// - Returns: The end of the sound.
  /// - Throws: The errors of `play`.
  public func playToEnd(
    _ sound: SystemSound, at start: Start = .now, gain: Float = 1, pan: Float = 0
  ) async throws -> ClipEnd {
    try await withCheckedThrowingContinuation { continuation in
      do {
        try play(sound, at: start, gain: gain, pan: pan) { continuation.resume(returning: $0) }
      } catch {
        continuation.resume(throwing: error)
      }
    }
  }

  /// Stops a sound with a fade of 5 ms, or cancels its start if it has not started.
  ///
  /// If the sound has ended, the call does not have an effect.
  public func cut(_ play: Play) {
    state.withLock { state in
      let slot = state.slots[Int(play.slot)]
      guard slot.serial == play.serial, let sound = slot.sound else { return }
      _ = unit.orders.writer.push(ClipOrder(cut: play.slot, of: sound.memory))
    }
  }

  /// Disposes of a sound, so that it cannot be played again.
  ///
  /// The memory of the sound is freed when the sound is silent.
  ///
  /// - Parameters:
  ///   - sound: The sound.
  ///   - cutting: True to stop the sound if it is playing; false to play it to its end.
  public func dispose(_ sound: SystemSound, cutting: Bool = false) {
    sound.dispose()
    guard cutting else { return }
    state.withLock { state in
      for (index, slot) in state.slots.enumerated() where slot.sound === sound {
        _ = unit.orders.writer.push(ClipOrder(cut: Int32(index), of: sound.memory))
      }
    }
  }

  /// The number of sounds that are playing or waiting for their start.
  public var activeCount: Int {
    state.withLock { state in state.slots.count(where: \.isUnderWay) + state.children.count }
  }

  private func isSilenced(_ sound: SystemSound) -> Bool { sound.isUISound && !playsUISounds }

  private func frame(of start: Start, _ state: State) throws(ClipError) -> Int64 {
    switch start {
    case .now: return ClipOrder.atOnce
    case .frame(let time): return time.frames
    case .host(let time): return try frame(at: time, state.base).frames
    }
  }

  private func frame(at time: HostTime, _ base: TimeBase?) throws(ClipError) -> SampleTime {
    guard let base else { throw .notRunning }
    return unit.rate.nearestFrame(to: base.time(at: time))
  }

  /// Returns the output frame that is audible at a host time (`CLOCK_MONOTONIC`), rounded to the
  /// nearest.
  ///
  /// Players that start at this frame are in sync.
  ///
  /// - Throws: `ClipError.notRunning` if the board does not follow an output.
  public func frame(at time: HostTime) throws(ClipError) -> SampleTime {
    let base = state.withLock(\.base)
    return try frame(at: time, base)
  }

  private func detach(
    _ sound: SystemSound, to program: DetachedProgram, gain: Float, pan: Float,
    completion: Completion?
  ) throws(ClipError) -> Play {
    let child = try DetachedClip(sound.path, program, gain: gain, pan: pan, completion)
    state.withLock { $0.children.append(child) }
    return Play(slot: 0, serial: 0)
  }
}

extension SoundBoard {
  /// Calls the completions of the sounds that have ended.
  ///
  /// You do not need to call this method if `follow` was called.
  ///
  /// - Parameter frame: The output frame that is audible now.
  /// - Note: Call it from one thread at a time.
  public func deliver(heardThrough frame: SampleTime) {
    let over = state.withLock { state in
      takeFacts(&state)
      let due = state.ended.filter { $0.endFrame <= frame.frames }
      state.ended.removeAll { $0.endFrame <= frame.frames }
      return due.map { Self.release($0, &state) } + Self.reap(&state)
    }
    for (completion, end) in over { completion?(end) }
  }

  /// Starts a thread that calls completions when sounds have ended, and makes start times in host
  /// time possible.
  ///
  /// - Parameters:
  ///   - output: The output that renders the graph.
  ///   - plan: The plan that the output renders, whose latency is added to that of the output; nil
  ///     to use the output's latency alone.
  ///   - base: Returns the relation between the times of output and host, if another object already
  ///     reads the output's clock; nil if the board should read the clock. The closure is called
  ///     every 2 ms on a separate thread.
  /// - Throws: `RealtimeError` if the thread cannot be created.
  public func follow(
    _ output: any OutputUnit, rendering plan: RenderPlan? = nil,
    base: (@Sendable () -> TimeBase?)? = nil
  ) throws {
    // Any thread can read the position of an output, and one thread its clock.
    nonisolated(unsafe) let output = output
    nonisolated(unsafe) let own = unsafe ReferenceClock(
      rate: output.format.rate, latency: output.latency, graphLatency: plan?.latency ?? 0)
    let new = try RepeatingThread(name: "clip ends", pause: Self.pause) { [weak self, weak plan] in
      guard let self else { return false }
      if base == nil { unsafe own.look(output.clock, at: output.position) }
      let known = unsafe base == nil ? own.base : base?()
      state.withLock { $0.base = known }
      let heard = unsafe output.position.frames - Int64(output.latency + (plan?.latency ?? 0))
      deliver(heardThrough: SampleTime(frames: heard))
      return true
    }
    let old = follower.withLock { follower in
      defer { follower = new }
      return follower
    }
    old?.stop()
  }

  /// Stops the thread that `follow` started, and cuts all sounds, which are reported as stopped.
  ///
  /// The memory of a sound is freed when the graph has been rendered without the sound, or is
  /// released.
  public func end() {
    let old = follower.withLock { $0.take() }
    old?.stop()
    let rest = state.withLock { state in
      state.base = nil
      takeFacts(&state)
      let over = state.ended.map { Self.release($0, &state) }
      state.ended.removeAll()
      let open = state.slots.indices.filter { state.slots[$0].isUnderWay }
      return over + open.map { (abandon($0, &state), ClipEnd(reason: .stopped, frame: 0)) }
    }
    for (completion, end) in rest { completion?(end) }
  }

  /// Reads the kernel's reports.
  ///
  /// For a sound whose end was already reported, only the slot is freed.
  private func takeFacts(_ state: inout State) {
    while let fact = unit.facts.reader.pop() {
      if state.slots[Int(fact.slot)].isStopped {
        _ = Self.release(fact, &state)
      } else {
        state.ended.append(fact)
      }
    }
  }

  /// Cuts a clip whose end is reported now.
  ///
  /// The slot and the sound are kept until the kernel has reported it.
  private func abandon(_ index: Int, _ state: inout State) -> Completion? {
    state.slots[index].isStopped = true
    if let sound = state.slots[index].sound {
      _ = unit.orders.writer.push(ClipOrder(cut: Int32(index), of: sound.memory))
    }
    return state.slots[index].completion.take()
  }

  private static func release(
    _ fact: ClipFact, _ state: inout State
  ) -> (completion: Completion?, end: ClipEnd) {
    let completion = state.slots[Int(fact.slot)].completion
    state.slots[Int(fact.slot)].completion = nil
    state.slots[Int(fact.slot)].sound = nil
    state.slots[Int(fact.slot)].isStopped = false
    state.free.append(fact.slot)
    return (
      completion, ClipEnd(reason: fact.reason, frame: max(0, SampleTime(frames: fact.endFrame)))
    )
  }

  private static func reap(_ state: inout State) -> [(completion: Completion?, end: ClipEnd)] {
    guard !state.children.isEmpty else { return [] }
    var over: [(completion: Completion?, end: ClipEnd)] = []
    state.children.removeAll { child in
      guard let reason = child.end else { return false }
      over.append((child.completion, ClipEnd(reason: reason, frame: 0)))
      return true
    }
    return over
  }
}
