// SPDX-License-Identifier: Apache-2.0
import MusicalTime
import Realtime
import Synchronization
import Testing

@testable import ClockService

/// The commands to a controlled session.
@Suite struct LinkFollowerTests {
  /// The commands that were sent.
  private final class Told: Sendable {
    enum Word: Hashable {
      case tempo(Int64)
      case playing(Bool)
    }

    private let words = Mutex<[Word]>([])

    var lead: LinkLead {
      LinkLead(
        setTempo: { tempo, _ in self.words.withLock { $0.append(.tempo(tempo)) } },
        setPlaying: { isPlaying, _ in self.words.withLock { $0.append(.playing(isPlaying)) } })
    }

    func take() -> [Word] {
      words.withLock { words in
        defer { words = [] }
        return words
      }
    }
  }

  /// A session at 120 beats per minute whose beat 0 was at an instant.
  private func beats(
    since origin: Int64, _ motion: LinkedBeats.Motion, sessions: UInt32, isSettled: Bool = true
  ) -> LinkedBeats {
    let line = Timeline<Tick, HostTime>(
      countOrigin: 0, scaledOrigin: Int128(origin), numerator: 500, denominator: 1)
    return LinkedBeats(line: line, motion: motion, sessions: sessions, isSettled: isSettled)
  }

  private func at(_ milliseconds: Int64) -> HostTime {
    HostTime(nanoseconds: milliseconds * 1_000_000)
  }

  @Test func `a controlling song continues in a session that replaces its own`() throws {
    let session = Snapshot(beats(since: 0, .free, sessions: 0, isSettled: false))
    let told = Told()
    let master = LinkMaster(
      LinkFollower(
        session.reader, keeping: told, quantum: 4_000_000,
        division: .ppqn(.standard), leading: told.lead),
      TimeContext(tempoMap: try .constant(400_000), meterMap: .common))
    // Nothing starts while an older session may still be found.
    _ = master.advance(to: at(10))
    #expect(told.take() == [] && !master.isMoving)
    session.writer.write(beats(since: 0, .free, sessions: 0))
    _ = master.advance(to: at(1_500))
    #expect(told.take() == [.playing(true), .tempo(400_000)] && master.isMoving)
    session.writer.write(beats(since: 0, .playing(from: 4_000_000), sessions: 0))
    _ = master.advance(to: at(2_500))
    #expect(told.take() == [])
    // An older one, which a peer has stopped.
    session.writer.write(beats(since: 123_000_000, .stopped, sessions: 1))
    _ = master.advance(to: at(3_000))
    #expect(told.take() == [.playing(true), .tempo(400_000)] && master.isMoving)
    // A peer stops it there, and it stays stopped.
    session.writer.write(beats(since: 123_000_000, .playing(from: 4_000_000), sessions: 1))
    _ = master.advance(to: at(3_100))
    session.writer.write(beats(since: 123_000_000, .stopped, sessions: 1))
    _ = master.advance(to: at(3_200))
    #expect(told.take() == [] && !master.isMoving)
  }

  @Test func `a follower is stopped by the session that replaces its own`() throws {
    let session = Snapshot(beats(since: 0, .free, sessions: 0))
    let master = LinkMaster(
      LinkFollower(
        session.reader, keeping: Told(), quantum: 4_000_000, division: .ppqn(.standard)),
      TimeContext(tempoMap: try .constant(400_000), meterMap: .common))
    _ = master.advance(to: at(100))
    #expect(master.isMoving)
    session.writer.write(beats(since: 123_000_000, .stopped, sessions: 1))
    _ = master.advance(to: at(3_000))
    #expect(!master.isMoving)
  }
}
