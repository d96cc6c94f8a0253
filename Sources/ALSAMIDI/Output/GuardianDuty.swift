// SPDX-License-Identifier: Apache-2.0
internal import CALSA
internal import MIDIMessages
internal import MIDIPorts
internal import Realtime

/// The work of the guardian's process.
final class GuardianDuty {
  /// The longest wait for the kernel to remove the client, or for a receiver, in nanoseconds.
  private static let patience: Int64 = 100_000_000
  private static let step: Int64 = 1_000_000

  private let duty: SentinelDuty
  private let handle: SequencerHandle
  private let port: UInt8
  private let monitor: ALSAEndpointMonitor
  private var client: UInt8?
  /// The destinations of each port of the client; a port that was once connected may hold a note.
  private var destinations: [UInt8: Set<EndpointAddress>] = [:]
  private var joined: Set<EndpointConnection> = []
  private var told: [UInt8] = []

  init(_ duty: SentinelDuty) throws(EndpointError) {
    self.duty = duty
    handle = try SequencerHandle(name: "downbeat guardian")
    port = try handle.createPort(name: "releases", role: .hiddenOutput)
    monitor = try ALSAEndpointMonitor()
  }

  /// Waits until the client's process ends, and then releases its sounding notes.
  func serve() throws {
    let wait = try DeadlineWait()
    duty.sayReady()
    // Other programs may have connected to the client's ports before the monitor started.
    var isFirst = true
    while true {
      let reason = wait.wait(until: nil, readable: [duty.descriptor, monitor.descriptor])
      if reason == .descriptor(0) {
        guard let bytes = duty.listen() else { break }
        hear(bytes)
        if isFirst, client != nil { try lookAtConnections() }
        isFirst = false
      } else {
        try watch()
      }
    }
    try watch()
    waitForEnd()
    try release()
  }

  private func hear(_ bytes: [UInt8]) {
    told += bytes
    while told.count >= GuardianFact.length {
      switch GuardianFact(told.prefix(GuardianFact.length)) {
      case .client(let number): client = number
      case .connected(let connection): note(connection)
      case .joined(let connection): joined.insert(connection)
      case nil: break
      }
      told.removeFirst(GuardianFact.length)
    }
  }

  private func watch() throws(EndpointError) {
    for case .connected(let connection) in try monitor.changes() { note(connection) }
  }

  private func lookAtConnections() throws(EndpointError) {
    for connection in try handle.connections(among: try handle.devices()) { note(connection) }
  }

  private func note(_ connection: EndpointConnection) {
    guard connection.source.client == client else { return }
    destinations[connection.source.port, default: []].insert(connection.destination)
  }

  /// Waits until no event of the client can be delivered: a note-on after our note-off would hang.
  private func waitForEnd() {
    guard let client else { return }
    let limit = DeadlineWait.now + Self.patience
    while handle.isThere(client), DeadlineWait.now < limit {
      DeadlineWait.sleep(until: DeadlineWait.now + Self.step)
    }
  }

  private func release() throws(EndpointError) {
    for connection in joined { _ = try handle.disconnect(connection) }
    for (number, addresses) in destinations {
      guard let notes = duty.notes(ofPort: number) else { continue }
      let (releases, isInSysEx) = (notes.releases, notes.isInSysEx)
      guard !releases.isEmpty || isInSysEx else { continue }
      for address in addresses { try send(releases, endingSysEx: isInSysEx, to: address) }
    }
  }

  private func send(
    _ releases: [Message], endingSysEx: Bool, to destination: EndpointAddress
  ) throws(EndpointError) {
    do {
      // A driver receives only from ports that are connected to it.
      try handle.connect(
        EndpointConnection(
          source: EndpointAddress(client: handle.client, port: port), destination: destination))
    } catch {
      // The port is gone, and nothing sounds there.
      return
    }
    if endingSysEx {
      let template = unsafe addressed(snd_seq_event_t(), to: destination)
      _ = unsafe try handle.output(sysEx: [0xF7], piece: 0..<1, as: template)
      try handle.handOver()
    }
    for message in releases {
      guard let bare = unsafe EventConversion.event(for: message) else { continue }
      var event = unsafe addressed(bare, to: destination)
      try unsafe deliver(&event)
    }
  }

  private func addressed(
    _ event: snd_seq_event_t, to destination: EndpointAddress
  ) -> snd_seq_event_t {
    var event = unsafe event
    unsafe event.source.port = port
    unsafe event.dest = snd_seq_addr_t(destination)
    unsafe event.queue = UInt8(SND_SEQ_QUEUE_DIRECT)
    return unsafe event
  }

  /// Delivers at once; if the receiver's pool is full, waits until the receiver has read some
  /// events.
  private func deliver(_ event: inout snd_seq_event_t) throws(EndpointError) {
    let limit = DeadlineWait.now + Self.patience
    while unsafe try !handle.outputDirectly(&event), DeadlineWait.now < limit {
      DeadlineWait.sleep(until: DeadlineWait.now + Self.step)
    }
  }
}
