// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// The context of a client's callbacks, which passes them to an object until the client is closed.
///
/// If closing never returns, the library's threads continue to run. Their callbacks then do
/// nothing.
final class JACKCallee: Sendable {
  let isLive = Atomic(true)
  let target: any AnyObject & Sendable

  init(_ target: any AnyObject & Sendable) { self.target = target }

  /// Calls the object behind a callback's context.
  ///
  /// - Parameters:
  ///   - context: The context of the callback, an unretained callee.
  ///   - type: The type of the object.
  ///   - body: Receives the object.
  /// - Returns: The result of `body`; nil while the client is closed.
  /// - Note: Real-time safe.
  static func call<Target: AnyObject, Result>(
    _ context: UnsafeMutableRawPointer?, _ type: Target.Type, _ body: (Target) -> Result
  ) -> Result? {
    guard let context = unsafe context else { return nil }
    return unsafe Unmanaged<JACKCallee>.fromOpaque(context)._withUnsafeGuaranteedRef { callee in
      guard callee.isLive.load(ordering: .acquiring) else { return nil }
      return body(unsafe unsafeDowncast(callee.target, to: type))
    }
  }
}
