// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// Those who are told of what happens: each comes and goes when it likes, and all hear of the end.
///
/// - Note: any thread. Not real-time safe.
public final class Observers<Event: Sendable>: Sendable {
  private let state = Mutex(State())

  private struct State {
    var next = 0
    var bodies: [Int: (told: @Sendable (Event) -> Void, onEnd: @Sendable () -> Void)] = [:]
    var hasEnded = false
  }

  /// Creates a list of none.
  public init() {}

  /// Whether nobody is there to be told.
  public var isEmpty: Bool { state.withLock { $0.bodies.isEmpty } }

  /// Has something told of everything from now on, and of the end; after that, of the end at once.
  ///
  /// - Returns: what `remove` takes.
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

  /// Tells one no more, of the end neither.
  public func remove(_ observer: Int) {
    // What an observer holds may have observers of its own to let go of.
    _ = state.withLock { $0.bodies.removeValue(forKey: observer) }
  }

  /// Tells everyone.
  public func tell(_ event: Event) {
    for body in state.withLock({ Array($0.bodies.values) }) { body.told(event) }
  }

  /// Tells everyone that this was all, and lets go of them.
  public func end() {
    let last = state.withLock { state in
      state.hasEnded = true
      defer { state.bodies = [:] }
      return Array(state.bodies.values)
    }
    for body in last { body.onEnd() }
  }

  /// Everything from now on to the end, as a stream.
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
