// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// A list of closures that are called for each event, and when events end.
///
/// - Note: Any thread. Not real-time safe.
public final class Observers<Event: Sendable>: Sendable {
  private let state = Mutex(State())

  private struct State {
    var next = 0
    var bodies: [Int: (told: @Sendable (Event) -> Void, onEnd: @Sendable () -> Void)] = [:]
    var hasEnded = false
  }

  /// Creates an empty list.
  public init() {}

  /// True if the list is empty.
  public var isEmpty: Bool { state.withLock { $0.bodies.isEmpty } }

  /// Adds a closure that is called for each later event, and one that is called when events end.
  ///
  /// If events have already ended, the second closure is called immediately.
  ///
  /// - Returns: A number with which `remove(_:)` removes the closures.
  public func add(
    _ body: @escaping @Sendable (Event) -> Void, onEnd: @escaping @Sendable () -> Void = {}
  ) -> Int {
    let (number, hasEnded) = state.withLock { state in
      state.next += 1
      if !state.hasEnded { state.bodies[state.next] = (body, onEnd) }
      return (state.next, state.hasEnded)
    }
    if hasEnded { onEnd() }
    return number
  }

  /// Removes an observer.
  ///
  /// The closure that it added for the end is not called.
  ///
  /// - Parameter observer: The number that was returned when the closures were added.
  public func remove(_ observer: Int) {
    // An observer may own other observers, which are released with it outside of the lock.
    _ = state.withLock { $0.bodies.removeValue(forKey: observer) }
  }

  /// Passes an event to all observers.
  public func tell(_ event: Event) {
    for body in state.withLock({ Array($0.bodies.values) }) { body.told(event) }
  }

  /// Calls the closures for the end, and removes all observers.
  public func end() {
    let last = state.withLock { state in
      state.hasEnded = true
      defer { state.bodies = [:] }
      return Array(state.bodies.values)
    }
    for body in last { body.onEnd() }
  }

  /// A stream of all later events, which finishes when events end.
  public var stream: AsyncStream<Event> {
    AsyncStream { continuation in
      let observer = add {
        continuation.yield($0)
      } onEnd: {
        continuation.finish()
      }
      continuation.onTermination = { [weak self] _ in self?.remove(observer) }
    }
  }
}
