// SPDX-License-Identifier: Apache-2.0
internal import MIDIPorts

/// A second process that releases what sounds where this one is killed or crashes.
///
/// It shares the account of what is struck, knows where it was sent, and holds a client of its
/// own open. When this process ends, however it ends, it waits until the kernel has thrown away
/// what was still queued, and sends what `ALSAOutputPort.silence` would have sent; where nothing
/// sounds it sends nothing. It is the same program started anew: `main` calls
/// `serveIfAssigned` first of all.
///
/// - Note: any thread may use it. Not real-time safe.
public final class Guardian: Sendable {
  static let name = "downbeat-guardian"

  private let process: GuardianProcess

  /// Starts the guardian; give it to an `ALSAClient`, whose ports it then watches over.
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

  /// Does a guardian's work and ends, where this process was started as one; else returns at
  /// once.
  public static func serveIfAssigned() {
    GuardianProcess.serveIfAssigned(name) { try GuardianDuty($0).serve() }
  }

  /// The account of a port.
  func notes(ofPort port: UInt8) -> SharedNotes? {
    process.notes(ofPort: port)
  }

  func tell(_ fact: GuardianFact) {
    process.send(fact.bytes)
  }
}

/// What a guardian is told.
enum GuardianFact: Hashable {
  /// The number of the client that it watches over.
  case client(UInt8)
  /// One of the client's ports sends to a destination.
  case connected(EndpointConnection)
  /// Two ports of others were connected, and are to be separated.
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
