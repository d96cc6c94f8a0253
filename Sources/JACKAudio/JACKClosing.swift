// SPDX-License-Identifier: Apache-2.0
internal import CJACK
internal import Realtime
internal import Synchronization

/// Closes a client on a separate thread; callers wait 2 s at most.
///
/// `jack_client_close` kills the library's threads at any point. With JACK 1.9.21, if the server
/// has just ended, such a thread may hold a lock for which the call then waits forever. A server
/// that hangs also blocks it.
@safe
final class JACKClosing: @unchecked Sendable {
  // Unchecked: properties are set once, and JACK's functions may be called on any thread.

  /// The longest wait for the closing, in nanoseconds: 2 s.
  static let limit: Int64 = 2_000_000_000

  private let table: UnsafePointer<CJACKTable>
  private let client: OpaquePointer
  /// Kept until the library's threads have ended.
  private let callees: [JACKCallee]
  private let wait: DeadlineWait

  private init(
    _ table: UnsafePointer<CJACKTable>, _ client: OpaquePointer, _ callees: [JACKCallee]
  ) throws(RealtimeError) {
    unsafe (self.table, self.client) = unsafe (table, client)
    self.callees = callees
    wait = try DeadlineWait()
  }

  /// Closes a client, and returns when it is closed, or after the limit.
  ///
  /// - Parameters:
  ///   - table: The library's functions.
  ///   - client: The client.
  ///   - callees: The contexts of its callbacks, which do nothing from now on.
  static func close(
    _ table: UnsafePointer<CJACKTable>, _ client: OpaquePointer, calling callees: [JACKCallee]
  ) {
    for callee in callees { callee.isLive.store(false, ordering: .releasing) }
    do throws(RealtimeError) {
      let closing = unsafe try JACKClosing(table, client, callees)
      _ = try RealtimeThread(name: "jack-close", priority: nil) {
        closing.close()
        closing.wait.wake()
      }
      _ = closing.wait.wait(until: DeadlineWait.now + limit)
    } catch {
      // No thread can be started: close here, although this may hang.
      _ = unsafe table.pointee.client_close(client)
    }
  }

  private func close() { _ = unsafe table.pointee.client_close(client) }
}
