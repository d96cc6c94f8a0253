// SPDX-License-Identifier: Apache-2.0
public import MusicalTime
public import Realtime
internal import Synchronization

extension SoundQueue {
  /// The moment at which events are reported.
  public enum Telling: Hashable, Sendable {
    /// Events are reported when the sound is rendered, in time to fill a buffer again.
    case rendered
    /// Events are reported when the sound is audible, which is later by the latency of the output.
    case heard
  }

  /// A new stream of the events from now on.
  ///
  /// The stream ends when the queue is released. Events are produced by `deliver` or `follow`.
  public var events: AsyncStream<Event> { observers.stream }

  /// Identifies a closure added by `observe`; pass it to `forget` to stop the calls.
  public struct Observer: Hashable, Sendable {
    let number: Int
  }

  /// Adds a closure that is called for each event from now on.
  ///
  /// The calls are made on the thread that calls `deliver` or that `follow` started.
  ///
  /// - Returns: a token that `forget` accepts.
  @discardableResult
  public func observe(_ body: @escaping @Sendable (Event) -> Void) -> Observer {
    Observer(number: observers.add(body))
  }

  /// Removes a closure that `observe` added.
  public func forget(_ observer: Observer) {
    observers.remove(observer.number)
  }

  /// Calls completions, and passes the events that have happened to all streams and observers.
  ///
  /// - Parameter frame: events after this frame of the output are kept for later.
  /// - Note: One thread at a time, but not the render thread. A completion may enqueue buffers and
  ///   send commands.
  public func deliver(through frame: SampleTime = .max) {
    let due = state.withLock { state in
      takeFacts(&state)
      let count = state.untold.firstIndex { $0.fact.frame > frame.frames } ?? state.untold.count
      defer { state.untold.removeFirst(count) }
      // A copy is needed, because `untold` can change while the events are delivered.
      return state.untold.prefix(count).map(\.self)
    }
    for (fact, completion) in due {
      let event = Event(fact)
      if case .done(let done) = event { completion?(done) }
      observers.tell(event)
    }
  }

  /// Reads the reports of the render thread, and releases the returned buffers.
  func takeFacts(_ state: inout State) {
    while let fact = facts.reader.pop() {
      let completion = fact.kind.isEnd ? takeBack(fact, &state) : nil
      // Events without an observer are not kept.
      guard completion != nil || !observers.isEmpty else { continue }
      state.untold.append((fact, completion))
    }
  }

  private func takeBack(_ fact: QueueFact, _ state: inout State) -> Completion? {
    guard let entry = state.enqueued.removeValue(forKey: fact.number) else { return nil }
    entry.buffer.letGo()
    state.waitingFrames -= entry.frameCount
    state.lastEnd = fact.frame
    return entry.completion
  }

  /// Starts a thread that delivers events every 2 ms, while an output renders the queue.
  ///
  /// - Parameters:
  ///   - output: the output that renders the queue.
  ///   - plan: the plan that contains the queue, so that its latency is included; nil to use the
  ///     output's latency alone.
  ///   - telling: the time at which events are reported: when rendered, or when audible.
  /// - Throws: `RealtimeError` if the thread cannot be created.
  public func follow(
    _ output: any OutputUnit, rendering plan: RenderPlan? = nil, telling: Telling = .rendered
  ) throws(RealtimeError) {
    // The protocol of outputs allows any thread to read the position.
    nonisolated(unsafe) let output = output
    let new = try QueueFollower { [weak self, weak plan] in
      guard let self else { return false }
      let heard = unsafe output.position.frames - Int64(output.latency + (plan?.latency ?? 0))
      deliver(through: telling == .rendered ? .max : SampleTime(frames: heard))
      return true
    }
    let old = follower.withLock { follower in
      defer { follower = new }
      return follower
    }
    old?.stop()
  }

  /// Stops the thread that `follow` started.
  public func stopFollowing() {
    follower.withLock { $0.take() }?.stop()
  }
}
