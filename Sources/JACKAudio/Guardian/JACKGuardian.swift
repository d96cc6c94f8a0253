// SPDX-License-Identifier: Apache-2.0
internal import MIDIPorts
internal import Synchronization

/// A second process that releases what sounds at JACK's ports where this one is killed or crashes.
///
/// It shares the account of what is struck and knows where that was sent, by whomever the ports were
/// connected. It is no client of a server while this process lives: when this one ends, however it
/// ends, and something still sounds, it becomes one, connects to those ports, and sends what
/// `JACKOutputPort.silence` would have sent; a note that ended since its port was last asked for something
/// is ended once more, which does no harm. It is the same program started anew: `main` calls
/// `serveIfAssigned` first of all.
///
/// - Note: any thread may use it. Not real-time safe.
public final class JACKGuardian: Sendable {
  static let name = "downbeat-jack-guardian"

  private let process: GuardianProcess
  private let portCount = Mutex<UInt8>(0)

  /// Starts the guardian; give it to `JACKPorts` or to a `JACKOutputPort`, of one client.
  ///
  /// - Throws: where no process can be started; one can play without, at one's own risk.
  public init() throws {
    process = try GuardianProcess(name: Self.name)
  }

  /// Waits until the guardian is there, for at most a second.
  ///
  /// A program that plays at once would otherwise share the processor with the guardian's start.
  public func waitUntilReady() {
    process.waitUntilReady()
  }

  /// Does a guardian's work and ends, where this process was started as one; else returns at once.
  public static func serveIfAssigned() {
    GuardianProcess.serveIfAssigned(name) { try JACKGuardianDuty($0).serve() }
  }

  /// The part of one more port; nil where 64 have theirs.
  func takePort() -> GuardedPort? {
    portCount.withLock { count in
      guard let notes = process.notes(ofPort: count) else { return nil }
      defer { count += 1 }
      return GuardedPort(self, number: count, notes: notes)
    }
  }

  func tell(_ fact: JACKGuardianFact) { process.send(fact.bytes) }
}

/// What a guardian has of one port.
final class GuardedPort: Sendable {
  /// What it has struck and not released.
  let notes: SharedNotes
  private let guardian: JACKGuardian
  private let number: UInt8
  private let told = Mutex<Set<String>>([])

  init(_ guardian: JACKGuardian, number: UInt8, notes: SharedNotes) {
    (self.guardian, self.number, self.notes) = (guardian, number, notes)
  }

  /// Takes note of ports that it sends to; who was once connected may hold a note.
  func note(_ destinations: [String], of server: JACKServer) {
    for destination in destinations where told.withLock({ $0.insert(destination).inserted }) {
      guardian.tell(JACKGuardianFact(server: server, port: number, destination: destination))
    }
  }
}
