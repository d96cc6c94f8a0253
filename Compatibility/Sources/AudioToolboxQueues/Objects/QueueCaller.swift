// SPDX-License-Identifier: Apache-2.0
internal import CCoreFoundation
internal import CoreFoundation
internal import Dispatch
internal import Glibc
internal import Synchronization

/// The calls that a queue owes its program, and the thread on which it makes them.
///
/// Calls are made in their order, one at a time. After `end` none is made.
@safe
final class QueueCaller: @unchecked Sendable {
  // Unchecked: run loops may be used by any thread.

  /// The thread on which the program is called.
  enum Place {
    /// The queue's own thread.
    case own
    /// A mode of a run loop.
    case runLoop(CFRunLoop, CFString)
    /// A dispatch queue.
    case queue(DispatchQueue)
  }

  /// A call.
  struct Call: Sendable {
    /// The buffer that the program gets back; nil for a listener.
    let buffer: QueueBuffer?
    let body: @Sendable () -> Void
  }

  private struct State: Sendable {
    var calls: [Call] = []
    /// The thread that is in a call.
    var thread: pthread_t?
    var depth = 0
    var hasEnded = false
  }

  private let place: Place
  private let state = Mutex(State())

  init(_ place: Place) {
    self.place = place
  }

  /// True if the queue's own thread makes the calls.
  var isOwn: Bool { if case .own = place { true } else { false } }

  /// True if the caller's thread is in a call of this queue.
  var isCalling: Bool {
    state.withLock { $0.thread.map { pthread_equal($0, pthread_self()) != 0 } ?? false }
  }

  private var isElsewhere: Bool {
    state.withLock { $0.thread.map { pthread_equal($0, pthread_self()) == 0 } ?? false }
  }

  /// True if calls are owed or under way.
  var isBusy: Bool { state.withLock { !$0.calls.isEmpty || $0.thread != nil } }

  /// True if the calls can be made on the current thread: the run loop's own, or during offline
  /// rendering any.
  private var isHere: Bool {
    guard case .runLoop(let loop, _) = place else { return false }
    return CFRunLoopGetCurrent() === loop
  }

  /// Owes a call.
  ///
  /// - Parameters:
  ///   - call: the call.
  ///   - isOffline: true if the thread that renders offline makes it.
  func add(_ call: Call, isOffline: Bool = false) {
    let isTaken = state.withLock { state in
      if !state.hasEnded { state.calls.append(call) }
      return !state.hasEnded
    }
    guard isTaken, !isOffline else { return }
    switch place {
    case .own: break
    case .runLoop(let loop, let mode): CFRunLoopPerformBlock(loop, mode) { self.callNext() }
    case .queue(let queue): queue.async { self.callNext() }
    }
  }

  /// True if a call with a buffer is due.
  func owes(_ buffer: QueueBuffer) -> Bool {
    state.withLock { $0.calls.contains { $0.buffer === buffer } }
  }

  /// Takes back the call with a buffer; returns whether there was one.
  func cancel(_ buffer: QueueBuffer) -> Bool {
    state.withLock { state in
      guard let index = state.calls.firstIndex(where: { $0.buffer === buffer }) else {
        return false
      }
      state.calls.remove(at: index)
      return true
    }
  }

  /// Makes all calls that are owed, on the current thread.
  func callAll() {
    while callNext() {}
  }

  /// Makes the calls that are owed if the current thread is the run loop's.
  func callIfHere() {
    if isHere { callAll() }
  }

  /// Makes the first call that is owed; false if none is, or another thread is in a call.
  @discardableResult
  private func callNext() -> Bool {
    let here = pthread_self()
    let call: Call? = state.withLock { state in
      guard !state.hasEnded, !state.calls.isEmpty else { return nil }
      guard state.thread == nil || pthread_equal(state.thread ?? here, here) != 0 else {
        return nil
      }
      state.thread = here
      state.depth += 1
      return state.calls.removeFirst()
    }
    guard let call else { return false }
    call.body()
    let isLeft = state.withLock { state in
      state.depth -= 1
      if state.depth == 0 { state.thread = nil }
      return !state.calls.isEmpty && state.depth == 0
    }
    // A turn that found another thread in a call was lost.
    if isLeft, case .queue(let queue) = place { queue.async { self.callNext() } }
    return true
  }

  /// Ends all calls, and waits for one that is under way on another thread: up to 5 s, after which
  /// the program itself keeps that call from returning.
  func end() {
    state.withLock { state in
      state.hasEnded = true
      state.calls = []
    }
    for _ in 0..<10_000 where isElsewhere { usleep(500) }
  }
}
