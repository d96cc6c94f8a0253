// SPDX-License-Identifier: Apache-2.0
internal import CommandKit
internal import Glibc
internal import LinkSessions
internal import MusicalTime
internal import Realtime
internal import Synchronization

/// The Link session of this process, which is left however the process ends.
enum LinkPresence {
  private static let kept = Mutex<LinkSession?>(nil)

  /// Joins a session; consecutive songs stay in the same session.
  ///
  /// - Parameters:
  ///   - tempo: The tempo of the session if no peer has one.
  ///   - interfaces: The network interfaces to search; empty for all with a private address.
  /// - Returns: The session, which lasts until the process ends.
  /// - Throws: `Failure` if an interface does not exist; `RealtimeError` or `NetworkError` if the
  ///   session cannot be started.
  static func open(at tempo: Tempo, on interfaces: [String]) throws -> LinkSession {
    if let session = kept.withLock({ $0 }) { return session }
    let known = interfaces.isEmpty ? [] : try LinkSession.interfaceNames()
    if let unknown = interfaces.first(where: { !known.contains($0) }) {
      throw Failure(
        .noDevice,
        "--link-interface \(unknown): no such network interface"
          + " (try \(known.joined(separator: " or ")))")
    }
    let length = (Int64(tempo.tenNanosecondsPerQuarter) + 50) / 100
    let session = try LinkSession(microsecondsPerBeat: length, on: interfaces)
    kept.withLock { $0 = session }
    ExitHooks.add { LinkPresence.leave() }
    atexit { LinkPresence.leave() }
    return session
  }

  /// Leaves the session.
  static func leave() {
    kept.withLock({ $0 })?.end()
  }
}
