// SPDX-License-Identifier: Apache-2.0
import ClockService
import LinkProtocol
import LinkSessions
import MusicalTime
import Realtime
import TestSupport
import Testing

@Suite(.enabled(if: !NetworkNamespace.isOwn)) struct OwnLinkNetworkTests {
  @Test func `sessions find each other in a separate network`() throws {
    let run = try NetworkNamespace.run("LinkSessionsTests")
    #expect(run.status == 0, "\(run.text)\(run.errors)")
  }
}

@Suite(.enabled(if: NetworkNamespace.isOwn, NetworkNamespace.reason), .serialized)
struct LinkSessionTests {
  /// Waits a few seconds for a condition; returns whether it was met.
  private func waits(_ seconds: Int64 = 8, until holds: () -> Bool) -> Bool {
    let end = DeadlineWait.now + seconds * 1_000_000_000
    while !holds() {
      guard DeadlineWait.now < end else { return false }
      DeadlineWait.sleep(until: DeadlineWait.now + 5_000_000)
    }
    return true
  }

  @Test func `two peers find each other, share tempo and transport, and part`() throws {
    let first = try LinkSession(microsecondsPerBeat: 480_000)
    DeadlineWait.sleep(until: DeadlineWait.now + 1_000_000_000)
    let second = try LinkSession(microsecondsPerBeat: 600_000)
    #expect(waits { second.status.peerCount == 1 && !second.status.isFounder })
    #expect(second.status.microsecondsPerBeat == 480_000)
    let now = HostTime(nanoseconds: DeadlineWait.now)
    let beats = [first, second].map { $0.status.line.firstCount(atOrAfter: now) }
    #expect(abs(beats[0] - beats[1]) < 2_000)
    second.setTempo(500_000, at: now)
    #expect(waits { first.status.microsecondsPerBeat == 500_000 })
    first.setPlaying(true, atBeats: 7)
    #expect(waits { second.status.startStop.isPlaying })
    #expect(second.status.startStop.beats == 7)
    first.end()
    #expect(waits { second.status.peerCount == 0 && second.status.isFounder })
    #expect(second.status.microsecondsPerBeat == 500_000)
    second.end()
  }

  @Test func `a clock follows a session from its next bar, and stops with it`() throws {
    let session = try LinkSession(microsecondsPerBeat: 200_000)
    let ppqn = try #require(PPQN(480))
    let map = TempoMap(ppqn: ppqn)
    let follower = session.follower(quantum: 4_000_000, division: .ppqn(ppqn))
    var sync = ClockSync()
    sync.master = ExternalClock(following: .link(follower), tempoMap: map)
    nonisolated(unsafe) let given = sync
    let clock = try Transport(MusicClock(tempoMap: map), sync: unsafe given)
    defer { clock.end() }
    #expect(waits { clock.snapshot.isRunning })
    DeadlineWait.sleep(until: DeadlineWait.now + 1_000_000_000)
    let now = HostTime(nanoseconds: DeadlineWait.now)
    let tick = clock.snapshot.position(at: now).tick
    let beat = session.status.line.firstCount(atOrAfter: now)
    let bar = Int64(4 * 480)
    // The distance of the song's bars from the session's: a tick or two by rounding.
    let behind = ((beat * 480 / 1_000_000 - tick.value + 2) % bar + bar) % bar
    #expect(tick > .zero && behind <= 4)
    session.setPlaying(false, atBeats: beat)
    #expect(waits { !clock.snapshot.isRunning })
    session.setPlaying(true, atBeats: beat)
    #expect(waits { clock.snapshot.isRunning })
    session.end()
  }
}
