// SPDX-License-Identifier: Apache-2.0
public import MIDIMessages
public import MIDIPorts
internal import MusicalTime
internal import Realtime
internal import Synchronization

/// A MIDI port of a JACK client that receives events.
///
/// The time of an event is the host time of its frame, minus the latency of its source.
///
/// JACK merges all connections to a port. There is therefore one JACK port for each source, so that
/// the sender of each event is known. If no source is named, there is one JACK port, and the sender
/// is known only while a single port is connected to it. When the server disappears, held notes are
/// released.
///
/// - Note: One thread drains, any thread may call the rest. Not real-time safe.
public final class JACKInputPort: InputPort {
  /// The client that owns the port.
  public let client: JACKClient
  /// The file descriptors that become readable when events arrive.
  public let descriptors: [Int32]
  private let ports: JACKPorts
  private let name: String
  private let queue: MIDIInQueue
  private let duties: Mutex<[MIDIInDuty]>
  private let state: Mutex<State>

  private struct State {
    var parsers: [MessageParser] = []
    var ledger = NoteLedger()
    var lost = 0
    var gaps = 0
    var overflows = 0
  }

  /// Registers a port without a source.
  ///
  /// - Parameters:
  ///   - ports: The provider of the port.
  ///   - client: The client.
  ///   - name: The name of the port.
  ///   - capacity: The number of messages that are stored until they are drained.
  /// - Throws: `JACKError`; `RealtimeError` if the process cannot open another file descriptor.
  init(of ports: JACKPorts, on client: JACKClient, name: String, capacity: Int) throws {
    let queue = try MIDIInQueue(capacity: capacity)
    (self.ports, self.client, self.name, self.queue) = (ports, client, name, queue)
    descriptors = [queue.news.descriptor]
    let first = MIDIInDuty(name: name, from: nil, queue, place: 0)
    duties = Mutex([first])
    state = Mutex(State())
    try client.add(first)
  }

  deinit {
    for duty in duties.withLock({ $0 }) { client.remove(duty) }
  }

  /// The full name of the port, as other programs see it, such as `jack:downbeat:in`.
  public var description: String {
    let duty = duties.withLock { $0[0] }
    return "jack:" + ((client.withHandle { duty.fullName($0) } ?? nil) ?? client.name)
  }

  /// Receives events from a source from now on, even after the source or the server disappears and
  /// returns.
  ///
  /// - Throws: `EndpointError.vanished` if the source is missing; `JACKError` if the server refuses
  ///   another port.
  public func connect(to source: Endpoint) throws {
    let full = JACKPorts.fullName(of: source)
    let (duty, isNew) = duties.withLock { duties -> (MIDIInDuty, Bool) in
      if let known = duties.first(where: { $0.source == full }) { return (known, false) }
      let number = duties.count
      let duty = MIDIInDuty(
        name: number == 1 ? "\(name) from" : "\(name) from \(number)", from: full, queue,
        place: UInt32(number))
      duties.append(duty)
      return (duty, true)
    }
    if isNew { try client.add(duty) }
    guard client.withHandle({ duty.isConnected($0) }) ?? false else {
      throw EndpointError.vanished(name: "\(source)")
    }
  }

  /// The number of times that messages were lost, because they were drained too late or were too
  /// long.
  public var overflows: Int { state.withLock { $0.overflows } }

  /// Returns the name of the sender of events with this `track`, such as
  /// `jack:system:midi_capture_1`.
  ///
  /// If several ports are connected to one JACK port, the sender is unknown, and the name of this
  /// port is returned.
  public func senderName(_ track: UInt16) -> String {
    ports.name(of: EndpointAddress(track: track)).map { "jack:\($0)" } ?? description
  }

  /// Appends all events received since the last call, in order of time.
  public func drain(into buffer: inout HostEventBuffer) {
    // The deadline has passed: this only resets the wake-up.
    _ = queue.news.wait(until: 0)
    let lost = queue.lostCount.load(ordering: .relaxed)
    let gaps = queue.gapCount.load(ordering: .relaxed)
    guard queue.messages.reader.count > 0 || state.withLock({ ($0.lost, $0.gaps) }) != (lost, gaps)
    else { return }
    let tracks = tracks()
    let start = buffer.events.count
    state.withLock { state in
      while let message = queue.messages.reader.pop() {
        take(message, tracks, &state, into: &buffer)
      }
      for event in buffer.events[start...] {
        if case .message(let message) = event.payload { state.ledger.record(message) }
      }
      guard (state.lost, state.gaps) != (lost, gaps) else { return }
      if state.lost != lost { state.overflows += 1 }
      (state.lost, state.gaps) = (lost, gaps)
      resynchronize(&state, into: &buffer)
    }
    buffer.sortByTime()
  }

  /// Appends the releases of everything that was held, because any of them may be among the lost
  /// messages.
  private func resynchronize(_ state: inout State, into buffer: inout HostEventBuffer) {
    for place in state.parsers.indices { state.parsers[place].reset() }
    let time =
      buffer.events.lazy.map(\.time).max() ?? HostTime(nanoseconds: DeadlineWait.now)
    for message in state.ledger.takeReleases(cuttingSound: false) {
      buffer.append(HostEvent(time: time, payload: .message(message)))
    }
  }

  private func take(
    _ message: ArrivedMessage, _ tracks: [UInt16], _ state: inout State,
    into buffer: inout HostEventBuffer
  ) {
    let place = Int(message.place)
    while state.parsers.count <= place { state.parsers.append(MessageParser()) }
    let time = HostTime(nanoseconds: message.time)
    let track = place < tracks.count ? tracks[place] : 0
    if message.count <= 4 {
      for index in 0..<message.count {
        let byte = UInt8(truncatingIfNeeded: message.short >> (8 * index))
        state.parsers[place].parse(byte, time: time, track: track, into: &buffer)
      }
      return
    }
    for _ in 0..<message.count {
      guard let byte = queue.bytes.reader.pop() else { return }
      state.parsers[place].parse(byte, time: time, track: track, into: &buffer)
    }
  }

  /// The senders of each of the ports.
  private func tracks() -> [UInt16] {
    duties.withLock { $0 }.map { duty in
      if let source = duty.source { return ports.address(of: source).track }
      let known = client.withHandle { duty.sources($0) } ?? []
      let name = known.count == 1 ? known[0] : "\(client.name):\(self.name)"
      return ports.address(of: name).track
    }
  }
}
