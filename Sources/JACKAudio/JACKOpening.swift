// SPDX-License-Identifier: Apache-2.0
internal import Realtime
internal import Synchronization

/// The opening of a client on a thread of its own: a server that hangs keeps whoever speaks to it.
final class JACKOpening: Sendable {
  /// How long a server may take to answer, in nanoseconds: one that is busy needs a turn or two.
  static let limit: Int64 = 10_000_000_000

  /// The servers that a thread still waits for.
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
  /// What comes too late is closed as it comes; meanwhile nobody waits for the server again.
  ///
  /// - Parameters:
  ///   - server: whose.
  ///   - limit: how long is waited, in nanoseconds.
  ///   - body: what opens it.
  /// - Returns: the client.
  /// - Throws: `JACKError.noAnswer` where the server says nothing, or what `body` throws.
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

  /// What has come of it; from then on nothing else does.
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
