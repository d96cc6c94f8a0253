// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
public import MusicalTime
public import Realtime
internal import Synchronization

/// An event that is due, with its exact time.
public struct DueEvent: Hashable, Sendable {
  /// The message or parameter change of an event.
  public enum Content: Hashable, Sendable {
    /// A channel or short system message.
    case message(Message)
    /// A complete SysEx message without F0 and F7.
    case sysEx([UInt8])
    /// A change of a unit's parameter to a new value.
    case parameter(ParameterChange)
  }

  /// The host time at which the event is due.
  ///
  /// The closure is called at this time or, usually, some microseconds later.
  public let time: HostTime
  /// The index of the track from which the event was sent; nil if it does not belong to a track.
  public let track: Int?
  /// The message or parameter change.
  public let content: Content
}

/// A sink that calls a closure with each event at the time when it is due, on a separate thread.
///
/// Use it for lights, pictures and other outputs that do not have a queue.
///
/// For a sink that receives events ahead of time, such as a port with a queue, conform to
/// `EventSink` directly. Events that are cancelled before they are due are not reported.
///
/// ```swift
/// let lamp = try DueSink { event in print(event.time, event.content) }
/// let playback = try Playback(song, on: [PlaybackPort(name: "lamp", sink: lamp)])
/// ```
///
/// - Note: Any thread, except for `send` and `cancel`, which only the event thread calls.
public final class DueSink: EventSink, Sendable {
  private let line: Line
  private let thread: RealtimeThread
  private let observers: Observers<DueEvent>
  private let hasEnded = Atomic(false)

  /// Creates a sink and starts its thread.
  ///
  /// - Parameters:
  ///   - priority: The real-time priority of the thread, 1…99, or nil for a normal thread; 10 by
  ///     default.
  ///   - body: Called on the thread with each event when it is due.
  /// - Throws: `RealtimeError` if the thread cannot be started.
  public init(
    priority: Int32? = 10, _ body: @escaping @Sendable (DueEvent) -> Void = { _ in }
  ) throws(RealtimeError) {
    let line = try Line()
    let observers = Observers<DueEvent>()
    _ = observers.add(body)
    self.line = line
    self.observers = observers
    thread = try RealtimeThread(name: "due", priority: priority) { line.run(observers) }
  }

  deinit {
    end()
  }

  /// A stream of events from now on; each is delivered when it is due.
  public var events: AsyncStream<DueEvent> { observers.stream }

  /// True: each event is delivered at its time.
  public var ordersByTime: Bool { true }

  /// Stores as many of the events as fit in the queue.
  ///
  /// - Returns: The number of events that were stored.
  public func send(_ events: Span<HostEvent>, payloads: Span<UInt8>) -> Int {
    guard !events.isEmpty else { return 0 }
    defer { line.wait.wake() }
    for index in events.indices {
      guard line.take(events[index], payloads) else { return index }
    }
    return events.count
  }

  /// Cancels the events that are due at or after an instant.
  public func cancel(from time: HostTime) {
    line.cancel(from: time)
    line.wait.wake()
  }

  /// Ends the thread and the streams, and drops events that are not due yet.
  ///
  /// Only the first call has an effect.
  public func end() {
    guard !hasEnded.exchange(true, ordering: .acquiringAndReleasing) else { return }
    line.mustEnd.store(true, ordering: .releasing)
    line.wait.wake()
    // The closure may release the last reference.
    if !thread.isCurrent { thread.join() }
    observers.end()
  }
}

extension DueSink {
  /// The state that the event thread and the sink's thread share.
  private final class Line: Sendable {
    private enum Entry: BitwiseCopyable, Sendable {
      case event(HostEvent)
      case cancel(HostTime)
    }

    let wait: DeadlineWait
    let mustEnd = Atomic(false)
    private let ring = RingBuffer<Entry>(minimumCapacity: 8192)
    private let bytes = RingBuffer<UInt8>(minimumCapacity: 65_536)
    // Used only by the event thread.
    nonisolated(unsafe) private var undelivered: HostTime?

    init() throws(RealtimeError) {
      wait = try DeadlineWait()
    }

    /// Stores an event; the bytes of SysEx first, so that they are available when it is read.
    func take(_ event: HostEvent, _ payloads: Span<UInt8>) -> Bool {
      guard deliverCancellation() else { return false }
      guard ring.writer.room > 0 else { return false }
      switch event.payload {
      case .fact, .sysExPart: return true
      case .message, .sysEx, .parameter: break
      }
      if case .sysEx(let place) = event.payload {
        // A message larger than the ring never fits: it is left out.
        guard Int(place.count) <= bytes.capacity else { return true }
        let end = Int(place.offset) + Int(place.count)
        guard bytes.writer.push(contentsOf: payloads.extracting(Int(place.offset)..<end)) else {
          return false
        }
      }
      return ring.writer.push(.event(event))
    }

    func cancel(from time: HostTime) {
      unsafe undelivered = undelivered.map { min($0, time) } ?? time
      _ = deliverCancellation()
    }

    private func deliverCancellation() -> Bool {
      guard let time = unsafe undelivered else { return true }
      guard ring.writer.push(.cancel(time)) else { return false }
      unsafe undelivered = nil
      return true
    }

    func run(_ observers: Observers<DueEvent>) {
      var queue: [DueEvent] = []
      while !mustEnd.load(ordering: .acquiring) {
        while let entry = ring.reader.pop() { add(entry, to: &queue) }
        if let next = queue.first, next.time <= .now {
          queue.removeFirst()
          observers.tell(next)
        } else {
          _ = wait.wait(until: queue.first?.time.nanoseconds)
        }
      }
    }

    private func add(_ entry: Entry, to queue: inout [DueEvent]) {
      switch entry {
      case .cancel(let time):
        queue.removeAll { $0.time >= time }
      case .event(let event):
        guard let content = content(of: event.payload) else { return }
        let track = event.track == HostEvent.noTrack ? nil : Int(event.track)
        let due = DueEvent(time: event.time, track: track, content: content)
        let place = queue.lastIndex { $0.time <= due.time }.map { $0 + 1 } ?? 0
        queue.insert(due, at: place)
      }
    }

    private func content(of payload: EventPayload) -> DueEvent.Content? {
      switch payload {
      case .message(let message): return .message(message)
      case .parameter(let change): return .parameter(change)
      case .fact, .sysExPart: return nil
      case .sysEx(let place):
        var taken: [UInt8] = []
        taken.reserveCapacity(Int(place.count))
        for _ in 0..<place.count { bytes.reader.pop().map { taken.append($0) } }
        return .sysEx(taken)
      }
    }
  }
}
