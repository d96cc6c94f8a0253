// SPDX-License-Identifier: Apache-2.0
internal import CAvahi

/// Avahi's loop, which another thread may wake.
@safe
final class AvahiPolling: @unchecked Sendable {
  // One thread iterates; what wakes it writes to a pipe and no more.
  let library: UnsafePointer<CAvahiTable>
  private let poll: OpaquePointer

  /// Makes one; nil where there is no Avahi on this machine.
  init?() {
    guard let library = unsafe cavahi_table(), let poll = unsafe library.pointee.simple_poll_new()
    else { return nil }
    unsafe (self.library, self.poll) = (library, poll)
  }

  deinit { unsafe library.pointee.simple_poll_free(poll) }

  /// What a client is made with.
  var interface: OpaquePointer? { unsafe library.pointee.simple_poll_get(poll) }

  /// Waits for events and handles them.
  ///
  /// Avahi forgets earlier calls of `wake` when it prepares a wait, so commands are looked for after
  /// that.
  ///
  /// - Parameters:
  ///   - milliseconds: the longest wait; -1 for no limit.
  ///   - hasCommands: returns true if there is no reason to wait.
  /// - Returns: false after an error.
  func iterate(milliseconds: Int32, unless hasCommands: () -> Bool) -> Bool {
    guard unsafe library.pointee.simple_poll_prepare(poll, milliseconds) == 0 else { return false }
    if hasCommands() { wake() }
    guard unsafe library.pointee.simple_poll_run(poll) == 0 else { return false }
    return unsafe library.pointee.simple_poll_dispatch(poll) == 0
  }

  /// Ends the wait, or the next one if it has been prepared.
  func wake() { unsafe library.pointee.simple_poll_wakeup(poll) }
}
