// SPDX-License-Identifier: Apache-2.0
internal import CommandKit
internal import Glibc
internal import LinkSessions
internal import MusicalTime
internal import Realtime
internal import Synchronization

/// The session of Link that this process takes part in, so that it takes its leave however it ends.
enum LinkPresence {
  private static let kept = Mutex<LinkSession?>(nil)

  /// Takes part in a session; one song after another in the same.
  ///
  /// - Parameters:
  ///   - tempo: The tempo where nobody else is there.
  ///   - interfaces: The network interfaces on which others are looked for; none for all that have
  ///     a private address.
  /// - Returns: The session, which goes on until the process is ended.
  /// - Throws: where an interface is not there, or no thread or descriptor is left.
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

  /// Takes leave.
  static func leave() {
    kept.withLock({ $0 })?.end()
  }
}
