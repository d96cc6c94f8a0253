// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
public import MIDIPorts
public import MusicalTime
internal import Realtime
internal import Synchronization

/// A MIDI port of a JACK client that sends each event at the frame that makes it audible at its
/// time.
///
/// Host times of events are converted to frames by the server's clock. The latency of the receivers
/// is subtracted, at most 60 ms, because events are sent only 100 ms ahead. With an output of the
/// same client, events can have the time of the output (`sink(on:)`), and are then exact to the
/// frame. A late event is sent a cycle later, at the same offset in the cycle. The speed of a SysEx
/// is not limited for a MIDI cable behind the port. A SysEx that does not fit into the buffer of a
/// cycle is sent in one piece per cycle.
///
/// While the server is unavailable, events with host times are lost; when it returns, sounding
/// notes are released. Events with the time of an output wait until the output continues.
///
/// - Note: Any thread. Not real-time safe.
public final class JACKOutputPort: OutputPort {
  /// The client that owns the port.
  public let client: JACKClient
  let duty: MIDIOutDuty
  let state: Mutex<State>
  private let guarded: GuardedPort?

  struct State: ~Copyable {
    var queue: MIDIOutQueue
    /// True if an event may not have been received yet.
    var hasSent = false {
      didSet { written = nil }
    }
    /// The cycle in which everything was seen to be written; nil before.
    var written: UInt64?
    /// The outputs in whose time events may be queued.
    var origins: [FrameOrigin] = []

    /// True if no events are queued.
    var isGivenBack: Bool {
      mutating get {
        queue.reclaim()
        return queue.underWay == 0
      }
    }
  }

  /// Registers a port.
  ///
  /// - Parameters:
  ///   - client: The client.
  ///   - name: The name of the port.
  ///   - guardian: The process that releases sounding notes if this process is killed; nil (the
  ///     default) for none.
  /// - Throws: `JACKError` if the server refuses the port.
  public init(
    on client: JACKClient, name: String, guardian: JACKGuardian? = nil
  ) throws(JACKError) {
    self.client = client
    guarded = guardian?.takePort()
    let queue = MIDIOutQueue(notes: guarded?.notes)
    duty = MIDIOutDuty(name: name, queue, guarded: guarded)
    state = Mutex(State(queue: queue))
    try client.add(duty)
  }

  deinit {
    client.remove(duty)
    state.withLock { $0.queue.empty() }
  }

  /// The full name of the port, as other programs see it, such as `jack:downbeat:out`.
  public var description: String {
    "jack:" + ((client.withHandle { duty.fullName($0) } ?? nil) ?? client.name)
  }

  /// Sends events to a port from now on, even after the server disappears and returns.
  ///
  /// - Throws: `EndpointError.vanished` if the port is missing.
  public func connect(to destination: Endpoint) throws(EndpointError) {
    try connect(to: JACKPorts.fullName(of: destination), naming: "\(destination)")
  }

  /// Sends to a port by its full name.
  func connect(to port: String, naming name: String) throws(EndpointError) {
    guard client.withHandle({ duty.connect(to: port, $0) }) ?? false else {
      throw .vanished(name: name)
    }
  }

  /// True if the port is connected to a receiver.
  public var hasListeners: Bool { client.withHandle { duty.hasListeners($0) } ?? false }

  /// The number of events that were sent a cycle late, because they arrived after their frame.
  public var lateEventCount: Int { duty.lateCount.load(ordering: .relaxed) }

  /// The number of events that were not sent, because they were SysEx of more than 1 MiB or too
  /// large for the server's buffers.
  public var refusedEventCount: Int {
    duty.refusedCount.load(ordering: .relaxed) + state.withLock { $0.queue.refusedCount }
  }

  /// Always true: each event is sent at its frame, in any order of calls.
  public var ordersByTime: Bool { true }

  /// Sends events at host times.
  ///
  /// - Returns: The number of events that were accepted; 0 before the client's first cycle.
  public func send(_ events: Span<HostEvent>, payloads: Span<UInt8>) -> Int {
    guard !client.isAway, client.failure == nil else {
      state.withLock { state in
        for index in events.indices {
          if case .message(let message) = events[index].payload { state.queue.keepRelease(message) }
        }
      }
      return events.count
    }
    guard let line = client.line else { return 0 }
    let latency = hostLatency
    return take(events, payloads, of: nil) {
      line.nearestCount(to: $0).addingClamped(-latency)
    }
  }

  /// Cancels the events due at or after an instant, except those that the server has already taken
  /// for a cycle.
  public func cancel(from time: HostTime) { _ = takeBack(from: time) }

  /// Cancels the events due at or after an instant, except those that the server has already taken
  /// for a cycle.
  ///
  /// - Returns: The earliest instant from which all events were in fact cancelled.
  public func takeBack(from time: HostTime) -> HostTime {
    guard let line = client.line else {
      state.withLock { _ = $0.queue.cancel(from: .min) }
      return time
    }
    let latency = hostLatency
    let wanted = line.nearestCount(to: time).addingClamped(-latency)
    let frame = state.withLock { $0.queue.cancel(from: wanted) }
    return frame > wanted ? max(time, line.firstTime(nearestTo: frame + latency)) : time
  }

  /// Cancels all events and releases all sounding notes immediately, so that the program can end.
  ///
  /// The function returns when the releases have been received, or after a quarter of a second.
  public func silence() {
    let limit = HostTime(nanoseconds: DeadlineWait.now + Self.silencePatience)
    state.withLock { _ = $0.queue.cancel(from: .min) }
    // The effect of the cancellation is known when all events were returned.
    _ = waits(until: limit) { state.withLock { $0.isGivenBack } }
    let releases = state.withLock { $0.queue.takeReleases() }
    sendAtOnce(releases)
    if releases.isEmpty || drain(until: limit) { leaveSounding() }
  }

  /// Sends messages in the next cycle, before all events that are due.
  func sendAtOnce(_ messages: [Message]) {
    let none: [UInt8] = []
    state.withLock { state in
      for message in messages {
        _ = state.queue.take(.message(message), at: .min, payloads: none.span)
        state.hasSent = true
      }
    }
  }

  /// The longest duration of `silence()`, in nanoseconds.
  private static let silencePatience: Int64 = 250_000_000

  /// Lets sounding notes continue: from now on, the guardian does not release them when this
  /// process ends.
  public func leaveSounding() { guarded?.notes.clear() }

  /// Waits until all events have been sent, or until an instant.
  ///
  /// Events are regarded as sent when the cycle after theirs has ended. The result is true if all
  /// events have been sent.
  public func drain(until limit: HostTime) -> Bool { waits(until: limit) { hasLeft } }

  /// Waits until a condition is true, or the server is gone.
  private func waits(until limit: HostTime, _ holds: () -> Bool) -> Bool {
    while true {
      // Events for a server that is gone are lost.
      if holds() || client.isAway || client.failure != nil { return true }
      if DeadlineWait.now >= limit.nanoseconds { return false }
      DeadlineWait.sleep(until: DeadlineWait.now + 1_000_000)
    }
  }

  /// True if everything was written, and two cycles have ended since that was seen.
  private var hasLeft: Bool {
    state.withLock { state in
      guard state.isGivenBack else { return false }
      guard state.hasSent else { return true }
      let turn = client.process.turnCount.load(ordering: .acquiring)
      let written = state.written ?? turn
      state.written = written
      if turn >= written &+ 2 { state.hasSent = false }
      return !state.hasSent
    }
  }

  /// The number of events that were accepted but not sent; equal to `refusedEventCount`.
  public var lostEventCount: Int { refusedEventCount }

  /// Returns zero for both: the progress of a SysEx is not reported, because it is sent within a
  /// few cycles.
  public func sysExProgress(at time: HostTime) -> (sent: Int, total: Int) { (0, 0) }

  /// Returns a sink for events in the time of an output, which are sent by this port; nil if the
  /// output belongs to another client.
  public func sink(on output: JACKOutputUnit) -> (any EventSink<ReferenceTime>)? {
    guard output.client === client else { return nil }
    let origin = output.duty.origin
    state.withLock { state in
      if !state.origins.contains(where: { $0 === origin }) { state.origins.append(origin) }
    }
    return JACKFramedSink(self, output)
  }

  /// The latency of the receivers in frames, limited to the time by which events are sent ahead.
  private var hostLatency: Int64 {
    let longest = Int64(client.rate.hertz) * Self.longestLatency / 1_000
    return min(longest, Int64(duty.latency.load(ordering: .relaxed)))
  }

  /// The longest latency, in milliseconds.
  private static let longestLatency: Int64 = 60

  /// Sends events whose times are converted to frames by `frame`, in the count of an origin or the
  /// client.
  func take<Time: Instant>(
    _ events: Span<StampedEvent<Time>>, _ payloads: Span<UInt8>, of origin: FrameOrigin?,
    _ frame: (Time) -> Int64
  ) -> Int {
    state.withLock { state in
      for index in events.indices {
        let event = events[index]
        guard
          state.queue.take(event.payload, at: frame(event.time), of: origin, payloads: payloads)
        else { return index }
        state.hasSent = true
      }
      return events.count
    }
  }

  /// Cancels the events from a frame of an output on; returns the first frame from which this
  /// applies.
  func cancel(fromFrame frame: Int64, of origin: FrameOrigin) -> Int64 {
    state.withLock { $0.queue.cancel(from: frame, of: origin) }
  }
}

/// A port's events in the time of an output.
///
/// Each is sent in the frame at its time, later by the latency of the output, and earlier by that
/// of the receivers.
final class JACKFramedSink: EventSink {
  private let port: JACKOutputPort
  private let output: OutputDuty
  private let rate: SampleRate

  init(_ port: JACKOutputPort, _ output: JACKOutputUnit) {
    (self.port, self.output) = (port, output.duty)
    rate = output.client.rate
  }

  var ordersByTime: Bool { true }

  /// The frames by which an event is sent later than the output's frame.
  ///
  /// With a transport, an event is not sent before the frame at which it is due, which could be
  /// before the start.
  private var shift: Int64 {
    let shift = Int64(
      output.latency.load(ordering: .relaxed) - port.duty.latency.load(ordering: .relaxed))
    return output.isLed.load(ordering: .relaxed) ? max(0, shift) : shift
  }

  func send(_ events: Span<TimedEvent>, payloads: Span<UInt8>) -> Int {
    let shift = shift
    return port.take(events, payloads, of: output.origin) {
      rate.frame(at: $0).frames.addingClamped(shift)
    }
  }

  func cancel(from time: ReferenceTime) { _ = takeBack(from: time) }

  func takeBack(from time: ReferenceTime) -> ReferenceTime {
    let shift = shift
    // The first frame that begins no earlier, so that earlier events of the same frame are kept.
    let before = time.advanced(byNanoseconds: -1)
    let wanted = rate.frame(at: before).frames.addingClamped(shift + 1)
    let frame = port.cancel(fromFrame: wanted, of: output.origin)
    return max(time, rate.timeRoundedUp(of: SampleTime(frames: frame.addingClamped(-shift))))
  }
}

extension Timeline {
  /// The count whose instant is nearest.
  fileprivate func nearestCount(to time: Time) -> Int64 {
    firstCount(atOrAfter: time.advanced(saturating: -(numerator / denominator / 2)))
  }

  /// The first instant to which a count is the nearest.
  fileprivate func firstTime(nearestTo count: Int64) -> Time {
    let time = timeRoundedUp(atCount: count - 1)
      .advanced(saturating: numerator / denominator / 2)
    return nearestCount(to: time) < count ? time.advanced(saturating: 1) : time
  }
}
