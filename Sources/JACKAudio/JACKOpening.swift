// SPDX-License-Identifier: Apache-2.0
internal import Realtime
internal import Synchronization

/// Opens a client on a separate thread, because a server that hangs blocks the call.
final class JACKOpening: Sendable {
  /// The time that a server has to answer, in nanoseconds; a busy one needs one or two cycles.
  static let limit: Int64 = 10_000_000_000

  /// The servers for which a thread still waits.
  private static let silent = Mutex<Set<JACKServer>>([])

  private enum State {
    case isUnderWay
    case isDone(Result<JACKHandle, JACKError>)
    case isGivenUp
  }

  private let server: JACKServer
  private let state = Mutex(State.isUnderWay)
  private let wait: DeadlineWait

  private init(_ server: JACKServer) throws(RealtimeError) {
    self.server = server
    wait = try DeadlineWait()
  }

  /// Opens a client.
  ///
  /// A client that is opened too late is closed at once; until then the server is not waited for
  /// again.
  ///
  /// - Parameters:
  ///   - server: The server.
  ///   - limit: The longest wait, in nanoseconds.
  ///   - body: Opens the client.
  /// - Returns: The client.
  /// - Throws: `JACKError.noAnswer` if the server does not answer, or the error of `body`.
  static func handle(
    of server: JACKServer, within limit: Int64 = limit,
    by body: @escaping @Sendable () throws(JACKError) -> JACKHandle
  ) throws(JACKError) -> JACKHandle {
    guard !silent.withLock({ $0.contains(server) }) else { throw .noAnswer(server) }
    let opening: JACKOpening
    do throws(RealtimeError) {
      opening = try JACKOpening(server)
      _ = try RealtimeThread(name: "jack-open", priority: nil) {
        opening.end(Result(catching: body))
      }
    } catch {
      throw .cannotStart(server, reason: error.description)
    }
    _ = opening.wait.wait(until: DeadlineWait.now + limit)
    return try opening.result.get()
  }

  /// The result so far; later ones are dropped.
  private var result: Result<JACKHandle, JACKError> {
    state.withLock { state in
      if case .isDone(let result) = state { return result }
      state = .isGivenUp
      _ = Self.silent.withLock { $0.insert(server) }
      return .failure(.noAnswer(server))
    }
  }

  private func end(_ result: Result<JACKHandle, JACKError>) {
    state.withLock { state in
      if case .isGivenUp = state {
        _ = Self.silent.withLock { $0.remove(server) }
      } else {
        state = .isDone(result)
      }
    }
    wait.wake()
  }
}
