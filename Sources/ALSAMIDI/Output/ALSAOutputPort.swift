// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
public import MIDIPorts
public import MusicalTime
internal import Realtime
internal import Synchronization

/// A port of ours that sends: to destinations it connects to, or to whoever connects to it.
///
/// Events are stamped with their host time for a queue in the kernel, which delivers each at the
/// next step of its timer, 160 µs apart as a rule: never early. What is already due goes at once.
/// With no destination connected it is a virtual source that other programs see.
///
/// A SysEx of more than `longestAtOnce` bytes goes in pieces, `sysExSpeed` bytes a second; until its
/// last piece has left, the port holds back everything but real-time bytes, in order. `send` also sends
/// the next pieces and the events that wait for them: while the port `isHoldingBack`, call it at least
/// every 250 ms, with an empty list if there is nothing new.
///
/// - Note: any thread may use it. Not real-time safe.
public final class ALSAOutputPort: OutputPort, Sendable {
  /// The most bytes of a SysEx that leave at once.
  public static let longestAtOnce = 256
  /// Bytes a second of a MIDI cable: 31250 baud, ten bits a byte.
  public static let cableSpeed = 3125
  /// The client the port belongs to.
  public let client: ALSAClient
  /// The port's own address.
  public let address: EndpointAddress
  let state: Mutex<OutputState>

  /// Creates a port; other programs see it by its name.
  ///
  /// - Parameters:
  ///   - client: the client it will belong to.
  ///   - name: the port's name.
  ///   - sysExSpeed: bytes a second of a long SysEx; a MIDI cable's by default.
  /// - Precondition: `sysExSpeed` is above zero.
  /// - Throws: `EndpointError.refused` where the kernel has no port left.
  public convenience init(
    _ client: ALSAClient, name: String, sysExSpeed: Int = cableSpeed
  ) throws(EndpointError) {
    precondition(sysExSpeed > 0, "the SysEx speed must be above 0")
    try self.init(client, name: name, sysEx: .whole(speed: sysExSpeed))
  }

  /// Creates a port that takes SysEx messages as they are given: whole, or in pieces.
  init(
    _ client: ALSAClient, name: String, sysEx form: OutputState.SysExForm
  ) throws(EndpointError) {
    self.client = client
    let port = try client.state.withLock { (state) throws(EndpointError) in
      try state.handle.createPort(name: name, role: .output)
    }
    address = EndpointAddress(client: client.number, port: port)
    state = Mutex(
      OutputState(
        port: port, sysEx: form, shared: client.guardian?.notes(ofPort: port)))
  }

  deinit {
    client.state.withLock { $0.handle.deletePort(address.port) }
  }

  /// Sends to a destination from now on.
  ///
  /// - Throws: `EndpointError.vanished` where it went away.
  public func connect(to destination: Endpoint) throws(EndpointError) {
    let connection = EndpointConnection(source: address, destination: destination.address)
    try client.connect(connection, naming: destination)
    client.guardian?.tell(.connected(connection))
  }

  /// Whether a port of whatever program is connected to it.
  public var hasListeners: Bool {
    get throws(EndpointError) { try client.connections().contains { $0.source == address } }
  }

  /// The address: `129:0`.
  public var description: String { "\(address)" }

  /// Takes events in order, from the first, and says how many the kernel had room for.
  ///
  /// Facts are skipped. Room is kept for note-offs and resets: a full queue never loses one.
  ///
  /// - Throws: `EndpointError.refused` where the sequencer is gone.
  /// - Complexity: O(n) in the number of events; a few system calls.
  public func send(
    _ events: Span<HostEvent>, payloads: Span<UInt8>
  ) throws(EndpointError) -> Int {
    try withStates { (port, client) throws(EndpointError) in
      try port.send(events, payloads: payloads, to: &client)
    }
  }

  /// Takes a buffer's events from one on that are due before an instant, and says how many.
  ///
  /// - Throws: `EndpointError.refused` where the sequencer is gone.
  /// - Complexity: O(n) in the number of events; a few system calls.
  public func send(
    _ buffer: borrowing HostEventBuffer, from start: Int = 0,
    before limit: HostTime = HostTime(nanoseconds: .max)
  ) throws(EndpointError) -> Int {
    var end = start
    while end < buffer.events.count, buffer.events[end].time < limit { end += 1 }
    return try send(buffer.events.span.extracting(start..<end), payloads: buffer.payloads.span)
  }

  /// Forgets everything that was to leave at or after an instant, long SysEx messages included.
  ///
  /// One that was to leave before it is finished, and what waits behind that leaves after it.
  /// A note whose release is forgotten with the rest sounds on until whoever sends releases it:
  /// the router does, or `silence`. A SysEx that is cut short is ended by F7.
  public func cancel(from time: HostTime) {
    attempt { (port, client) throws(EndpointError) in
      try port.cancel(from: time, in: &client)
    }
  }

  /// Yes: the kernel's queue delivers each event at its time, in whatever order they came.
  public var ordersByTime: Bool { true }

  /// Yes: each part leaves at its time.
  public var takesSysExParts: Bool { true }

  /// Forgets everything that is still to come, and releases what sounds, at once.
  ///
  /// Every key struck is released; on each channel that was used pedals go up, the bend is
  /// centred, and all notes and all sound go off.
  public func silence() {
    attempt { (port, client) throws(EndpointError) in
      try port.silence(in: &client)
    }
  }

  /// Lets what sounds ring on: from here on no guardian releases it when this process ends.
  public func leaveSounding() {
    state.withLock { $0.leaveSounding() }
  }

  /// Waits until everything sent has left the kernel's queue, or until an instant.
  ///
  /// - Returns: whether all of it has left.
  /// - Throws: `EndpointError.refused` where the sequencer is gone.
  public func drain(until limit: HostTime) throws(EndpointError) -> Bool {
    var wait = DeadlineWait.now
    while true {
      let isEmpty = try withStates { (port, client) throws(EndpointError) in
        try port.isDrained(in: &client)
      }
      if isEmpty { return true }
      if HostTime(nanoseconds: DeadlineWait.now) >= limit { return false }
      wait = min(wait + Self.drainStep, limit.nanoseconds)
      DeadlineWait.sleep(until: wait)
    }
  }

  /// Whether something waits for a long SysEx, or leaves late because of one.
  public var isHoldingBack: Bool { state.withLock { $0.isHoldingBack } }

  /// The longest time that an event waited behind a long SysEx since the last call.
  public func takeSysExDelay() -> Duration {
    .nanoseconds(state.withLock { $0.takeLongestDelay() })
  }

  /// How far the SysEx messages that are under way have come, in bytes, F0 and F7 included.
  ///
  /// Nothing is under way where both are zero.
  public func sysExProgress(
    at time: HostTime
  ) -> (sent: Int, total: Int) {
    state.withLock { $0.sysExProgress(at: time) }
  }

  /// Takes every channel as sounding: the kernel carries what others play.
  func assumeEverything() {
    state.withLock { $0.assumeEverything() }
  }

  private static let drainStep: Int64 = 1_000_000

  private func withStates<Result: Sendable>(
    _ body: (inout OutputState, inout ClientState) throws(EndpointError) -> Result
  ) throws(EndpointError) -> Result {
    try state.withLock { (port) throws(EndpointError) in
      try client.state.withLock { (client) throws(EndpointError) in
        try body(&port, &client)
      }
    }
  }

  /// Does what has no one to tell of a failure: the sequencer that fails here is gone, and with
  /// it every event and connection.
  private func attempt(
    _ body: (inout OutputState, inout ClientState) throws(EndpointError) -> Void
  ) {
    do {
      try withStates(body)
    } catch {
      return
    }
  }
}
