// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
public import MIDIPorts
public import MusicalTime
internal import Realtime
internal import Synchronization

/// A MIDI port of a client that sends: each event leaves at a frame, and is heard at its time.
///
/// It takes events at host times, which the server's own times make frames of, less what those who
/// receive it report as their latency; up to 60 ms of that, since events are sent 100 ms ahead.
/// Beside an output of the same client it takes them at the output's frames (`sink(on:)`): what is
/// played there is in line with the sound to the sample. What comes too late leaves a turn
/// later, as far into it. A SysEx leaves whole, at once: who has a cable behind him sees to its speed.
/// One for which a turn's buffer has no room leaves in pieces, one in each turn.
///
/// While the server is away, what is sent at host times is lost; the releases of what sounds leave with
/// its return. What is in line with an output waits as the output does.
///
/// - Note: any thread may call it. Not real-time safe.
public final class JACKOutputPort: OutputPort {
  /// The client whose port it is.
  public let client: JACKClient
  let duty: MIDIOutDuty
  let state: Mutex<State>
  private let guarded: GuardedPort?

  struct State: ~Copyable {
    var queue: MIDIOutQueue
    /// Whether something was sent that may not have been received yet.
    var hasSent = false {
      didSet { written = nil }
    }
    /// The turn in which all that was sent was seen to be written; nil before.
    var written: UInt64?
    /// Whose frames events may be under way in.
    var origins: [FrameOrigin] = []

    /// Whether nothing is under way any more.
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
  ///   - client: the client.
  ///   - name: what the port is called.
  ///   - guardian: what releases the notes that sound if this process is killed; nil for nobody.
  /// - Throws: `JACKError`.
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

  /// Its full name, as others see it: `jack:downbeat:out`.
  public var description: String {
    "jack:" + ((client.withHandle { duty.fullName($0) } ?? nil) ?? client.name)
  }

  /// Sends to a port from now on, also after the server came back.
  ///
  /// - Throws: `EndpointError.vanished` where it is not there.
  public func connect(to destination: Endpoint) throws(EndpointError) {
    try connect(to: JACKPorts.fullName(of: destination), naming: "\(destination)")
  }

  /// Sends to a port by its full name.
  func connect(to port: String, naming name: String) throws(EndpointError) {
    guard client.withHandle({ duty.connect(to: port, $0) }) ?? false else {
      throw .vanished(name: name)
    }
  }

  /// Whether anybody receives what it sends.
  public var hasListeners: Bool { client.withHandle { duty.hasListeners($0) } ?? false }

  /// Events that came after their frame had passed, and left in the turn that followed.
  public var lateEventCount: Int { duty.lateCount.load(ordering: .relaxed) }

  /// Events that were not sent: for which no buffer of a turn has room, and SysEx of more than 1 MiB.
  public var refusedEventCount: Int {
    duty.refusedCount.load(ordering: .relaxed) + state.withLock { $0.queue.refusedCount }
  }

  /// Yes: each leaves at its frame.
  public var ordersByTime: Bool { true }

  /// Takes events at host times.
  ///
  /// - Returns: how many it had room for; 0 before the client's first turn.
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

  /// Forgets everything due at or after an instant that no turn of the server has taken.
  public func cancel(from time: HostTime) { _ = takeBack(from: time) }

  /// Forgets everything due at or after an instant that no turn of the server has taken; a turn takes
  /// what is due in its frames when it begins.
  ///
  /// - Returns: the first instant from which on everything is forgotten.
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

  /// Forgets everything that is still to come, and releases what sounds, at once; returns when that
  /// has been received, or after a quarter of a second, so that the program may end.
  public func silence() {
    let limit = HostTime(nanoseconds: DeadlineWait.now + Self.silencePatience)
    state.withLock { _ = $0.queue.cancel(from: .min) }
    // What is taken back and what has left meanwhile is known when all was given back.
    _ = waits(until: limit) { state.withLock { $0.isGivenBack } }
    let releases = state.withLock { $0.queue.takeReleases() }
    sendAtOnce(releases)
    if releases.isEmpty || drain(until: limit) { leaveSounding() }
  }

  /// Sends messages in the next turn, before all that is due.
  func sendAtOnce(_ messages: [Message]) {
    let none: [UInt8] = []
    state.withLock { state in
      for message in messages {
        _ = state.queue.take(.message(message), at: .min, payloads: none.span)
        state.hasSent = true
      }
    }
  }

  /// In nanoseconds.
  private static let silencePatience: Int64 = 250_000_000

  /// Lets what sounds ring on: from here on no guardian releases it when this process ends.
  public func leaveSounding() { guarded?.notes.clear() }

  /// Waits until everything sent has left, or until an instant; whether it has.
  ///
  /// What a turn sends is received in its course: it has left when another has ended.
  public func drain(until limit: HostTime) -> Bool { waits(until: limit) { hasLeft } }

  /// Waits until something holds, or there is no server that it could come from.
  private func waits(until limit: HostTime, _ holds: () -> Bool) -> Bool {
    while true {
      // What is under way to a server that is gone is lost.
      if holds() || client.isAway || client.failure != nil { return true }
      if DeadlineWait.now >= limit.nanoseconds { return false }
      DeadlineWait.sleep(until: DeadlineWait.now + 1_000_000)
    }
  }

  /// Whether all was written, and two turns have ended since that was seen.
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

  /// Events that were not sent: as `refusedEventCount`.
  public var lostEventCount: Int { refusedEventCount }

  /// Nothing is ever under way: a SysEx leaves whole, or in a few turns.
  public func sysExProgress(at time: HostTime) -> (sent: Int, total: Int) { (0, 0) }

  /// The port's events in the frames of an output of the same client; nil where it is another's.
  public func sink(on output: JACKOutputUnit) -> (any EventSink<ReferenceTime>)? {
    guard output.client === client else { return nil }
    let origin = output.duty.origin
    state.withLock { state in
      if !state.origins.contains(where: { $0 === origin }) { state.origins.append(origin) }
    }
    return JACKFramedSink(self, output)
  }

  /// The latency that those who receive it report, as far as events are ahead of it, in frames.
  private var hostLatency: Int64 {
    let longest = Int64(client.rate.hertz) * Self.longestLatency / 1_000
    return min(longest, Int64(duty.latency.load(ordering: .relaxed)))
  }

  /// In milliseconds.
  private static let longestLatency: Int64 = 60

  /// Takes events whose times are frames by a rule, in the count of an origin or the client's.
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

  /// Forgets what is due from a frame of an output on; returns the first from which on it has.
  func cancel(fromFrame frame: Int64, of origin: FrameOrigin) -> Int64 {
    state.withLock { $0.queue.cancel(from: frame, of: origin) }
  }
}

/// A port's events at the times of an output: each leaves in the frame that is under way at its time,
/// later by what the output reports of its latency and earlier by what those who receive it do.
final class JACKFramedSink: EventSink {
  private let port: JACKOutputPort
  private let output: OutputDuty
  private let rate: SampleRate

  init(_ port: JACKOutputPort, _ output: JACKOutputUnit) {
    (self.port, self.output) = (port, output.duty)
    rate = output.client.rate
  }

  var ordersByTime: Bool { true }

  /// Frames by which what is sent is later than the output's own.
  ///
  /// In a transport, nothing leaves before the frame at which it is due: it would before the start.
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
    // The first that begins no earlier: what came before in the same frame is to stay.
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
