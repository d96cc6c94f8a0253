// SPDX-License-Identifier: Apache-2.0
internal import MIDIPorts

/// A second process that releases sounding notes if this process is killed or crashes.
///
/// The guardian shares the list of sounding notes with this process, knows the ports to which they
/// were sent, and has a separate ALSA client. When this process ends for any reason while notes are
/// sounding, the guardian waits until the kernel has discarded the queued events, and sends the
/// messages of `ALSAOutputPort.silence()`. The guardian is the same program started again: `main`
/// must call `serveIfAssigned()` first.
///
/// - Note: Any thread. Not real-time safe.
public final class Guardian: Sendable {
  static let name = "downbeat-guardian"

  private let process: GuardianProcess

  /// Starts the guardian process.
  ///
  /// Pass the guardian to an `ALSAClient` to protect its ports.
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
    GuardianProcess.serveIfAssigned(name) { try GuardianDuty($0).serve() }
  }

  /// The sounding notes of a port.
  func notes(ofPort port: UInt8) -> SharedNotes? {
    process.notes(ofPort: port)
  }

  func tell(_ fact: GuardianFact) {
    process.send(fact.bytes)
  }
}

/// A message to a guardian.
enum GuardianFact: Hashable {
  /// The number of the client to protect.
  case client(UInt8)
  /// One of the client's ports sends to a destination.
  case connected(EndpointConnection)
  /// Two ports of other programs were connected, and must be disconnected at the end.
  case joined(EndpointConnection)

  static let length = 5

  var bytes: [UInt8] {
    switch self {
    case .client(let number): [0, number, 0, 0, 0]
    case .connected(let connection): [1] + Self.bytes(connection)
    case .joined(let connection): [2] + Self.bytes(connection)
    }
  }

  init?(_ bytes: ArraySlice<UInt8>) {
    guard bytes.count == Self.length, let kind = bytes.first else { return nil }
    let ends = Array(bytes.dropFirst())
    let connection = EndpointConnection(
      source: EndpointAddress(client: ends[0], port: ends[1]),
      destination: EndpointAddress(client: ends[2], port: ends[3]))
    switch kind {
    case 0: self = .client(ends[0])
    case 1: self = .connected(connection)
    case 2: self = .joined(connection)
    default: return nil
    }
  }

  private static func bytes(_ connection: EndpointConnection) -> [UInt8] {
    [
      connection.source.client, connection.source.port, connection.destination.client,
      connection.destination.port,
    ]
  }
}
