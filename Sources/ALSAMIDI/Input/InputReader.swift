// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
public import MIDIPorts
public import Realtime
internal import Synchronization

/// Reads the events of an input port on a separate thread, so that the program need not process
/// them at once.
///
/// The kernel stores up to 2,000 events for a client, and discards all of them if one more arrives.
/// The reader stores up to 65,536 events for `drain(into:)`, or for a task that iterates over the
/// reader:
///
/// ```swift
/// for try await received in try InputReader(port) { recorder.take(received) }
/// ```
///
/// - Note: Use either one thread that drains, or one task that iterates.
public final class InputReader: InputPort, Sendable {
  private let input: ALSAInputPort
  private let thread: RealtimeThread
  private let state: State

  private final class State: Sendable {
    /// Ends the thread's wait.
    let stop: DeadlineWait
    /// Wakes the thread that drains when there are new events.
    let news: DeadlineWait
    /// The tasks that wait for new events.
    let waiters = ArrivalWaiters()
    let mustStop = Atomic(false)
    let failure = Mutex<EndpointError?>(nil)

    init() throws(RealtimeError) {
      stop = try DeadlineWait()
      news = try DeadlineWait()
    }

    func tell() {
      news.wake()
      waiters.note()
    }
  }

  /// Creates a reader and starts its thread.
  ///
  /// From now on, drain the port only through the reader.
  ///
  /// - Parameter input: The port to read from.
  /// - Throws: `RealtimeError` if the thread cannot be created.
  public init(_ input: ALSAInputPort) throws(RealtimeError) {
    let state = try State()
    self.input = input
    self.state = state
    thread = try RealtimeThread(name: "input", priority: 50) { Self.run(input, state) }
  }

  deinit {
    state.mustStop.store(true, ordering: .releasing)
    state.stop.wake()
    thread.join()
  }

  /// Receives events from a source from now on.
  ///
  /// - Parameter source: The port to receive from.
  /// - Throws: `EndpointError.vanished` if the source has disappeared.
  public func connect(to source: Endpoint) throws(EndpointError) { try input.connect(to: source) }

  /// The number of times that events were lost, because the kernel or the reader could not store
  /// more.
  public var overflows: Int { input.overflows }

  /// Returns the address of the sender of events with this `track`, such as `20:0`.
  public func senderName(_ track: UInt16) -> String { input.senderName(track) }

  /// The address of the port, such as `129:0`.
  public var description: String { input.description }

  /// The file descriptor that becomes readable when there are events to drain.
  public var descriptors: [Int32] { [state.news.descriptor] }

  /// Appends all events received since the last call, in the order of arrival.
  ///
  /// - Parameter buffer: The buffer to append to.
  /// - Throws: `EndpointError.refused` if the sequencer is not available any more.
  public func drain(into buffer: inout HostEventBuffer) throws(EndpointError) {
    // The deadline is in the past: this only clears the wake-up.
    _ = state.news.wait(until: 0)
    if let failure = state.failure.withLock({ $0 }) { throw failure }
    try input.drain(into: &buffer)
  }

  private static func run(_ input: ALSAInputPort, _ state: State) {
    while !state.mustStop.load(ordering: .acquiring) {
      guard case .descriptor = state.stop.wait(until: nil, readable: input.descriptors) else {
        continue
      }
      do {
        try input.fetch()
      } catch {
        state.failure.withLock { $0 = error }
        return state.tell()
      }
      state.tell()
    }
  }
}

extension InputReader: AsyncSequence {
  /// Iterates over received events.
  ///
  /// Each element contains all events since the previous one, and is never empty.
  ///
  /// The sequence ends when the task that iterates is cancelled.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let reader: InputReader
    private var received = HostEventBuffer()

    fileprivate init(_ reader: InputReader) {
      self.reader = reader
    }

    /// Waits until events have been received, and returns them.
    ///
    /// - Parameter actor: The actor to run on; the caller's by default.
    /// - Returns: The events; nil if the task is cancelled.
    /// - Throws: `EndpointError.refused` if the sequencer is not available any more.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(EndpointError) -> HostEventBuffer? {
      received.removeAll()
      while !Task.isCancelled {
        let arrivals = reader.state.waiters.arrivals
        try reader.drain(into: &received)
        if !received.isEmpty { return received }
        await reader.state.waiters.wait(since: arrivals)
      }
      return nil
    }
  }

  /// Returns an iterator over the events that are already stored and all later ones.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
}
