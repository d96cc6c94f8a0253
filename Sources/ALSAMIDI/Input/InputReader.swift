// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
public import MIDIPorts
public import Realtime
internal import Synchronization

/// Takes what comes for an input port out of the kernel, on a thread of its own, so that whoever
/// prints or writes it may take a while.
///
/// The kernel keeps 2,000 events for a client, and throws all of them away where one more comes;
/// here 65,536 wait for `drain`, or for a task that awaits them:
///
/// ```swift
/// for try await received in try InputReader(port) { recorder.take(received) }
/// ```
///
/// - Note: one thread drains, or one task awaits.
public final class InputReader: InputPort, Sendable {
  private let input: ALSAInputPort
  private let thread: RealtimeThread
  private let state: State

  private final class State: Sendable {
    /// Ends the thread's wait.
    let stop: DeadlineWait
    /// Tells whoever drains that something has come.
    let news: DeadlineWait
    /// The tasks that await it.
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

  /// Starts reading; the port is drained through the reader from here on.
  ///
  /// - Throws: `RealtimeError` where no thread can be had.
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

  /// Has the port receive from a source from now on.
  ///
  /// - Throws: `EndpointError.vanished` where it went away.
  public func connect(to source: Endpoint) throws(EndpointError) { try input.connect(to: source) }

  /// How often events were lost, in the kernel or here.
  public var overflows: Int { input.overflows }

  /// The sender's address: `20:0`.
  public func senderName(_ track: UInt16) -> String { input.senderName(track) }

  /// The port's address: `129:0`.
  public var description: String { input.description }

  /// A descriptor that becomes readable when there is something to drain.
  public var descriptors: [Int32] { [state.news.descriptor] }

  /// Appends everything that has come since the last call, in the order of arrival.
  ///
  /// - Throws: `EndpointError.refused` where the sequencer is gone.
  public func drain(into buffer: inout HostEventBuffer) throws(EndpointError) {
    // A deadline that is past: this only takes note of the news.
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
  /// What comes, as it comes: each buffer is all that has come since the one before, and never empty.
  ///
  /// It ends where its task is cancelled.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let reader: InputReader
    private var received = HostEventBuffer()

    fileprivate init(_ reader: InputReader) {
      self.reader = reader
    }

    /// Waits until something has come.
    ///
    /// - Returns: what has; nil where the task is cancelled.
    /// - Throws: `EndpointError.refused` where the sequencer is gone.
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

  /// What comes from now on, with what waits already.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
}
