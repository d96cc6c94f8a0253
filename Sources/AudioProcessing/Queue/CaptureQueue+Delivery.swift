// SPDX-License-Identifier: Apache-2.0
public import MusicalTime
public import Realtime
internal import Synchronization

extension CaptureQueue {
  /// What happens to a capture, each in the count of what is captured.
  public enum Event: Hashable, Sendable {
    /// Frames were captured.
    case sound(CapturedSound)
    /// So many frames before this one were lost: nobody fetched what was before them. Nil is an
    /// unknown number, which the device lost.
    case dropped(frame: SampleTime, frameCount: Int?)
    /// It takes nothing from this frame on, until it is started.
    case paused(frame: SampleTime)
    /// It has stopped: no sound of this run comes any more.
    case stopped(frame: SampleTime)
  }

  /// What happens from now on, as a stream; it ends with the queue.
  ///
  /// Somebody must `follow`, `read` an input or call `deliver`.
  public var events: AsyncStream<Event> { observers.stream }

  /// The sounds from now on, as a stream; it ends with the queue, or where that is stopped.
  ///
  /// What nobody takes out of the stream waits in it without a limit.
  public var sounds: AsyncStream<CapturedSound> {
    let observers = observers
    return AsyncStream { continuation in
      let observer = observers.add { event in
        switch event {
        case .sound(let sound): continuation.yield(sound)
        case .stopped: continuation.finish()
        case .dropped, .paused: break
        }
      } onEnd: {
        continuation.finish()
      }
      continuation.onTermination = { _ in observers.remove(observer) }
    }
  }

  /// Has a closure told of what happens from now on, by the thread of `follow` or `read`, or by
  /// whoever calls `deliver`.
  @discardableResult
  public func observe(_ body: @escaping @Sendable (Event) -> Void) -> SoundQueue.Observer {
    SoundQueue.Observer(number: observers.add(body))
  }

  /// Ends what `observe` began.
  public func forget(_ observer: SoundQueue.Observer) {
    observers.remove(observer.number)
  }

  /// Hands out what has been captured, to whoever listens.
  ///
  /// - Parameter clock: where the frames lie in host time; nil leaves that out.
  /// - Note: One thread at a time, and not the render thread.
  public func deliver(clock: SampleClock? = nil) {
    deliver(clock: clock, endsSound: false)
  }

  /// Hands out what has been captured, also what has not the length of a sound yet where nothing
  /// that follows it belongs to it.
  func deliver(clock: SampleClock?, endsSound: Bool) {
    for event in takeEvents(clock, endsSound: endsSound) { observers.tell(event) }
  }

  /// Gives the queue a thread that hands out what was captured, every 2 ms.
  ///
  /// - Parameter output: what runs the graph, for the host times of sounds; nil leaves them out. It
  ///   is asked for its clock, which nobody else may do meanwhile.
  /// - Throws: `RealtimeError` where no thread can be had.
  public func follow(_ output: (any OutputUnit)? = nil) throws(RealtimeError) {
    // An output may be asked for its clock by any thread, as its protocol says.
    nonisolated(unsafe) let output = output
    replaceFollower(
      try QueueFollower { [weak self] in
        guard let self else { return false }
        deliver(clock: unsafe output?.clock)
        return true
      })
  }

  /// Gives the queue a thread that reads an input, and hands out what was captured of it.
  ///
  /// Frames are counted from the first that is read. The queue is not in a graph then.
  ///
  /// - Parameter input: what is read, by nobody else from now on; it has the channels and the rate of
  ///   the queue.
  /// - Throws: `RealtimeError` where no thread can be had.
  public func read(_ input: sending any SoundInput) throws(RealtimeError) {
    precondition(
      input.channelCount == channelCount && input.rate == rate,
      "capture and input must have equal channels and rates")
    // The reading thread's alone.
    nonisolated(unsafe) let intake = CaptureIntake(input)
    replaceFollower(
      // The input waits itself.
      try QueueFollower(pause: 0) { [weak self] in
        guard let self else { return false }
        return unsafe intake.take(into: self)
      })
  }

  /// Ends what `follow` and `read` began.
  public func stopFollowing() {
    replaceFollower(nil)
  }

  private func replaceFollower(_ new: QueueFollower?) {
    let old = follower.withLock { follower in
      defer { follower = new }
      return follower
    }
    old?.stop()
  }
}
