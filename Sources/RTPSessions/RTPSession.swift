// SPDX-License-Identifier: Apache-2.0
package import MIDIMessages
package import MusicalTime
package import NetworkSockets
package import RTPMIDI
internal import Realtime
internal import Synchronization

/// A session of MIDI over the network: others invite it, or it invites them; what is sent goes to all
/// in it, and what any of them sends comes.
///
/// - Note: any thread may use it. Not real-time safe. `end` it: it does not end by itself.
package final class RTPSession: Sendable {
  /// What is told of a session, on its thread.
  package enum News: Sendable {
    /// It is there for others to invite, at a port for control and the one above.
    case opened(port: UInt16)
    /// What became of a party.
    case fact(SessionFact)
  }

  /// How a session is set up.
  package struct Settings: Sendable {
    /// What others see.
    package var name: String
    /// The port for control; nil takes one of the usual that is free, from 5004 on.
    package var port: UInt16?
    /// Who may come.
    package var rules = SessionRules()
    /// How much later than its stamp says an event is played, in nanoseconds.
    package var delay: Int64 = 5_000_000
    /// Octets a second of a long SysEx; nil for as fast as the session's window allows.
    package var sysExSpeed: Int?

    /// Sets a session up.
    package init(name: String, port: UInt16? = nil) {
      (self.name, self.port) = (name, port)
    }
  }

  /// What is known of a session.
  private struct Knowledge {
    var standings: [SessionStanding] = []
    var port: UInt16
  }

  /// What others see.
  package let name: String
  /// Whether its port was named, and is kept.
  let hasOwnPort: Bool
  let outbox = SessionOutbox()
  let inbox: SessionInbox
  let observe: @Sendable (News) -> Void
  private let trackOf: @Sendable (SessionPartner) -> UInt16
  private let host: SessionHost
  private let gone: DeadlineWait
  private let hasLeft = Atomic(false)
  private let hasEnded = Atomic(false)
  private let knowledge: Mutex<Knowledge>

  /// Opens a session with nobody in it.
  ///
  /// - Parameters:
  ///   - settings: How it is set up.
  ///   - host: The thread of all sessions.
  ///   - track: What stands for a partner in events.
  ///   - observe: Is told what happens, on the thread.
  /// - Throws: `NetworkError` where its port is taken; `RealtimeError` where no descriptor is left.
  package init(
    _ settings: Settings, on host: SessionHost,
    track: @escaping @Sendable (SessionPartner) -> UInt16 = {
      UInt16(truncatingIfNeeded: $0.number)
    },
    observing observe: @escaping @Sendable (News) -> Void = { _ in }
  ) throws {
    let sockets = try settings.port.map { try SessionSockets(port: $0) } ?? SessionSockets.usual()
    inbox = try SessionInbox()
    gone = try DeadlineWait()
    name = settings.name
    hasOwnPort = settings.port != nil
    knowledge = Mutex(Knowledge(port: sockets.port))
    (trackOf, self.observe, self.host) = (track, observe, host)
    var system = SystemRandomNumberGenerator()
    let now = HostTime.now
    let node = SessionNode(
      name: settings.name, rules: settings.rules, delay: settings.delay,
      sysExSpeed: settings.sysExSpeed, seed: system.next(), at: now)
    // The thread alone has them from here on.
    nonisolated(unsafe) let handed = sockets
    host.add { unsafe SessionRun(self, node, handed, at: now) }
  }

  /// The port for control.
  package var port: UInt16 { knowledge.withLock { $0.port } }

  /// How everybody stands, at most a quarter of a second old.
  package var standings: [SessionStanding] { knowledge.withLock { $0.standings } }

  /// Invites somebody, and whenever they have gone again; one of a name that was invited before has
  /// moved.
  ///
  /// A session that invites is found by nobody from here on, and nobody comes by themselves.
  package func invite(_ address: SocketAddress, name: String) {
    post(.invite(SessionAddress(address), name: name, isQuestion: false))
  }

  /// Asks somebody again and again whether they are there; they are told of as having joined, and are
  /// never in the session.
  package func ask(_ address: SocketAddress, name: String) {
    post(.invite(SessionAddress(address), name: name, isQuestion: true))
  }

  /// Takes events in order, from the first, and says how many there was room for.
  package func send(_ events: Span<HostEvent>, payloads: Span<UInt8>) -> Int {
    let taken = outbox.take(events, payloads: payloads)
    if taken > 0 { host.wait.wake() }
    return taken
  }

  /// Forgets what is due at or after an instant and has not left.
  package func cancel(from time: HostTime) { post(.cancel(from: time)) }

  /// Forgets what has not left, and releases what sounds, at once.
  ///
  /// It waits until the releases have left, for a quarter of a second at most.
  package func silence() {
    post(.silence)
    let end = DeadlineWait.now + 250_000_000
    while !outbox.isEmpty, DeadlineWait.now < end {
      DeadlineWait.sleep(until: DeadlineWait.now + 500_000)
    }
  }

  /// Waits until everything sent has left and sounds, or until an instant.
  ///
  /// - Returns: Whether all of it has left.
  package func drain(until limit: HostTime) -> Bool {
    while true {
      let now = HostTime.now
      if outbox.isDrained(at: now) { return true }
      if now >= limit { return false }
      DeadlineWait.sleep(until: min(now.nanoseconds + 1_000_000, limit.nanoseconds))
    }
  }

  /// How far long SysEx messages have come, in octets, F0 and F7 included; without one both are 0.
  package var sysExProgress: (sent: Int, total: Int) { outbox.progress }

  /// Whether something waits for a long SysEx, or is to sound late because of one.
  package var isHoldingBack: Bool { outbox.isHoldingBack(at: .now) }

  /// The longest time that an event waited behind a long SysEx since the last call.
  package func takeSysExDelay() -> Duration { .nanoseconds(outbox.takeLongestDelay()) }

  /// What becomes readable when something has come.
  package var descriptor: Int32 { inbox.descriptor }

  /// How often events were lost because nobody drained them in time.
  package var overflows: Int { inbox.overflows }

  /// Appends everything that came since the last call, in the order of its times.
  package func drain(into buffer: inout HostEventBuffer) { inbox.drain(into: &buffer) }

  /// Begins to take leave of everybody; `end` waits for it.
  package func leave() {
    guard !hasLeft.exchange(true, ordering: .relaxed) else { return }
    post(.end)
  }

  /// Takes leave of everybody; the last thing that is done with it.
  ///
  /// It waits until the farewells have left, for a second at most.
  package func end() {
    leave()
    guard !hasEnded.exchange(true, ordering: .relaxed) else { return }
    _ = gone.wait(until: DeadlineWait.now + 1_000_000_000)
  }

  private func post(_ letter: SessionOutbox.Letter) {
    outbox.post(letter)
    host.wait.wake()
  }

  func publish(_ standings: [SessionStanding], port: UInt16) {
    knowledge.withLock { ($0.standings, $0.port) = (standings, port) }
  }

  func track(of partner: SessionPartner) -> UInt16 { trackOf(partner) }

  func didEnd() { gone.wake() }
}
