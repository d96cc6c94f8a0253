// SPDX-License-Identifier: Apache-2.0
import Glibc
import LinkProtocol
import LinkSessions
import MusicalTime
import Realtime

/// A peer of Link, controlled by lines of standard input: `TestProbe link [BPM]`.
///
/// The lines are `tempo BPM`, `start`, `stop` and `quit`; `at TIME` answers
/// `PEERS TEMPO PLAYING BEAT ERROR DRIFT`, the beat at that nanosecond of CLOCK_MONOTONIC.
enum LinkPeer {
  static func run(_ words: [String]) throws {
    let tempo = words.first.flatMap(Double.init) ?? 120
    let session = try LinkSession(microsecondsPerBeat: Int64((60e6 / tempo).rounded()))
    while let line = readLine() {
      let words = line.split(separator: " ")
      let now = HostTime(nanoseconds: DeadlineWait.now)
      let status = session.status
      let beats = status.line.firstCount(atOrAfter: now)
      switch words.first {
      case "tempo":
        let tempo = words.dropFirst().first.flatMap { Double($0) } ?? 120
        session.setTempo(Int64((60e6 / tempo).rounded()), at: now)
      case "start": session.setPlaying(true, atBeats: beats)
      case "stop": session.setPlaying(false, atBeats: beats)
      case "at":
        let time = HostTime(nanoseconds: words.dropFirst().first.flatMap { Int64($0) } ?? 0)
        let beat = Double(status.line.firstCount(atOrAfter: time)) / 1e6
        print(
          status.peerCount, status.beatsPerMinute, status.startStop.isPlaying ? 1 : 0, beat,
          status.lastError, status.drift)
        fflush(nil)
      default:
        session.end()
        return
      }
    }
    session.end()
  }
}
