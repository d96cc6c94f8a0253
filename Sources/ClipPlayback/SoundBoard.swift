// SPDX-License-Identifier: Apache-2.0
public import AudioProcessing
internal import Glibc
public import MusicalTime
internal import Realtime
internal import Synchronization

/// Plays system sounds: now or at a moment, up to 64 at once, and tells when each is over.
///
/// Its unit belongs into a graph. Playing costs a record in a ring: nothing is allocated, and the
/// sound begins with the next quantum that is rendered.
///
/// - Note: Any thread. Completions are called one after the other on a thread of the board.
public final class SoundBoard: Sendable {
  /// When a sound begins.
  public enum Start: Hashable, Sendable {
    /// With the next quantum.
    case now
    /// At a frame, in the output's own count.
    case frame(SampleTime)
    /// When an instant of `CLOCK_MONOTONIC` is heard; the board must follow an output.
    ///
    /// Two sounds lie apart as their instants do, to the nearest frame, but for what the output's
    /// clock was found to have parted from the host's between the two calls.
    case host(HostTime)
  }

  /// What is called when a sound is over.
  public typealias Completion = @Sendable (ClipEnd) -> Void

  /// A sound that was played: what `cut` takes.
  public struct Play: Hashable, Sendable {
    let slot: Int32
    let serial: UInt64
  }

  /// The unit that sounds; it belongs into a graph.
  public var unit: ClipUnit { unsafe owned }
  // Only its rings are touched after `init`, under the lock; its kernel is the render thread's.
  private nonisolated(unsafe) let owned: ClipUnit
  private let state: Mutex<State>
  private let wantsUISounds = Atomic<Bool>(true)
  private let signal: (@Sendable () -> Void)?
  /// Microseconds between two looks at the output.
  private static let pause: UInt32 = 2_000
  private let follower = Mutex<RepeatingThread?>(nil)
  private let program: DetachedProgram?

  private struct Slot {
    var serial: UInt64 = 0
    var sound: SystemSound?
    var completion: Completion?
    /// Whether its end was told of already; the kernel may still read the sound.
    var isStopped = false

    var isUnderWay: Bool { sound != nil && !isStopped }
  }

  private struct State {
    var slots = Array(repeating: Slot(), count: ClipKernel.slotLimit)
    var free = (0..<Int32(ClipKernel.slotLimit)).reversed().map(\.self)
    /// Over, and not heard to their end yet.
    var ended: [ClipFact] = []
    var children: [DetachedClip] = []
    /// Where the output's time lies on the host's clock, once that is known.
    var base: TimeBase?
  }

  /// Creates a board.
  ///
  /// - Parameters:
  ///   - rate: the output's rate.
  ///   - program: what plays the sounds that complete if the process dies; nil has none.
  ///   - alert: called for each alert: to flash a screen or to ring a bell.
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
    // The graph may go on without the board.
    unit.heldSounds = state.withLock { state in state.slots.compactMap(\.sound) }
  }

  /// Whether sounds of the interface are heard; others are in any case.
  public var playsUISounds: Bool {
    get { wantsUISounds.load(ordering: .relaxed) }
    set { wantsUISounds.store(newValue, ordering: .relaxed) }
  }

  /// Plays a sound.
  ///
  /// - Parameters:
  ///   - sound: what to play.
  ///   - start: when.
  ///   - gain: a linear factor.
  ///   - pan: −1 (left) to 1 (right).
  ///   - completion: called once, whatever happens, when the last frame has been heard.
  /// - Returns: what `cut` takes.
  /// - Throws: `ClipError.disposed`, `.noRoom`, `.notRunning`, `.cannotDetach`, and `.cannotWait`
  ///   where another process is to play and `start` is not `.now`; the completion is not called.
  /// - Note: Allocates nothing, but for a sound that completes if the process dies.
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

  /// Plays a sound as an alert: the board's signal is given, too.
  ///
  /// - Throws: as `play`.
  @discardableResult
  public func playAlert(
    _ sound: SystemSound, gain: Float = 1, completion: Completion? = nil
  ) throws(ClipError) -> Play {
    let play = try play(sound, gain: gain, completion: completion)
    signal?()
    return play
  }

  /// Plays a sound and waits until it is over.
  ///
  /// - Throws: as `play`.
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

  /// Ends a sound with a fade of 5 ms, or before it has begun; one that is over stays so.
  public func cut(_ play: Play) {
    state.withLock { state in
      let slot = state.slots[Int(play.slot)]
      guard slot.serial == play.serial, let sound = slot.sound else { return }
      _ = unit.orders.writer.push(ClipOrder(cut: play.slot, of: sound.memory))
    }
  }

  /// Lets a sound go: it cannot be played any more, and its memory is freed once it is silent.
  ///
  /// - Parameters:
  ///   - sound: what is let go.
  ///   - cutting: whether what sounds of it is cut; otherwise it is heard to its end.
  public func dispose(_ sound: SystemSound, cutting: Bool = false) {
    sound.dispose()
    guard cutting else { return }
    state.withLock { state in
      for (index, slot) in state.slots.enumerated() where slot.sound === sound {
        _ = unit.orders.writer.push(ClipOrder(cut: Int32(index), of: sound.memory))
      }
    }
  }

  /// The sounds that are under way.
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

  /// The frame of the output that is heard at an instant of `CLOCK_MONOTONIC`, to the nearest:
  /// players that are given it start there together.
  ///
  /// - Throws: `ClipError.notRunning` where the board follows no output.
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
  /// Tells of the sounds whose last frame has been heard, by the frame that is heard now.
  ///
  /// - Note: One thread at a time; `follow` has one of its own.
  public func deliver(heardThrough frame: SampleTime) {
    let over = state.withLock { state in
      takeFacts(&state)
      let due = state.ended.filter { $0.endFrame <= frame.frames }
      state.ended.removeAll { $0.endFrame <= frame.frames }
      return due.map { Self.release($0, &state) } + Self.reap(&state)
    }
    for (completion, end) in over { completion?(end) }
  }

  /// Starts to tell of ends, and to understand host times, by an output that runs the graph.
  ///
  /// - Parameters:
  ///   - output: the output.
  ///   - plan: what it renders, whose latency is counted then too; nil counts the output's alone.
  ///   - base: where its time lies on the host's clock, from whoever follows its clock already; nil
  ///     where nobody else asks for that clock. Called every 2 ms on a thread of the board's.
  /// - Throws: `RealtimeError` where no thread can be had.
  public func follow(
    _ output: any OutputUnit, rendering plan: RenderPlan? = nil,
    base: (@Sendable () -> TimeBase?)? = nil
  ) throws {
    // An output may be asked for its position by any thread, and for its clock by one.
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

  /// Ends what `follow` began; what still sounds is cut, and told of as stopped.
  ///
  /// A sound stays in memory until the graph has been rendered without it, or is gone.
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

  /// Takes what the kernel says; of what was told of already, only the slot is left to free.
  private func takeFacts(_ state: inout State) {
    while let fact = unit.facts.reader.pop() {
      if state.slots[Int(fact.slot)].isStopped {
        _ = Self.release(fact, &state)
      } else {
        state.ended.append(fact)
      }
    }
  }

  /// Cuts a clip whose end is told of now; the slot and the sound are kept until the kernel's word.
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
