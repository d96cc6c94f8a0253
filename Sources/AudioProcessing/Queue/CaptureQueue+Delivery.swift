// SPDX-License-Identifier: Apache-2.0
public import MusicalTime
public import Realtime
internal import Synchronization

extension CaptureQueue {
  /// An event of a capture.
  ///
  /// The frames of an event are positions on the timeline of the captured sound.
  public enum Event: Hashable, Sendable {
    /// Sound was captured.
    case sound(CapturedSound)
    /// A number of frames directly before this frame were lost, because earlier sound was not
    /// delivered in time.
    ///
    /// If the count is nil, the device lost an unknown number of frames.
    case dropped(frame: SampleTime, frameCount: Int?)
    /// Capture is paused; this is the first frame that was not captured.
    case paused(frame: SampleTime)
    /// Capture has stopped, and all captured sound has been delivered.
    case stopped(frame: SampleTime)
  }

  /// A new stream of the events from now on.
  ///
  /// The stream ends when the queue is released. Events are produced by `follow`, `read` or
  /// `deliver`.
  public var events: AsyncStream<Event> { observers.stream }

  /// A new stream of the captured sounds from now on.
  ///
  /// The stream ends when the capture is stopped or the queue is released. The number of sounds
  /// that can wait in the stream is not limited.
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

  /// Adds a closure that is called for each event from now on.
  ///
  /// The calls are made on the thread that `follow` or `read` started, or in `deliver`.
  ///
  /// - Returns: a token that `forget` accepts.
  @discardableResult
  public func observe(_ body: @escaping @Sendable (Event) -> Void) -> SoundQueue.Observer {
    SoundQueue.Observer(number: observers.add(body))
  }

  /// Removes a closure that `observe` added.
  public func forget(_ observer: SoundQueue.Observer) {
    observers.remove(observer.number)
  }

  /// Delivers the captured sound to all streams and observers.
  ///
  /// - Parameter clock: the relation of frames to host time; if nil, sounds do not have host times.
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
  /// - Parameter output: the output that renders the graph, for the host times of sounds; if nil,
  ///   sounds do not have host times. The thread reads the output's clock, so other threads must
  ///   not read that clock.
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
  /// Frames are counted from 0 at the first frame that is read. A queue that reads an input must
  /// not be part of a graph.
  ///
  /// - Parameter input: the input, which only the queue may read from now on. The input must have
  ///   the channel count and the sample rate of the queue.
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
