// SPDX-License-Identifier: Apache-2.0
package import MIDIMessages
package import MusicalTime
package import NetworkSockets
package import RTPMIDI
internal import Realtime
internal import Synchronization

/// An RTP-MIDI session.
///
/// Events are sent to all joined peers, and received from all of them.
///
/// Other machines invite the session, or it invites them. Call `end` when it is not needed any
/// more.
///
/// - Note: Can be used from any thread. Not real-time safe.
package final class RTPSession: Sendable {
  /// A report of a session, on the sessions' thread.
  package enum News: Sendable {
    /// The session can be invited at this control port; the data port is the next one.
    case opened(port: UInt16)
    /// A report about a peer.
    case fact(SessionFact)
  }

  /// The settings of a session.
  package struct Settings: Sendable {
    /// The name that other machines see.
    package var name: String
    /// The control port; nil for the first free port of the usual ones, from 5004 on.
    package var port: UInt16?
    /// The rules for guests.
    package var rules = SessionRules()
    /// The delay after an event's time stamp until it is played, in nanoseconds; 5 ms by default.
    package var delay: Int64 = 5_000_000
    /// The speed of a long SysEx in bytes per second; nil for as fast as the session's window
    /// allows.
    package var sysExSpeed: Int?

    /// Creates settings.
    package init(name: String, port: UInt16? = nil) {
      (self.name, self.port) = (name, port)
    }
  }

  /// The published state of a session.
  private struct Knowledge {
    var standings: [SessionStanding] = []
    var port: UInt16
  }

  /// The name that other machines see.
  package let name: String
  /// True if the port was given in the settings and must be kept.
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

  /// Opens a session without peers.
  ///
  /// - Parameters:
  ///   - settings: The settings.
  ///   - host: The thread of all sessions.
  ///   - track: Returns the `track` for events of a peer.
  ///   - observe: Receives reports, on the sessions' thread.
  /// - Throws: `NetworkError` if the port is in use; `RealtimeError` if no file descriptor is
  ///   available.
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
    // Only the thread uses them from here on.
    nonisolated(unsafe) let handed = sockets
    host.add { unsafe SessionRun(self, node, handed, at: now) }
  }

  /// The control port.
  package var port: UInt16 { knowledge.withLock { $0.port } }

  /// The states of all peers, at most 250 ms old.
  package var standings: [SessionStanding] { knowledge.withLock { $0.standings } }

  /// Invites a peer, and again whenever it has left.
  ///
  /// If the name was invited before, its address changes.
  ///
  /// A session that invites is no longer announced and does not accept other guests.
  package func invite(_ address: SocketAddress, name: String) {
    post(.invite(SessionAddress(address), name: name, isQuestion: false))
  }

  /// Repeatedly checks that a peer answers, without joining its session.
  ///
  /// A peer that answers is reported as joined.
  package func ask(_ address: SocketAddress, name: String) {
    post(.invite(SessionAddress(address), name: name, isQuestion: true))
  }

  /// Accepts events in order, as far as there is room, and returns their number.
  package func send(_ events: Span<HostEvent>, payloads: Span<UInt8>) -> Int {
    let taken = outbox.take(events, payloads: payloads)
    if taken > 0 { host.wait.wake() }
    return taken
  }

  /// Cancels events at or after an instant that have not been sent.
  package func cancel(from time: HostTime) { post(.cancel(from: time)) }

  /// Cancels events that have not been sent, and releases everything that sounds, at once.
  ///
  /// It waits until the releases have been sent, for at most 250 ms.
  package func silence() {
    post(.silence)
    let end = DeadlineWait.now + 250_000_000
    while !outbox.isEmpty, DeadlineWait.now < end {
      DeadlineWait.sleep(until: DeadlineWait.now + 500_000)
    }
  }

  /// Waits until everything has been sent and is audible, or until an instant.
  ///
  /// - Returns: True if everything has been sent.
  package func drain(until limit: HostTime) -> Bool {
    while true {
      let now = HostTime.now
      if outbox.isDrained(at: now) { return true }
      if now >= limit { return false }
      DeadlineWait.sleep(until: min(now.nanoseconds + 1_000_000, limit.nanoseconds))
    }
  }

  /// The number of bytes of long SysEx messages that have been sent, and their total, including F0
  /// and F7; otherwise both are 0.
  package var sysExProgress: (sent: Int, total: Int) { outbox.progress }

  /// True if events wait for a long SysEx, or will be late because of one.
  package var isHoldingBack: Bool { outbox.isHoldingBack(at: .now) }

  /// The longest delay of an event behind a long SysEx since the last call.
  package func takeSysExDelay() -> Duration { .nanoseconds(outbox.takeLongestDelay()) }

  /// The file descriptor that becomes readable when events are available.
  package var descriptor: Int32 { inbox.descriptor }

  /// The number of times that events were lost because they were not drained in time.
  package var overflows: Int { inbox.overflows }

  /// Appends all events received since the last call, in order of time.
  package func drain(into buffer: inout HostEventBuffer) { inbox.drain(into: &buffer) }

  /// Begins to leave all peers; `end` waits for it.
  package func leave() {
    guard !hasLeft.exchange(true, ordering: .relaxed) else { return }
    post(.end)
  }

  /// Leaves all peers and ends the session.
  ///
  /// Do not use it afterwards.
  ///
  /// It waits until the farewells have been sent, for at most one second.
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
