// SPDX-License-Identifier: Apache-2.0
internal import MIDIMessages
internal import MIDIPorts
internal import MusicalTime
internal import Realtime

/// The work of the guardian's process.
final class JACKGuardianDuty {
  /// The time to wait until everything was received, in nanoseconds.
  ///
  /// A server that loses a client in the middle of a cycle may hang for five seconds (JACK 1.9.21).
  private static let patience: Int64 = 10_000_000_000

  private let duty: SentinelDuty
  private var told: [UInt8] = []
  private var server = JACKServer.jack
  /// The destinations of each port.
  private var destinations: [UInt8: [String]] = [:]

  init(_ duty: SentinelDuty) { self.duty = duty }

  /// Waits until the client's process ends, and then releases its sounding notes.
  ///
  /// - Throws: `JACKError` if the server does not run.
  func serve() throws(JACKError) {
    duty.sayReady()
    while let bytes = duty.listen() {
      told += bytes
      for fact in JACKGuardianFact.take(from: &told) {
        server = fact.server
        destinations[fact.port, default: []].append(fact.destination)
      }
    }
    let owed = destinations.compactMap { number, names in
      duty.notes(ofPort: number).map { (releases: $0.releases, names: names) }
    }.filter { !$0.releases.isEmpty }
    guard !owed.isEmpty else { return }
    try release(owed)
  }

  private func release(
    _ owed: [(releases: [Message], names: [String])]
  ) throws(JACKError) {
    let client = try JACKClient(name: "downbeat guardian", server: server, patience: 0)
    let limit = HostTime(nanoseconds: DeadlineWait.now + Self.patience)
    for (index, part) in owed.enumerated() {
      let port = try JACKOutputPort(on: client, name: "releases \(index + 1)")
      for name in part.names {
        do throws(EndpointError) {
          try port.connect(to: name, naming: name)
        } catch {
          // The port is gone, and nothing sounds there.
          continue
        }
      }
      port.sendAtOnce(part.releases)
      _ = port.drain(until: limit)
    }
    client.close()
  }
}
