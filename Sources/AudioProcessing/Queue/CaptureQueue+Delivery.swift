// SPDX-License-Identifier: Apache-2.0
public import MusicalTime
public import Realtime
internal import Synchronization

extension CaptureQueue {
  /// An event of a capture.
  ///
  /// Its frames are on the timeline of the captured sound.
  public enum Event: Hashable, Sendable {
    /// Sound was captured.
    case sound(CapturedSound)
    /// Frames before this frame were lost, because earlier sound was not delivered in time.
    ///
    /// A nil count means that the device lost an unknown number of frames.
    case dropped(frame: SampleTime, frameCount: Int?)
    /// Capture is paused from this frame.
    case paused(frame: SampleTime)
    /// Capture has stopped; the sound of this run is complete.
    case stopped(frame: SampleTime)
  }

  /// A stream of events from now on.
  ///
  /// It ends with the queue.
  ///
  /// Events are produced by `follow`, `read` or `deliver`.
  public var events: AsyncStream<Event> { observers.stream }

  /// A stream of sounds from now on.
  ///
  /// It ends when the capture is stopped, or with the queue.
  ///
  /// Sounds wait in the stream without a limit.
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

  /// Calls a closure for each event from now on, on the thread of `follow` or `read`, or in
  /// `deliver`.
  @discardableResult
  public func observe(_ body: @escaping @Sendable (Event) -> Void) -> SoundQueue.Observer {
    SoundQueue.Observer(number: observers.add(body))
  }

  /// Removes an observer.
  public func forget(_ observer: SoundQueue.Observer) {
    observers.remove(observer.number)
  }

  /// Delivers the captured sound to all streams and observers.
  ///
  /// - Parameter clock: the relation of frames to host time; nil if it is not needed.
  /// - Note: One thread at a time, but not the render thread.
  public func deliver(clock: SampleClock? = nil) {
    deliver(clock: clock, endsSound: false)
  }

  /// Delivers the captured sound, including an incomplete buffer if the next frames do not follow
  /// it.
  func deliver(clock: SampleClock?, endsSound: Bool) {
    for event in takeEvents(clock, endsSound: endsSound) { observers.tell(event) }
  }

  /// Starts a thread that delivers the captured sound every 2 ms.
  ///
  /// - Parameter output: the output that renders the graph, for the host times of sounds; nil
  ///   leaves them out. The thread reads its clock, so other threads must not read it.
  /// - Throws: `RealtimeError` if the thread cannot be created.
  public func follow(_ output: (any OutputUnit)? = nil) throws(RealtimeError) {
    // The protocol of outputs allows any thread to read the clock.
    nonisolated(unsafe) let output = output
    replaceFollower(
      try QueueFollower { [weak self] in
        guard let self else { return false }
        deliver(clock: unsafe output?.clock)
        return true
      })
  }

  /// Starts a thread that reads an input and delivers its sound.
  ///
  /// Frames are counted from the first that is read. In this case the queue is not part of a graph.
  ///
  /// - Parameter input: the input, which only the queue reads from now on. It must have the channel
  ///   count and the sample rate of the queue.
  /// - Throws: `RealtimeError` if the thread cannot be created.
  public func read(_ input: sending any SoundInput) throws(RealtimeError) {
    precondition(
      input.channelCount == channelCount && input.rate == rate,
      "capture and input must have equal channels and rates")
    // Only the reading thread uses it.
    nonisolated(unsafe) let intake = CaptureIntake(input)
    replaceFollower(
      // The input itself waits.
      try QueueFollower(pause: 0) { [weak self] in
        guard let self else { return false }
        return unsafe intake.take(into: self)
      })
  }

  /// Stops the thread that `follow` or `read` started.
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
