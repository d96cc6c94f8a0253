// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// Actions of higher modules when a signal ends the process, such as leaving sessions and servers.
///
/// - Note: Any thread.
package enum ExitHooks {
  private static let hooks = Mutex<[@Sendable () -> Void]>([])

  /// Adds an action; it must return quickly and may be called twice.
  package static func add(_ hook: @escaping @Sendable () -> Void) {
    hooks.withLock { $0.append(hook) }
  }

  /// Calls all actions, in the order in which they were added.
  package static func run() {
    for hook in hooks.withLock({ $0 }) { hook() }
  }
}
