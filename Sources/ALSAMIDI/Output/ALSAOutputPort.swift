// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
public import MIDIPorts
public import MusicalTime
internal import Realtime
internal import Synchronization

/// An ALSA port of this program that sends events to connected destinations.
///
/// Events are passed to a queue in the kernel with their host times. The queue delivers each event
/// at the next step of its timer, usually every 160 µs, and never early. Events that are already
/// due are delivered immediately. Other programs see the port as a virtual source, and can connect
/// to it.
///
/// A SysEx of more than `longestAtOnce` bytes is sent in pieces, at the `sysExSpeed` given to the
/// initialiser in bytes per second. Until its last piece is sent, the port delays all other events
/// except real-time messages, in order. The next pieces and the delayed events are sent by calls of
/// `send`: while `isHoldingBack` is true, call it at least every 250 ms, with an empty list if you
/// have no new events.
///
/// - Note: Any thread. Not real-time safe.
public final class ALSAOutputPort: OutputPort, Sendable {
  /// The maximum length of a SysEx that is sent as a whole, in bytes.
  ///
  /// Longer messages are sent in pieces.
  public static let longestAtOnce = 256
  /// The speed of a MIDI cable in bytes per second: 31250 baud, ten bits per byte.
  public static let cableSpeed = 3125
  /// The client that owns the port.
  public let client: ALSAClient
  /// The address of the port.
  public let address: EndpointAddress
  let state: Mutex<OutputState>

  /// Creates an output port.
  ///
  /// - Parameters:
  ///   - client: The client that owns the port.
  ///   - name: The name of the port, visible to other programs.
  ///   - sysExSpeed: The speed of a long SysEx in bytes per second; that of a MIDI cable by
  ///     default.
  /// - Precondition: `sysExSpeed` is above zero.
  /// - Throws: `EndpointError.refused` if the kernel cannot create another port.
  public convenience init(
    _ client: ALSAClient, name: String, sysExSpeed: Int = cableSpeed
  ) throws(EndpointError) {
    precondition(sysExSpeed > 0, "the SysEx speed must be above 0")
    try self.init(client, name: name, sysEx: .whole(speed: sysExSpeed))
  }

  /// Creates a port that sends SysEx messages in the given form: whole, or in pieces.
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

  /// Sends events to a destination from now on.
  ///
  /// - Parameter destination: The port to send to.
  /// - Throws: `EndpointError.vanished` if the destination has disappeared.
  public func connect(to destination: Endpoint) throws(EndpointError) {
    let connection = EndpointConnection(source: address, destination: destination.address)
    try client.connect(connection, naming: destination)
    client.guardian?.tell(.connected(connection))
  }

  /// True if a port of any program is connected to this port and receives its events.
  public var hasListeners: Bool {
    get throws(EndpointError) { try client.connections().contains { $0.source == address } }
  }

  /// The address of the port, such as `129:0`.
  public var description: String { "\(address)" }

  /// Sends as many of the events as the kernel has room for, in order.
  ///
  /// Facts (reports to observers) are skipped. Room is reserved for note-offs and resets, so that
  /// they are not lost if the queue is full.
  ///
  /// - Parameters:
  ///   - events: The events.
  ///   - payloads: The payloads of the events.
  /// - Returns: The number of events that were sent.
  /// - Throws: `EndpointError.refused` if the sequencer is not available any more.
  /// - Complexity: O(n) in the number of events; a few system calls.
  public func send(
    _ events: Span<HostEvent>, payloads: Span<UInt8>
  ) throws(EndpointError) -> Int {
    try withStates { (port, client) throws(EndpointError) in
      try port.send(events, payloads: payloads, to: &client)
    }
  }

  /// Sends as many events of a buffer as the kernel has room for, if they are due before an
  /// instant.
  ///
  /// - Parameters:
  ///   - buffer: The events.
  ///   - start: The index of the first event; 0 by default.
  ///   - limit: The instant; by default all events are sent.
  /// - Returns: The number of events that were sent.
  /// - Throws: `EndpointError.refused` if the sequencer is not available any more.
  /// - Complexity: O(n) in the number of events; a few system calls.
  public func send(
    _ buffer: borrowing HostEventBuffer, from start: Int = 0,
    before limit: HostTime = HostTime(nanoseconds: .max)
  ) throws(EndpointError) -> Int {
    var end = start
    while end < buffer.events.count, buffer.events[end].time < limit { end += 1 }
    return try send(buffer.events.span.extracting(start..<end), payloads: buffer.payloads.span)
  }

  /// Cancels all events due at or after an instant, including long SysEx messages.
  ///
  /// A long SysEx message that was due before the instant is still sent in full, and the events
  /// that wait for it follow. A cancelled SysEx message that has been sent in part is ended with
  /// F7. If a note-off is cancelled, the note sounds until the router or `silence()` releases it.
  ///
  /// - Parameter time: The instant.
  public func cancel(from time: HostTime) {
    attempt { (port, client) throws(EndpointError) in
      try port.cancel(from: time, in: &client)
    }
  }

  /// Always true: the kernel's queue delivers each event at its time, in any order of calls.
  public var ordersByTime: Bool { true }

  /// Always true: the port accepts parts of a SysEx, and sends each at its time.
  public var takesSysExParts: Bool { true }

  /// Cancels all events that are not due yet, and immediately releases all sounding notes.
  ///
  /// Every sounding key is released. On each channel that was used, pedals are released, the pitch
  /// bend is centred, and all notes and all sound are switched off.
  public func silence() {
    attempt { (port, client) throws(EndpointError) in
      try port.silence(in: &client)
    }
  }

  /// Lets sounding notes continue: from now on, the guardian does not release them when this
  /// process ends.
  public func leaveSounding() {
    state.withLock { $0.leaveSounding() }
  }

  /// Waits until all events have left the kernel's queue, or until an instant.
  ///
  /// - Parameter limit: The instant.
  /// - Returns: True if all events have left.
  /// - Throws: `EndpointError.refused` if the sequencer is not available any more.
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

  /// True if events wait for a long SysEx, or are sent late because of one.
  public var isHoldingBack: Bool { state.withLock { $0.isHoldingBack } }

  /// Returns the longest time that an event waited for a long SysEx since the last call.
  public func takeSysExDelay() -> Duration {
    .nanoseconds(state.withLock { $0.takeLongestDelay() })
  }

  /// Returns the progress of the long SysEx messages that are being sent, in bytes including F0 and
  /// F7.
  ///
  /// Both numbers are zero if none is being sent.
  ///
  /// - Parameter time: The instant for which the progress is calculated.
  /// - Returns: The number of bytes already sent, and the number in total.
  public func sysExProgress(
    at time: HostTime
  ) -> (sent: Int, total: Int) {
    state.withLock { $0.sysExProgress(at: time) }
  }

  /// Treats every channel as sounding, because the kernel passes events of other programs.
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

  /// Ignores failures: they mean that the sequencer is gone, and with it all events and
  /// connections.
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
