// SPDX-License-Identifier: Apache-2.0
internal import CALSA
public import MIDIPorts
internal import MusicalTime
internal import Realtime
internal import Synchronization

/// A client of the ALSA sequencer, which owns ports and a queue in the kernel.
///
/// The queue starts with the client, uses the kernel's high-resolution timer, and counts real time,
/// independent of a tempo. When the last reference to a client and its ports is released, the
/// kernel removes the client, its ports and its queue.
///
/// - Note: Any thread; a lock is held during system calls. Not real-time safe.
public final class ALSAClient: Sendable {
  /// The number of the client in the sequencer, 0…191.
  public let number: UInt8
  /// The descriptor that becomes readable when events have arrived for any of its input ports.
  let inputDescriptor: Int32
  let state: Mutex<ClientState>
  /// Releases sounding notes if this process is killed.
  let guardian: Guardian?

  /// Opens the sequencer and creates a client.
  ///
  /// - Parameters:
  ///   - name: The name of the client, visible to other programs; `downbeat` by default.
  ///   - guardian: The process that releases sounding notes if this process is killed; nil (the
  ///     default) for none. Each client needs a separate guardian.
  /// - Throws: `EndpointError.noSequencer` or `noPermission`, or `refused` if the kernel refuses
  ///   the request.
  public init(name: String = "downbeat", guardian: Guardian? = nil) throws(EndpointError) {
    let state = try ClientState(name: name)
    number = state.handle.client
    self.guardian = guardian
    guardian?.tell(.client(number))
    inputDescriptor = state.handle.inputDescriptor
    self.state = Mutex(state)
  }

  /// Returns the ports of all clients, including this one.
  ///
  /// - Returns: The ports.
  /// - Throws: `EndpointError` if the sequencer is not available any more.
  /// - Complexity: O(n) in the number of ports, with a system call for each.
  public func endpoints() throws(EndpointError) -> EndpointList {
    try state.withLock { (state) throws(EndpointError) in
      EndpointList(devices: try state.handle.devices())
    }
  }

  /// Finds the endpoint of another client that a string names, as `EndpointList.find(_:_:)` does.
  public func find(
    _ text: String, _ direction: Endpoint.Direction
  ) throws(EndpointError) -> Endpoint {
    try peers().find(text, direction)
  }

  /// Returns all connections between ports, in order of source and destination.
  public func connections() throws(EndpointError) -> [EndpointConnection] {
    try state.withLock { (state) throws(EndpointError) in
      try state.handle.connections(among: try state.handle.devices())
    }
  }

  /// Connects two ports; does nothing if they are already connected.
  public func connect(_ connection: EndpointConnection) throws(EndpointError) {
    try state.withLock { (state) throws(EndpointError) in
      try state.handle.connect(connection)
    }
  }

  /// Removes a connection between two ports.
  ///
  /// - Returns: False if the ports were not connected.
  @discardableResult
  public func disconnect(_ connection: EndpointConnection) throws(EndpointError) -> Bool {
    try state.withLock { (state) throws(EndpointError) in
      try state.handle.disconnect(connection)
    }
  }
}

/// The state guarded by the lock of a client.
struct ClientState: ~Copyable, Sendable {
  private static let firstLooks = 8

  let handle: SequencerHandle
  let queue: Int32
  private(set) var clock: QueueClock
  /// The queue times of all ports' events: an event never overtakes one that another port sent
  /// before for the same instant.
  var stamps: StampLine
  /// The received events of each input port, by port number.
  var inboxes: [UInt8: Inbox]
  /// True if an event was sent; before that, the kernel reports an empty pool.
  var hasSent: Bool

  init(name: String) throws(EndpointError) {
    let opened = try SequencerHandle(name: name)
    try opened.raisePools()
    let started = try opened.startQueue()
    var looking = QueueClock()
    for _ in 0..<Self.firstLooks {
      // One step of the timer apart, so that each measures another step.
      DeadlineWait.sleep(until: DeadlineWait.now + 160_000)
      try Self.look(&looking, at: started, of: opened)
    }
    handle = opened
    queue = started
    clock = looking
    stamps = StampLine()
    inboxes = [:]
    hasSent = false
  }

  /// Measures the queue's clock against host time, and reads whether the queue is empty.
  mutating func lookAtQueue() throws(EndpointError) {
    stamps.isClear = try Self.look(&clock, at: queue, of: handle)
  }

  @discardableResult
  private static func look(
    _ clock: inout QueueClock, at queue: Int32, of handle: borrowing SequencerHandle
  ) throws(EndpointError) -> Bool {
    let before = HostTime(nanoseconds: DeadlineWait.now)
    let status = try handle.queueStatus(queue)
    let after = HostTime(nanoseconds: DeadlineWait.now)
    clock.look(queue: status.time, between: before, and: after)
    return status.events == 0
  }

  /// Returns the number of free cells in the output pool.
  func freeCells() throws(EndpointError) -> Int {
    let pool = try handle.outputPool()
    return hasSent ? pool.free : pool.size
  }
}
