// SPDX-License-Identifier: Apache-2.0
internal import CALSA
public import MIDIPorts
internal import MusicalTime
internal import Realtime
internal import Synchronization

/// This program in the ALSA sequencer: the owner of its ports and of one queue in the kernel.
///
/// The queue runs from the start on the kernel's high-resolution timer and counts real time, not
/// the kernel's tick tempo. When the last reference to a client and its ports is gone, the kernel
/// takes everything away.
///
/// - Note: any thread may use it; a lock is held for the length of a system call. Not real-time
///   safe.
public final class ALSAClient: Sendable {
  /// The client's number.
  public let number: UInt8
  /// The descriptor that becomes readable when events have come for any of its inputs.
  let inputDescriptor: Int32
  let state: Mutex<ClientState>
  /// Who releases what sounds where this process is killed.
  let guardian: Guardian?

  /// Opens the sequencer.
  ///
  /// - Parameters:
  ///   - name: what other programs show.
  ///   - guardian: what releases the notes that sound if this process is killed; each client has its
  ///     own.
  /// - Throws: `EndpointError.noSequencer`, `noPermission`, or what else the kernel refuses.
  public init(name: String = "downbeat", guardian: Guardian? = nil) throws(EndpointError) {
    let state = try ClientState(name: name)
    number = state.handle.client
    self.guardian = guardian
    guardian?.tell(.client(number))
    inputDescriptor = state.handle.inputDescriptor
    self.state = Mutex(state)
  }

  /// Every port of every client, this one's included.
  ///
  /// - Complexity: O(n) in the number of ports, a system call each.
  public func endpoints() throws(EndpointError) -> EndpointList {
    try state.withLock { (state) throws(EndpointError) in
      EndpointList(devices: try state.handle.devices())
    }
  }

  /// The one endpoint of another client that a text names; `EndpointList.find` tells how.
  public func find(
    _ text: String, _ direction: Endpoint.Direction
  ) throws(EndpointError) -> Endpoint {
    try peers().find(text, direction)
  }

  /// Every connection between ports, in order.
  public func connections() throws(EndpointError) -> [EndpointConnection] {
    try state.withLock { (state) throws(EndpointError) in
      try state.handle.connections(among: try state.handle.devices())
    }
  }

  /// Connects two ports; a connection that is there already stays.
  public func connect(_ connection: EndpointConnection) throws(EndpointError) {
    try state.withLock { (state) throws(EndpointError) in
      try state.handle.connect(connection)
    }
  }

  /// Takes a connection away; returns false where there was none.
  @discardableResult
  public func disconnect(_ connection: EndpointConnection) throws(EndpointError) -> Bool {
    try state.withLock { (state) throws(EndpointError) in
      try state.handle.disconnect(connection)
    }
  }
}

/// What a client's lock guards.
struct ClientState: ~Copyable, Sendable {
  private static let firstLooks = 8

  let handle: SequencerHandle
  let queue: Int32
  private(set) var clock: QueueClock
  /// The queue times of what all ports have sent: of one instant, one port's never overtakes
  /// another's that was sent before.
  var stamps: StampLine
  /// What has come for each input port, by port number.
  var inboxes: [UInt8: Inbox]
  /// Whether an event was sent: until then the kernel says that the pool is empty.
  var hasSent: Bool

  init(name: String) throws(EndpointError) {
    let opened = try SequencerHandle(name: name)
    try opened.raisePools()
    let started = try opened.startQueue()
    var looking = QueueClock()
    for _ in 0..<Self.firstLooks {
      // A step of the timer apart, so that each sees another.
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

  /// Looks at the queue's clock and the host's, and at whether the queue is empty.
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

  /// How many cells of the output pool are free.
  func freeCells() throws(EndpointError) -> Int {
    let pool = try handle.outputPool()
    return hasSent ? pool.free : pool.size
  }
}
