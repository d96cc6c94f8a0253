// SPDX-License-Identifier: Apache-2.0
internal import ALSAMIDI
internal import ClockService
internal import MIDIMessages
internal import MusicalTime
internal import Realtime

/// A scheduler on a thread of its own whose sinks are ports: reference time is host time.
final class ClockEngine {
  private let thread: EventThread
  private let port: OutputPort?

  /// Starts the thread.
  ///
  /// - Parameters:
  ///   - scheduler: what is driven; from here on it is the thread's.
  ///   - port: the port that is emptied at the end.
  ///   - publisher: where the clock of lane 0 is served.
  ///   - state: what it serves at first.
  /// - Throws: where the thread cannot be started.
  init(
    _ scheduler: EventScheduler, port: OutputPort? = nil, publisher: SharedClockPublisher? = nil,
    state: SharedClockState? = nil
  ) throws {
    self.port = port
    // Given away here: nobody else steps it.
    nonisolated(unsafe) let owned = scheduler
    nonisolated(unsafe) var published = state
    let now: @Sendable () -> HostTime = { HostTime(nanoseconds: DeadlineWait.now) }
    if let publisher {
      // The thread is the one that publishes, and the only one that touches the state.
      thread = try unsafe EventThread(owned, position: now) { scheduler, time in
        guard var state = unsafe published else { return }
        scheduler.lanes[0].describe(in: &state, at: time)
        publisher.write(state)
        unsafe published = state
      }
    } else {
      thread = try unsafe EventThread(owned, position: now)
    }
  }

  var failure: (any Error)? { thread.failure }

  /// Whether everything has been emitted and taken.
  var hasFinished: Bool { thread.hasFinished }

  func perform(_ command: @escaping EventThread.Command) { thread.perform(command) }

  /// Stops the clock; those who follow are told.
  func stop() throws {
    thread.stop(silencing: true)
    let limit = HostTime(nanoseconds: DeadlineWait.now + 200_000_000)
    _ = try port?.drain(until: limit)
  }

  /// Waits for a signal, an instant, or input on standard input; ends with the failure if any.
  func wait(
    _ wait: SignalWait, until deadline: Int64?, control: ClockControl? = nil
  ) throws -> Int32? {
    var control = control
    while true {
      if let failure { throw failure }
      let step = DeadlineWait.now + 50_000_000
      let descriptors = control?.descriptors ?? []
      switch wait.until(min(step, deadline ?? .max), readable: descriptors) {
      case .signal(let number): return number
      case .readable: if try control?.take(for: self) == false { return nil }
      case .deadline: if let deadline, DeadlineWait.now >= deadline { return nil }
      }
    }
  }
}
