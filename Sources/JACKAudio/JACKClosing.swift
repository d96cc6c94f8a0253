// SPDX-License-Identifier: Apache-2.0
internal import CJACK
internal import Realtime

/// The closing of a client on a thread of its own, so that nobody else waits where it never returns.
///
/// `jack_client_close` ends the library's own threads wherever they are. When a server ends under
/// JACK 1.9.21, such a thread may hold a lock of the library's, and the closing waits for that lock
/// for ever. A server that hangs does not answer either.
@safe
final class JACKClosing: @unchecked Sendable {
  // Unchecked: all is set once, and JACK's functions may be called on any thread.

  /// How long a closing is waited for, in nanoseconds.
  static let limit: Int64 = 2_000_000_000

  private let table: UnsafePointer<CJACKTable>
  private let client: OpaquePointer
  private let wait: DeadlineWait

  private init(
    _ table: UnsafePointer<CJACKTable>, _ client: OpaquePointer
  ) throws(RealtimeError) {
    unsafe (self.table, self.client) = unsafe (table, client)
    wait = try DeadlineWait()
  }

  /// Closes a client, and returns when that is done, or after the limit.
  static func close(_ table: UnsafePointer<CJACKTable>, _ client: OpaquePointer) {
    do throws(RealtimeError) {
      let closing = unsafe try JACKClosing(table, client)
      _ = try RealtimeThread(name: "jack-close", priority: nil) {
        closing.close()
        closing.wait.wake()
      }
      _ = closing.wait.wait(until: DeadlineWait.now + limit)
    } catch {
      // Without a thread of its own there is nothing but to hope that it ends.
      _ = unsafe table.pointee.client_close(client)
    }
  }

  private func close() { _ = unsafe table.pointee.client_close(client) }
}
