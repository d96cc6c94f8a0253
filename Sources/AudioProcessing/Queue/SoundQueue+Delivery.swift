// SPDX-License-Identifier: Apache-2.0
public import MusicalTime
public import Realtime
internal import Synchronization

extension SoundQueue {
  /// Which moment of an event it is told at.
  public enum Telling: Hashable, Sendable {
    /// As soon as it was rendered: in time to fill a buffer anew.
    case rendered
    /// When it is heard, the output's latency later.
    case heard
  }

  /// What happens from now on, as a stream; it ends with the queue.
  ///
  /// Somebody must call `deliver`, or `follow` an output.
  public var events: AsyncStream<Event> { observers.stream }

  /// An observer, for `forget`.
  public struct Observer: Hashable, Sendable {
    let number: Int
  }

  /// Has a closure told of what happens from now on, by whoever calls `deliver`.
  @discardableResult
  public func observe(_ body: @escaping @Sendable (Event) -> Void) -> Observer {
    Observer(number: observers.add(body))
  }

  /// Ends what `observe` began.
  public func forget(_ observer: Observer) {
    observers.remove(observer.number)
  }

  /// Tells of what has happened: calls completions, then gives the event to whoever listens.
  ///
  /// - Parameter frame: the output's frame up to which it is told; the rest waits.
  /// - Note: One thread at a time, and not the render thread. A completion may enqueue and command.
  public func deliver(through frame: SampleTime = .max) {
    let due = state.withLock { state in
      takeFacts(&state)
      let count = state.untold.firstIndex { $0.fact.frame > frame.frames } ?? state.untold.count
      defer { state.untold.removeFirst(count) }
      // A copy: `untold` is changed while these are told.
      return state.untold.prefix(count).map(\.self)
    }
    for (fact, completion) in due {
      let event = Event(fact)
      if case .done(let done) = event { completion?(done) }
      observers.tell(event)
    }
  }

  /// Takes what the render thread told, and lets go of the buffers that came back.
  func takeFacts(_ state: inout State) {
    while let fact = facts.reader.pop() {
      let completion = fact.kind.isEnd ? takeBack(fact, &state) : nil
      // What nobody listens to is not kept.
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

  /// Gives the queue a thread that tells of what happens on an output that runs it, every 2 ms.
  ///
  /// - Parameters:
  ///   - output: what renders the queue.
  ///   - plan: by what, whose latency is counted then too; nil counts the output's alone.
  ///   - telling: whether an event is told when it was rendered, or when it is heard.
  /// - Throws: `RealtimeError` where no thread can be had.
  public func follow(
    _ output: any OutputUnit, rendering plan: RenderPlan? = nil, telling: Telling = .rendered
  ) throws(RealtimeError) {
    // An output may be asked for its position by any thread, as its protocol says.
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

  /// Ends what `follow` began.
  public func stopFollowing() {
    follower.withLock { $0.take() }?.stop()
  }
}
