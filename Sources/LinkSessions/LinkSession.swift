// SPDX-License-Identifier: Apache-2.0
package import ClockService
internal import LinkProtocol
package import MusicalTime
package import NetworkSockets
package import Realtime
internal import Synchronization

/// A peer of Ableton Link on all interfaces of this machine, with a separate thread.
///
/// It founds a session, and joins an older one as soon as it finds one. Clocks follow it with
/// `follower`; the control side reads `status`.
package final class LinkSession: Sendable {
  private let beats: Snapshot<LinkedBeats>
  private let state: Snapshot<LinkStatus>
  private let mailbox = Mailbox<LinkRun.Command>()
  private let wait: DeadlineWait
  private let thread: RealtimeThread
  private let hasEnded = Atomic(false)

  /// Founds a session.
  ///
  /// - Parameters:
  ///   - microsecondsPerBeat: The tempo until another session is joined, limited to the allowed
  ///     range; 120 beats per minute by default.
  ///   - interfaces: The names of interfaces on which peers are searched, with any address, in
  ///     addition to the loopback; if empty (the default), all with a private address.
  /// - Throws: `RealtimeError` if a thread or a file descriptor is not available.
  package init(
    microsecondsPerBeat: Int64 = 500_000, on interfaces: [String] = []
  ) throws(RealtimeError) {
    let now = HostTime(nanoseconds: DeadlineWait.now)
    var system = SystemRandomNumberGenerator()
    let node = LinkNode(microsecondsPerBeat: microsecondsPerBeat, seed: system.next(), at: now)
    beats = Snapshot(
      LinkedBeats(
        line: node.line.rescaled(multiplier: 1, over: 1), motion: .free, sessions: 0,
        isSettled: false))
    state = Snapshot(LinkRun.status(of: node, ways: 0))
    let wait = try DeadlineWait()
    self.wait = wait
    let (mailbox, beats, state) = (mailbox, beats.writer, state.writer)
    thread = try RealtimeThread(name: "downbeat link", priority: 40) {
      LinkRun(
        node, at: now, on: interfaces, wait: wait, mailbox: mailbox, beats: beats, status: state
      ).run()
    }
  }

  deinit { end() }

  /// Returns the names of the interfaces.
  ///
  /// - Throws: `NetworkError` if the system cannot list them.
  package static func interfaceNames() throws(NetworkError) -> [String] {
    try NetworkInterface.list().map(\.name)
  }

  /// The state of the peer.
  ///
  /// - Note: Read by one thread at a time.
  package var status: LinkStatus { state.read() }

  /// Returns a follower with which a clock follows the session; one for each session.
  ///
  /// - Parameters:
  ///   - quantum: The length of a bar, in millionths of a beat; above zero.
  ///   - division: The length of a tick in the song.
  ///   - waits: True if the song waits until a peer starts the session; false by default.
  ///   - leads: True if the song controls tempo, start and stop of the session; false by default.
  /// - Returns: The follower, which retains the session.
  package func follower(
    quantum: Int64, division: Division, waits: Bool = false, leads: Bool = false
  ) -> LinkFollower {
    // The follower retains the session, which must not retain itself.
    let lead = LinkLead(
      setTempo: { [weak self] in self?.setTempo($0, at: $1) },
      setPlaying: { [weak self] in self?.setPlaying($0, atBeats: $1) })
    return LinkFollower(
      beats.reader, keeping: self, quantum: quantum, division: division, waits: waits,
      leading: leads ? lead : nil)
  }

  /// Changes the tempo for all peers in the session.
  ///
  /// - Parameters:
  ///   - microsecondsPerBeat: The length of a beat, limited to the allowed range.
  ///   - time: The time of the change: now, or a few milliseconds from now.
  package func setTempo(_ microsecondsPerBeat: Int64, at time: HostTime) {
    tell(.tempo(microsecondsPerBeat, at: time))
  }

  /// Starts or stops the session for all peers that follow its play state.
  ///
  /// - Parameters:
  ///   - isPlaying: True to start the session.
  ///   - beats: The beat from which this applies, in millionths.
  package func setPlaying(_ isPlaying: Bool, atBeats beats: Int64) {
    let now = HostTime(nanoseconds: DeadlineWait.now)
    tell(.playing(isPlaying, atBeats: beats, now: now))
  }

  /// Leaves the session for good; only the first call has an effect.
  package func end() {
    guard !hasEnded.exchange(true, ordering: .relaxed) else { return }
    tell(.end)
    thread.join()
  }

  private func tell(_ command: LinkRun.Command) {
    mailbox.post(command)
    wait.wake()
  }
}
