// SPDX-License-Identifier: Apache-2.0
package import ClockService
internal import LinkProtocol
package import MusicalTime
package import NetworkSockets
package import Realtime
internal import Synchronization

/// A peer of Ableton Link on all interfaces of this machine, with a thread of its own.
///
/// It founds a session and joins an older one as soon as it hears of it. Clocks follow it by
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
  ///   - microsecondsPerBeat: Its tempo, if nobody else is there; brought into the range that
  ///     sessions may have.
  ///   - interfaces: The names of those on which others are looked for, whatever addresses they
  ///     have, beside the loopback; none for all that have a private one.
  /// - Throws: `RealtimeError` where there is no thread or descriptor left.
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

  /// The names of the interfaces there are.
  ///
  /// - Throws: `NetworkError` where the system does not say.
  package static func interfaceNames() throws(NetworkError) -> [String] {
    try NetworkInterface.list().map(\.name)
  }

  /// How the peer stands.
  ///
  /// - Note: one thread reads it.
  package var status: LinkStatus { state.read() }

  /// What follows the session as a clock's master; one for a session.
  ///
  /// - Parameters:
  ///   - quantum: The length of a bar, in millionths of a beat; above zero.
  ///   - division: What a tick is in what is played.
  ///   - waits: Whether what is played waits for somebody to start the session.
  ///   - leads: Whether tempo, start and stop of what is played are the session's.
  /// - Returns: The follower, which keeps the session.
  package func follower(
    quantum: Int64, division: Division, waits: Bool = false, leads: Bool = false
  ) -> LinkFollower {
    // The follower keeps the session, which is not to keep itself.
    let lead = LinkLead(
      setTempo: { [weak self] in self?.setTempo($0, at: $1) },
      setPlaying: { [weak self] in self?.setPlaying($0, atBeats: $1) })
    return LinkFollower(
      beats.reader, keeping: self, quantum: quantum, division: division, waits: waits,
      leading: leads ? lead : nil)
  }

  /// Changes the tempo for all in the session.
  ///
  /// - Parameters:
  ///   - microsecondsPerBeat: The length of a beat, brought into the range that sessions may have.
  ///   - time: Where it changes: now, or a few milliseconds off.
  package func setTempo(_ microsecondsPerBeat: Int64, at time: HostTime) {
    tell(.tempo(microsecondsPerBeat, at: time))
  }

  /// Starts or stops all that follow the session.
  ///
  /// - Parameters:
  ///   - isPlaying: Whether it is to play.
  ///   - beats: From which beat on, in millionths.
  package func setPlaying(_ isPlaying: Bool, atBeats beats: Int64) {
    let now = HostTime(nanoseconds: DeadlineWait.now)
    tell(.playing(isPlaying, atBeats: beats, now: now))
  }

  /// Takes leave of the others; the last thing that is done with it.
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
