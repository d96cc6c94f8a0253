// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages
internal import MusicalTime
internal import Realtime

/// The state that is protected by the lock of `LoopbackPorts`.
struct LoopbackState: Sendable {
  /// A port of the program that sends.
  struct Output: Sendable {
    var targets: Set<String> = []
    /// The pending events, in order of time.
    var coming = HostEventBuffer(capacity: 0, payloadCapacity: 0)
    var ledger = NoteLedger()
  }

  /// A port of the program that receives.
  struct Input: Sendable {
    var sources: Set<String> = []
    var received = HostEventBuffer(capacity: 0, payloadCapacity: 0)
    var ledger = NoteLedger()
    var overflows = 0
    let news: DeadlineWait
  }

  /// A monitor to notify of devices.
  struct Watcher: Sendable {
    var changes: [EndpointChange] = []
    var list: EndpointList
    let news: DeadlineWait
  }

  /// The most events that a port of the program stores, in each direction.
  static let limit = 1 << 16

  let kind: PortKind
  var outputs: [Int: Output] = [:]
  var inputs: [Int: Input] = [:]
  var watchers: [Int: Watcher] = [:]
  private var plugged: [String] = []
  private var received: [String: HostEventBuffer] = [:]
  private var numbering: EndpointNumbering
  private var count = 0

  init(_ kind: PortKind) {
    self.kind = kind
    // A provider that replaces ALSA does not use ALSA's numbers.
    numbering = EndpointNumbering(kind == .alsa ? .loopback : kind)
  }

  /// A number for a new port or monitor.
  mutating func makeNumber() -> Int {
    count += 1
    return count
  }

  mutating func plugIn(_ name: String) {
    guard !plugged.contains(name) else { return }
    plugged.append(name)
    tell([Endpoint.Direction.source, .destination].map { .appeared(endpoint(name, $0)) })
  }

  mutating func pullOut(_ name: String) {
    guard plugged.contains(name) else { return }
    let gone = [Endpoint.Direction.source, .destination]
      .map { EndpointChange.vanished(endpoint(name, $0)) }
    plugged.removeAll { $0 == name }
    received[name] = nil
    for number in outputs.keys { outputs[number]?.targets.remove(name) }
    for number in inputs.keys { inputs[number]?.sources.remove(name) }
    tell(gone)
  }

  func isPluggedIn(_ name: String) -> Bool { plugged.contains(name) }

  private mutating func tell(_ changes: [EndpointChange]) {
    for number in watchers.keys {
      watchers[number]?.changes += changes
      watchers[number]?.news.wake()
    }
  }

  var list: EndpointList {
    mutating get {
      var devices: [MIDIDevice] = []
      for name in plugged {
        let (source, destination) = (endpoint(name, .source), endpoint(name, .destination))
        devices.append(
          MIDIDevice(
            kind, number: source.address.client, name: name,
            entities: [
              MIDIEntity(
                port: source.address.port, name: name, source: source, destination: destination)
            ]))
      }
      return EndpointList(devices: devices)
    }
  }

  private mutating func endpoint(_ name: String, _ direction: Endpoint.Direction) -> Endpoint {
    Endpoint(
      kind, direction: direction, address: numbering.address(of: name), deviceName: name,
      name: name)
  }
}

extension LoopbackState {
  /// Moves the due events of all ports to the devices.
  mutating func deliver(until now: HostTime) {
    for number in outputs.keys {
      guard var output = outputs[number] else { continue }
      let count = output.coming.events.prefix { $0.time <= now }.count
      for event in output.coming.events.prefix(count) {
        if case .message(let message) = event.payload { output.ledger.record(message) }
        for name in output.targets { receive(event, output.coming.payloads.span, at: name) }
      }
      output.coming.events.removeFirst(count)
      if output.coming.isEmpty { output.coming.removeAll() }
      outputs[number] = output
    }
  }

  /// Sends messages to a port's destinations immediately.
  mutating func send(_ messages: [Message], from number: Int, at now: HostTime) {
    for name in outputs[number]?.targets ?? [] {
      for message in messages {
        receive(HostEvent(time: now, payload: .message(message)), [UInt8]().span, at: name)
      }
    }
  }

  private mutating func receive(_ event: HostEvent, _ payloads: Span<UInt8>, at name: String) {
    received[name, default: HostEventBuffer(capacity: 0, payloadCapacity: 0)]
      .append(event, payloads: payloads)
  }

  /// Moves the received events of a device to a list.
  mutating func takeReceived(by name: String, into buffer: inout HostEventBuffer) {
    guard var list = received.removeValue(forKey: name) else { return }
    list.sortByTime()
    for event in list.events { buffer.append(event, payloads: list.payloads.span) }
  }

  /// Sends events from a device to the connected ports of the program.
  mutating func send(_ events: HostEventBuffer, from name: String) {
    guard plugged.contains(name) else { return }
    let track = numbering.address(of: name).track
    for number in inputs.keys where inputs[number]?.sources.contains(name) == true {
      for var event in events.events {
        event.track = track
        inputs[number]?.take(event, events.payloads.span)
      }
      inputs[number]?.news.wake()
    }
  }
}

extension LoopbackState.Input {
  /// Stores an event.
  ///
  /// If the list is full, counts the loss and releases held notes instead.
  mutating func take(_ event: HostEvent, _ payloads: Span<UInt8>) {
    guard received.events.count < LoopbackState.limit else {
      overflows += 1
      for message in ledger.takeReleases(cuttingSound: false) {
        received.append(HostEvent(time: event.time, payload: .message(message)))
      }
      return
    }
    if case .message(let message) = event.payload { ledger.record(message) }
    received.append(event, payloads: payloads)
  }
}
