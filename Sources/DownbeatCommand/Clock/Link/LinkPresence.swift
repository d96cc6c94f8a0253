// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import LinkSessions
internal import MusicalTime
internal import Realtime
internal import Synchronization

/// The sessions of Link that this process takes part in, so that it takes its leave however it ends.
enum LinkPresence {
  private static let sessions = Mutex<[LinkSession]>([])

  /// Takes part in a session.
  ///
  /// - Parameter tempo: The tempo where nobody else is there.
  /// - Returns: The session, which goes on until it is ended or the process is.
  /// - Throws: where no thread or descriptor is left.
  static func open(at tempo: Tempo) throws(RealtimeError) -> LinkSession {
    let length = (Int64(tempo.tenNanosecondsPerQuarter) + 50) / 100
    let session = try LinkSession(microsecondsPerBeat: length)
    let isFirst = sessions.withLock { sessions in
      sessions.append(session)
      return sessions.count == 1
    }
    if isFirst { atexit { LinkPresence.leave() } }
    return session
  }

  /// Takes leave of all.
  static func leave() {
    for session in sessions.withLock({ $0 }) { session.end() }
  }
}
