// SPDX-License-Identifier: Apache-2.0
internal import CJACK
internal import Glibc
public import MusicalTime
internal import Realtime
internal import Synchronization

/// A client of a sound server: JACK, or PipeWire with its JACK interface.
///
/// The outputs, inputs and MIDI ports of a client run on the server's thread, and count the same
/// frames. The client never starts a server. If the server disappears, the client waits for it to
/// return. Then ports are opened and connected again, and playback continues from the position at
/// which it stopped.
///
/// - Note: Any thread; not real-time safe.
public final class JACKClient: Sendable {
  /// The server to which the client is connected.
  public let server: JACKServer
  /// The sample rate of the server at the start.
  ///
  /// If the server changes to another rate, the client is silent until it changes back.
  public let rate: SampleRate
  /// The time in seconds for which the client waits for a server that has disappeared.
  public let patience: Int

  let process: JACKProcess
  /// The requested name.
  let wishedName: String
  private let opener: @Sendable (_ name: String) throws(JACKError) -> JACKHandle
  private let answers: @Sendable () -> Bool
  private let control: Mutex<Control>
  /// Held by the thread that reads the line.
  private let reading = Mutex(())
  private let away = Atomic<Bool>(false)
  private let stops = Atomic<Bool>(false)
  private let keeper = Mutex<RealtimeThread?>(nil)

  private struct Control {
    var handle: JACKHandle?
    /// The last name given by the server.
    var name: String
    var duties: [JACKDuty] = []
    /// The duties whose connections are not yet as they were before the server disappeared.
    var partedDuties: [JACKDuty] = []
    var failure: JACKError?
    var watchers: [(number: Int, look: @Sendable (_ areConnected: Bool) -> Void)] = []
    var watcherCount = 0

    mutating func connectParted(_ handle: JACKHandle) {
      partedDuties.removeAll { duty in
        var isWhole = false
        do throws(JACKError) {
          isWhole = try duty.connect(handle)
        } catch {
          // Its target is not back yet: until then it is not connected.
        }
        duty.lookAtLatency(JackPlaybackLatency, handle.library)
        return isWhole
      }
    }
  }

  /// Opens a client.
  ///
  /// - Parameters:
  ///   - name: The requested name; the server adds a number if the name is in use.
  ///   - server: The server. If nil (the default), the running server is used; if both are running,
  ///     JACK.
  ///   - patience: The seconds to wait for a server that has disappeared, 0…3600; 30 by default.
  /// - Throws: `JACKError` if the client cannot be opened.
  public convenience init(
    name: String = "downbeat", server: JACKServer? = nil, patience: Int = 30
  ) throws(JACKError) {
    guard let server = server ?? JACKServer.running.first else { throw .noServer }
    guard server.isRunning else {
      let others = JACKServer.running
      throw others.isEmpty ? .noServer : .notRunning(server, others: others)
    }
    try self.init(
      name: name, server: server, patience: patience, answers: { server.isRunning }
    ) { (name) throws(JACKError) in
      try JACKOpening.handle(of: server) { () throws(JACKError) in
        try JACKHandle(server, name: name)
      }
    }
  }

  init(
    name: String, server: JACKServer, patience: Int, answers: @escaping @Sendable () -> Bool,
    opener: @escaping @Sendable (_ name: String) throws(JACKError) -> JACKHandle
  ) throws(JACKError) {
    let handle: JACKHandle
    do throws(JACKError) { handle = try opener(name) } catch {
      throw answers() ? error : .lost(server)
    }
    (self.server, wishedName) = (server, name)
    (self.opener, self.answers) = (opener, answers)
    self.patience = min(3600, max(0, patience))
    guard let rate = SampleRate(hertz: Int(handle.hertz)) else {
      throw .cannotStart(server, reason: "\(handle.hertz) Hz is not a sample rate")
    }
    self.rate = rate
    do throws(RealtimeError) {
      process = try JACKProcess(rate: rate, bufferFrames: handle.bufferFrames)
    } catch {
      throw .cannotStart(server, reason: error.description)
    }
    process.serve(handle)
    guard handle.activate() else {
      throw answers() ? .refused(server, status: 0) : .lost(server)
    }
    control = Mutex(Control(handle: handle, name: handle.name))
    do throws(RealtimeError) {
      let thread = try RealtimeThread(name: "jack", priority: nil) { [weak self] in
        JACKClient.keep { self }
      }
      keeper.withLock { $0 = thread }
    } catch {
      throw .cannotStart(server, reason: error.description)
    }
  }

  deinit { close() }

  /// The name of the client, as the server has assigned it.
  public var name: String { control.withLock { $0.name } }

  /// The current number of frames per cycle, which the server may change at any time.
  public var bufferFrames: Int { process.bufferFrames.load(ordering: .relaxed) }

  /// The number of xruns that the server has reported.
  public var xrunCount: Int { process.xrunCount.load(ordering: .relaxed) }

  /// True while the client waits for a server that has disappeared, or while the server runs at a
  /// sample rate other than the client's.
  public var isAway: Bool { away.load(ordering: .acquiring) || isAtOtherRate }

  /// The server's current sample rate in hertz, which PipeWire may change at any time.
  public var serverHertz: Int { Int(process.hertz.load(ordering: .relaxed)) }

  /// True if the server runs at another rate.
  var isAtOtherRate: Bool { serverHertz != rate.hertz }

  /// The error because of which the client cannot continue; nil while it works.
  public var failure: JACKError? { control.withLock { $0.failure } }

  /// The line from the client's frames to host time; nil before the first cycle.
  var line: Timeline<SampleTime, HostTime>? {
    reading.withLock { _ in process.line.read() }
  }

  /// Disconnects from the server permanently; only the first call has an effect.
  public func close() {
    guard !stops.exchange(true, ordering: .acquiringAndReleasing) else { return }
    process.wait.wake()
    let thread = keeper.withLock { $0.take() }
    // The keeper itself may release the last reference.
    if let thread, !thread.isCurrent { thread.join() }
    closeHandle()
  }

  /// Closes the client outside of the lock, because this may take seconds.
  private func closeHandle() {
    // PipeWire's thread only ends with the client.
    if server == .jack { process.waitForMessenger() }
    _ = control.withLock { $0.handle.take() }
  }

  // MARK: Duties

  /// Adds a duty, whose ports are opened and connected.
  func add(_ duty: JACKDuty) throws(JACKError) {
    let failure = control.withLock { control -> JACKError? in
      guard let handle = control.handle else { return control.failure ?? .lost(server) }
      do throws(JACKError) {
        try duty.open(handle)
        guard process.add(duty) else { throw .cannotRegister(port: "\(handle.name):") }
        control.duties.append(duty)
        try duty.connect(handle)
        duty.lookAtLatency(JackPlaybackLatency, handle.library)
        return nil
      } catch {
        process.remove(duty)
        duty.close(handle)
        control.duties.removeAll { $0 === duty }
        return isGone ? .lost(server) : error
      }
    }
    if let failure { throw failure }
  }

  /// True if the server has reported its end, or does not answer; this explains any refusal.
  private var isGone: Bool { process.isShutDown.load(ordering: .acquiring) || !answers() }

  /// Removes a duty.
  func remove(_ duty: JACKDuty) {
    process.remove(duty)
    control.withLock { control in
      control.duties.removeAll { $0 === duty }
      control.partedDuties.removeAll { $0 === duty }
      if let handle = control.handle { duty.close(handle) }
    }
  }

  /// Uses the client, if the server is there.
  func withHandle<Result>(_ body: (JACKHandle) -> Result) -> Result? {
    handle.map(body)
  }

  /// The open client; nil while the server is gone.
  var handle: JACKHandle? { control.withLock { $0.handle } }

  // MARK: Ports of other clients

  /// The token that ends a watch.
  struct Watching: Sendable {
    fileprivate let number: Int
  }

  /// Calls a closure when ports may have appeared or disappeared, also with the server, or
  /// connections have changed; on the client's thread.
  func watchPorts(by look: @escaping @Sendable (_ areConnected: Bool) -> Void) -> Watching {
    control.withLock { control in
      control.watcherCount += 1
      control.watchers.append((control.watcherCount, look))
      return Watching(number: control.watcherCount)
    }
  }

  /// Ends the calls.
  func endWatching(_ watching: Watching) {
    control.withLock { $0.watchers.removeAll { $0.number == watching.number } }
  }

  private func tellOfPorts(areConnected: Bool = false) {
    for watcher in control.withLock({ $0.watchers }) { watcher.look(areConnected) }
  }

  /// Connects the duties whose targets are only now back.
  private func connectParted() {
    control.withLock { control in
      if let handle = control.handle { control.connectParted(handle) }
    }
  }

  private func lookAtConnections() {
    control.withLock { control in
      guard let handle = control.handle else { return }
      for duty in control.duties { duty.lookAtConnections(handle, beside: control.duties) }
    }
  }

  /// Makes the server ask for latencies that have changed.
  private func tellLatencies() {
    control.withLock { control in
      guard let handle = control.handle, control.duties.contains(where: \.hasOtherLatency)
      else { return }
      handle.recomputeLatencies()
    }
  }

  // MARK: A server that disappears

  /// The interval of checks that cycles continue, in nanoseconds.
  private static let lookPeriod: Int64 = 500_000_000
  /// The longest cycle, except in a debugger, in nanoseconds.
  private static let longestTurn: Int64 = 3_000_000_000
  private static let retryPeriod: Int64 = 200_000_000

  /// Monitors the server until the client is closed or released.
  private static func keep(_ client: () -> JACKClient?) {
    var turn: UInt64 = 0
    var moved = DeadlineWait.now
    while true {
      guard let wait = client()?.process.wait else { return }
      _ = wait.wait(until: DeadlineWait.now + lookPeriod)
      guard let client = client(), !client.stops.load(ordering: .acquiring) else { return }
      let now = client.process.turnCount.load(ordering: .acquiring)
      if now != turn { (turn, moved) = (now, DeadlineWait.now) }
      if client.process.hasPortNews.exchange(false, ordering: .acquiringAndReleasing) {
        client.connectParted()
        client.tellOfPorts()
      }
      if client.process.hasConnectionNews.exchange(false, ordering: .acquiringAndReleasing) {
        client.lookAtConnections()
        client.tellOfPorts(areConnected: true)
      }
      if client.process.hasLatencyNews.exchange(false, ordering: .acquiringAndReleasing) {
        client.lookAtConnections()
      }
      client.tellLatencies()
      let hangs = DeadlineWait.now - moved > longestTurn && !client.answers()
      if client.process.isShutDown.load(ordering: .acquiring) || hangs {
        client.waitForReturn()
        moved = DeadlineWait.now
      }
    }
  }

  private func waitForReturn() {
    // Closing the client ends its thread anywhere, so that a cycle could be counted in part.
    process.waitForTurn()
    closeHandle()
    control.withLock { control in
      // From here on, calls of the old client do not report anything else.
      for duty in control.duties { duty.note(isAway: true) }
      process.forgetLine()
    }
    // Stored last, so that all notifications have been sent.
    away.store(true, ordering: .releasing)
    tellOfPorts()
    let deadline = DeadlineWait.now + Int64(patience) * 1_000_000_000
    while !stops.load(ordering: .acquiring) {
      if answers(), reopen() { return }
      guard DeadlineWait.now < deadline else {
        control.withLock { $0.failure = $0.failure ?? .lost(server) }
        away.store(false, ordering: .releasing)
        // Nothing remains to be done; the next check is only for the end.
        process.isShutDown.store(false, ordering: .releasing)
        return
      }
      _ = process.wait.wait(until: min(deadline, DeadlineWait.now + Self.retryPeriod))
    }
  }

  /// Opens the client again with its ports; false if the server is not ready.
  private func reopen() -> Bool {
    do throws(JACKError) {
      // With its old name, by which other programs and connections know it.
      let handle = try opener(name)
      guard handle.hertz == rate.hertz else {
        throw .returnedAtOtherRate(server, hertz: Int(handle.hertz), wanted: Int(rate.hertz))
      }
      process.serve(handle)
      try reopen(handle)
      return true
    } catch {
      if case .returnedAtOtherRate = error { control.withLock { $0.failure = error } }
      // Not ready yet.
      return false
    }
  }

  private func reopen(_ handle: JACKHandle) throws(JACKError) {
    let failure = control.withLock { control -> JACKError? in
      do throws(JACKError) {
        for duty in control.duties { try duty.open(handle) }
        guard handle.activate() else { throw .refused(server, status: 0) }
      } catch {
        return error
      }
      control.partedDuties = control.duties
      control.connectParted(handle)
      for duty in control.duties { duty.note(isAway: false) }
      (control.handle, control.name) = (handle, handle.name)
      control.failure = nil
      return nil
    }
    if let failure { throw failure }
    away.store(false, ordering: .releasing)
    tellOfPorts()
  }
}
