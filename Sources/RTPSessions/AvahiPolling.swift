// SPDX-License-Identifier: Apache-2.0
internal import CAvahi

/// Avahi's event loop, which another thread can wake.
@safe
final class AvahiPolling: @unchecked Sendable {
  // One thread runs the loop; waking only writes to a pipe.
  let library: UnsafePointer<CAvahiTable>
  private let poll: OpaquePointer

  /// Creates a loop; nil if Avahi's library is not installed.
  init?() {
    guard let library = unsafe cavahi_table(), let poll = unsafe library.pointee.simple_poll_new()
    else { return nil }
    unsafe (self.library, self.poll) = (library, poll)
  }

  deinit { unsafe library.pointee.simple_poll_free(poll) }

  /// The interface for creating a client.
  var interface: OpaquePointer? { unsafe library.pointee.simple_poll_get(poll) }

  /// Waits for events and handles them.
  ///
  /// Avahi forgets earlier calls of `wake` when it prepares a wait, so commands are checked after
  /// that.
  ///
  /// - Parameters:
  ///   - milliseconds: The longest wait; -1 for no limit.
  ///   - hasCommands: Returns true if there are commands, so that the wait must not begin.
  /// - Returns: False after an error.
  func iterate(milliseconds: Int32, unless hasCommands: () -> Bool) -> Bool {
    guard unsafe library.pointee.simple_poll_prepare(poll, milliseconds) == 0 else { return false }
    if hasCommands() { wake() }
    guard unsafe library.pointee.simple_poll_run(poll) == 0 else { return false }
    return unsafe library.pointee.simple_poll_dispatch(poll) == 0
  }

  /// Ends the wait, or the next one if it has been prepared.
  func wake() { unsafe library.pointee.simple_poll_wakeup(poll) }
}
