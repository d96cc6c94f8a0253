// SPDX-License-Identifier: Apache-2.0
internal import MIDIPorts
internal import Synchronization

/// A second process that releases sounding notes at JACK's ports if this process is killed or
/// crashes.
///
/// The guardian shares the list of sounding notes with this process, and knows the ports to which
/// they were sent, even through connections made by other programs. While this process runs, the
/// guardian is not a client of the server. If this process ends while notes are sounding, the
/// guardian becomes a client, connects to those ports, and sends the messages of
/// `JACKOutputPort.silence()`. A note that has just ended may be released again, which is harmless.
/// The guardian is the same program started again: `main` must call `serveIfAssigned()` first.
///
/// - Note: Any thread. Not real-time safe.
public final class JACKGuardian: Sendable {
  static let name = "downbeat-jack-guardian"

  private let process: GuardianProcess
  private let portCount = Mutex<UInt8>(0)

  /// Starts the guardian process.
  ///
  /// Pass the guardian to `JACKPorts`, or to the `JACKOutputPort`s of one client.
  ///
  /// - Throws: An error if the process cannot be started; the program can continue without a
  ///   guardian.
  public init() throws {
    process = try GuardianProcess(name: Self.name)
  }

  /// Waits until the guardian is ready, for at most a second.
  ///
  /// Call it before playback, so that the start of the guardian does not take processor time from
  /// playing.
  public func waitUntilReady() {
    process.waitUntilReady()
  }

  /// Runs the guardian and then exits, if this process was started as a guardian; otherwise returns
  /// immediately.
  public static func serveIfAssigned() {
    GuardianProcess.serveIfAssigned(name) { try JACKGuardianDuty($0).serve() }
  }

  /// Returns the share of another port; nil if 64 ports have one.
  func takePort() -> GuardedPort? {
    portCount.withLock { count in
      guard let notes = process.notes(ofPort: count) else { return nil }
      defer { count += 1 }
      return GuardedPort(self, number: count, notes: notes)
    }
  }

  func tell(_ fact: JACKGuardianFact) { process.send(fact.bytes) }
}

/// The share of one port in a guardian.
final class GuardedPort: Sendable {
  /// The notes that were started and not released.
  let notes: SharedNotes
  private let guardian: JACKGuardian
  private let number: UInt8
  private let told = Mutex<Set<String>>([])

  init(_ guardian: JACKGuardian, number: UInt8, notes: SharedNotes) {
    (self.guardian, self.number, self.notes) = (guardian, number, notes)
  }

  /// Notes the ports to which it sends; a port that was once connected may hold a note.
  func note(_ destinations: [String], of server: JACKServer) {
    for destination in destinations where told.withLock({ $0.insert(destination).inserted }) {
      guardian.tell(JACKGuardianFact(server: server, port: number, destination: destination))
    }
  }
}
