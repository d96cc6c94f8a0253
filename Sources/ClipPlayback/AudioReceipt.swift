// SPDX-License-Identifier: Apache-2.0
public import MusicalTime
internal import Synchronization

/// A receipt for a command of an ``AudioPlayer``, with which you can wait until the command is
/// audible.
///
/// - Note: Safe to use from any thread.
public struct AudioReceipt: Sendable {
  let player: AudioPlayer
  let progress: OrderProgress

  /// True if the player knows that the command is audible.
  public var isInEffect: Bool { progress.heardFrame != nil }

  /// Waits until the command is audible; for a start at a frame, until this frame is audible.
  ///
  /// The player receives the audible frame from `follow` or `deliver`. A command that was sent
  /// before the output runs is audible when the output starts.
  ///
  /// - Returns: The output frame at which the command became audible.
  /// - Throws: `ClipError.notRunning` if `stopFollowing` is called first; `CancellationError`.
  @discardableResult
  public func effect() async throws -> SampleTime {
    SampleTime(frames: try await player.wait(for: progress))
  }
}

/// The progress of an order.
final class OrderProgress: Sendable {
  /// Its number among the orders of its player, from 1.
  let number: UInt64
  /// The frame for which the order waits; `Int64.min` for none.
  private let due: Int64
  private let frame = Atomic<Int64>(.max)
  private let isHeard = Atomic<Bool>(false)

  init(number: UInt64, due: Int64) {
    self.number = number
    self.due = due
  }

  /// Notes the frame at which the render thread received the order.
  func note(takenAt frame: Int64) {
    self.frame.store(max(frame, due), ordering: .relaxed)
  }

  /// Notes the frame that is audible now; returns true if the order is in effect.
  func note(heardThrough heard: Int64) -> Bool {
    guard frame.load(ordering: .relaxed) <= heard else { return false }
    isHeard.store(true, ordering: .releasing)
    return true
  }

  /// The frame at which the order became audible; nil before that.
  var heardFrame: Int64? {
    isHeard.load(ordering: .acquiring) ? frame.load(ordering: .relaxed) : nil
  }
}

/// The orders of a player for which tasks can wait, and these tasks.
struct OrderWaiters {
  private struct Weak {
    weak var progress: OrderProgress?
  }

  private struct Waiter {
    let id: UInt64
    let progress: OrderProgress
    let continuation: CheckedContinuation<Int64, any Error>
  }

  private var sentCount: UInt64 = 0
  private var nextID: UInt64 = 0
  private var sent: [Weak] = []
  private var waiters: [Waiter] = []

  /// Creates the progress of the next order.
  mutating func add(due: Int64) -> OrderProgress {
    sentCount += 1
    return addToLast(due: due)
  }

  /// The progress of an order that replaces the last one.
  mutating func addToLast(due: Int64) -> OrderProgress {
    let progress = OrderProgress(number: sentCount, due: due)
    // Progress without a reference cannot be waited for, so the list grows only with the receipts.
    if sent.count == sent.capacity { sent.removeAll { $0.progress == nil } }
    sent.append(Weak(progress: progress))
    return progress
  }

  /// Notes that the render thread has received a number of orders, the last of them at a frame.
  mutating func note(taken count: UInt64, at frame: Int64) {
    for case let progress? in sent.map(\.progress) where progress.number <= count {
      // The facts arrive in order, and an order belongs to the first fact that includes it.
      if progress.takenFrame == .max { progress.note(takenAt: frame) }
    }
  }

  /// Notes the frame that is audible now; returns the tasks that waited for it.
  mutating func hear(
    _ frame: Int64
  ) -> [(continuation: CheckedContinuation<Int64, any Error>, frame: Int64)] {
    sent.removeAll { $0.progress?.note(heardThrough: frame) ?? true }
    let due = waiters.filter { $0.progress.heardFrame != nil }
    waiters.removeAll { $0.progress.heardFrame != nil }
    return due.map { ($0.continuation, $0.progress.heardFrame ?? frame) }
  }

  /// Creates an identifier for a task.
  mutating func makeID() -> UInt64 {
    nextID += 1
    return nextID
  }

  /// Adds a waiting task.
  mutating func wait(
    _ id: UInt64, for progress: OrderProgress,
    _ continuation: CheckedContinuation<Int64, any Error>
  ) {
    waiters.append(Waiter(id: id, progress: progress, continuation: continuation))
  }

  /// Removes and returns one waiting task, or all of them.
  mutating func takeWaiters(
    _ id: UInt64? = nil
  ) -> [CheckedContinuation<Int64, any Error>] {
    let gone = waiters.filter { id == nil || $0.id == id }
    waiters.removeAll { id == nil || $0.id == id }
    return gone.map(\.continuation)
  }
}

extension OrderProgress {
  /// The frame at which the order is in effect; `Int64.max` before the render thread has received
  /// it.
  fileprivate var takenFrame: Int64 { frame.load(ordering: .relaxed) }
}

extension AudioPlayer {
  /// Waits until an order is audible, and returns the frame.
  func wait(for progress: OrderProgress) async throws -> Int64 {
    if let frame = progress.heardFrame { return frame }
    let id = withWaiters { $0.makeID() }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let frame = withWaiters { waiters -> Int64? in
          if let frame = progress.heardFrame { return frame }
          waiters.wait(id, for: progress, continuation)
          return nil
        }
        if let frame { continuation.resume(returning: frame) }
        // A task that was cancelled before it waited was not in the list yet.
        if Task.isCancelled { cancel(id) }
      }
    } onCancel: {
      cancel(id)
    }
  }

  private func cancel(_ id: UInt64) {
    for gone in withWaiters({ $0.takeWaiters(id) }) {
      gone.resume(throwing: CancellationError())
    }
  }
}
