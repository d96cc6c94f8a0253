// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// Work of higher modules when the process ends by a signal or by force: they leave sessions and
/// servers.
///
/// - Note: any thread.
package enum ExitHooks {
  private static let hooks = Mutex<[@Sendable () -> Void]>([])

  /// Adds a hook; it must return soon and may be called twice.
  package static func add(_ hook: @escaping @Sendable () -> Void) {
    hooks.withLock { $0.append(hook) }
  }

  /// Calls all hooks, the first one first.
  package static func run() {
    for hook in hooks.withLock({ $0 }) { hook() }
  }
}
