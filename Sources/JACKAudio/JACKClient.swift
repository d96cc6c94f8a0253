// SPDX-License-Identifier: Apache-2.0
internal import CJACK
internal import Glibc
public import MusicalTime
internal import Realtime
internal import Synchronization

/// A client of a sound server: JACK's, or PipeWire by JACK's interface.
///
/// Its outputs, inputs and MIDI ports have their turns on the server's thread, all in one count of
/// frames. It never starts a server. One that goes away is waited for; when it is back the ports are
/// opened and connected again, and what was played goes on where it stopped.
///
/// - Note: any thread; not real-time safe.
public final class JACKClient: Sendable {
  /// The server.
  public let server: JACKServer
  /// Frames a second of the server; nothing sounds while it runs at another rate.
  public let rate: SampleRate
  /// How many seconds a server that went away is waited for.
  public let patience: Int

  let process: JACKProcess
  /// What the server was asked to call it.
  let wishedName: String
  private let opener: @Sendable (_ name: String) throws(JACKError) -> JACKHandle
  private let answers: @Sendable () -> Bool
  private let control: Mutex<Control>
  /// Held by the one who reads the line.
  private let reading = Mutex(())
  private let away = Atomic<Bool>(false)
  private let stops = Atomic<Bool>(false)
  private let keeper = Mutex<RealtimeThread?>(nil)

  private struct Control {
    var handle: JACKHandle?
    /// What the server called it last.
    var name: String
    var duties: [JACKDuty] = []
    /// Those of them that are not connected yet as they were before the server went away.
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
          // Whom it was connected to is not back yet: it plays to nobody meanwhile.
        }
        duty.lookAtLatency(JackPlaybackLatency, handle.library)
        return isWhole
      }
    }
  }

  /// Opens a client.
  ///
  /// - Parameters:
  ///   - name: what the server is to call it; it gets a number where another has the name.
  ///   - server: which one; nil for the one that runs, JACK before PipeWire.
  ///   - patience: how many seconds a server that went away is waited for, 0…3600.
  /// - Throws: `JACKError`.
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

  /// What the server calls it.
  public var name: String { control.withLock { $0.name } }

  /// The frames of one turn, as of now: a server may change that at any time.
  public var bufferFrames: Int { process.bufferFrames.load(ordering: .relaxed) }

  /// How often the server said that somebody was too slow.
  public var xrunCount: Int { process.xrunCount.load(ordering: .relaxed) }

  /// Whether the server is gone and its return is waited for, or runs at another rate.
  public var isAway: Bool { away.load(ordering: .acquiring) || isAtOtherRate }

  /// Frames a second of the server, as of now: PipeWire may change that at any time.
  public var serverHertz: Int { Int(process.hertz.load(ordering: .relaxed)) }

  /// Whether the server runs at another rate.
  var isAtOtherRate: Bool { serverHertz != rate.hertz }

  /// Why the client can do nothing any more; nil while it can.
  public var failure: JACKError? { control.withLock { $0.failure } }

  /// When the client's frames pass; nil before the first turn.
  var line: Timeline<SampleTime, HostTime>? {
    reading.withLock { _ in process.line.read() }
  }

  /// Leaves the server; the last thing that is done with it.
  public func close() {
    guard !stops.exchange(true, ordering: .acquiringAndReleasing) else { return }
    process.wait.wake()
    let thread = keeper.withLock { $0.take() }
    // The last reference may be given up by the keeper itself.
    if let thread, !thread.isCurrent { thread.join() }
    closeHandle()
  }

  /// Closes the client, not under the lock: that may take seconds.
  private func closeHandle() {
    // PipeWire's thread ends only with the client.
    if server == .jack { process.waitForMessenger() }
    _ = control.withLock { $0.handle.take() }
  }

  // MARK: Duties

  /// Gives the client something to do.
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

  /// Whether the server has said that it is gone, or says nothing: whatever it refuses then, it is for
  /// that reason.
  private var isGone: Bool { process.isShutDown.load(ordering: .acquiring) || !answers() }

  /// Takes from the client what it has to do.
  func remove(_ duty: JACKDuty) {
    process.remove(duty)
    control.withLock { control in
      control.duties.removeAll { $0 === duty }
      control.partedDuties.removeAll { $0 === duty }
      if let handle = control.handle { duty.close(handle) }
    }
  }

  /// Does something with the client, if the server is there.
  func withHandle<Result>(_ body: (JACKHandle) -> Result) -> Result? {
    handle.map(body)
  }

  /// What calls go to; nil while the server is away.
  var handle: JACKHandle? { control.withLock { $0.handle } }

  // MARK: Ports of others

  /// What ends a watch.
  struct Watching: Sendable {
    fileprivate let number: Int
  }

  /// Has something called when ports may have come or gone, also with the server, or were connected or
  /// separated; on a thread of the client's own.
  func watchPorts(by look: @escaping @Sendable (_ areConnected: Bool) -> Void) -> Watching {
    control.withLock { control in
      control.watcherCount += 1
      control.watchers.append((control.watcherCount, look))
      return Watching(number: control.watcherCount)
    }
  }

  /// Has it called no more.
  func endWatching(_ watching: Watching) {
    control.withLock { $0.watchers.removeAll { $0.number == watching.number } }
  }

  private func tellOfPorts(areConnected: Bool = false) {
    for watcher in control.withLock({ $0.watchers }) { watcher.look(areConnected) }
  }

  /// Connects what was connected to others that are back only now.
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

  /// Has the server ask for latencies that are not what was told any more.
  private func tellLatencies() {
    control.withLock { control in
      guard let handle = control.handle, control.duties.contains(where: \.hasOtherLatency)
      else { return }
      handle.recomputeLatencies()
    }
  }

  // MARK: A server that goes away

  /// How often is looked whether turns go on, in nanoseconds.
  private static let lookPeriod: Int64 = 500_000_000
  /// Turns may be longer than this only in a debugger, in nanoseconds.
  private static let longestTurn: Int64 = 3_000_000_000
  private static let retryPeriod: Int64 = 200_000_000

  /// Looks after the server until the client is closed or gone.
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
    // To close the client ends its thread wherever it is: what a turn has written would be half counted.
    process.waitForTurn()
    closeHandle()
    control.withLock { control in
      // Nothing that the old client calls says something else any more.
      for duty in control.duties { duty.note(isAway: true) }
      process.forgetLine()
    }
    // Who sees it finds that all has been told.
    away.store(true, ordering: .releasing)
    tellOfPorts()
    let deadline = DeadlineWait.now + Int64(patience) * 1_000_000_000
    while !stops.load(ordering: .acquiring) {
      if answers(), reopen() { return }
      guard DeadlineWait.now < deadline else {
        control.withLock { $0.failure = $0.failure ?? .lost(server) }
        away.store(false, ordering: .releasing)
        // Nothing is left to be done; the next look is for the end alone.
        process.isShutDown.store(false, ordering: .releasing)
        return
      }
      _ = process.wait.wait(until: min(deadline, DeadlineWait.now + Self.retryPeriod))
    }
  }

  /// Opens the client and everything of it anew; whether the server was there for that.
  private func reopen() -> Bool {
    do throws(JACKError) {
      // Its old name: those who are connected to it, and whom it is connected to, know it by that.
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
