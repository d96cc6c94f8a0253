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

  /// Does what is due, and waits for more; false where it cannot go on.
  func iterate(milliseconds: Int32) -> Bool {
    unsafe library.pointee.simple_poll_iterate(poll, milliseconds) == 0
  }

  /// Ends the wait.
  func wake() { unsafe library.pointee.simple_poll_wakeup(poll) }
}
