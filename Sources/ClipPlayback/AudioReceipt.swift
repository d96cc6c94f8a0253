// SPDX-License-Identifier: Apache-2.0
public import MusicalTime
internal import Synchronization

/// What a command of an `AudioPlayer` gives: to be awaited until it is heard.
///
/// - Note: Any thread.
public struct AudioReceipt: Sendable {
  let player: AudioPlayer
  let progress: OrderProgress

  /// Whether the command is heard already, as far as the player was told what is heard.
  public var isInEffect: Bool { progress.heardFrame != nil }

  /// Waits until the command is heard; a start at a frame, until that frame is.
  ///
  /// The player is told what is heard by `follow`, or by calls of `deliver`; a command before the
  /// output runs is heard once it does.
  ///
  /// - Returns: The frame of the output from which on it is heard.
  /// - Throws: `ClipError.notRunning` where the player stops following meanwhile;
  ///   `CancellationError`.
  @discardableResult
  public func effect() async throws -> SampleTime {
    SampleTime(frames: try await player.wait(for: progress))
  }
}

/// How far an order has come.
final class OrderProgress: Sendable {
  /// Its number among the orders of its player, from 1.
  let number: UInt64
  /// The frame that it waits for; `Int64.min` is none.
  private let due: Int64
  private let frame = Atomic<Int64>(.max)
  private let isHeard = Atomic<Bool>(false)

  init(number: UInt64, due: Int64) {
    self.number = number
    self.due = due
  }

  /// Takes note of the frame at which the render thread took the order.
  func note(takenAt frame: Int64) {
    self.frame.store(max(frame, due), ordering: .relaxed)
  }

  /// Takes note of the frame that is heard now, and says whether the order is in effect by then.
  func note(heardThrough heard: Int64) -> Bool {
    guard frame.load(ordering: .relaxed) <= heard else { return false }
    isHeard.store(true, ordering: .releasing)
    return true
  }

  /// The frame from which on it is heard; nil while it is not.
  var heardFrame: Int64? {
    isHeard.load(ordering: .acquiring) ? frame.load(ordering: .relaxed) : nil
  }
}

/// The orders of a player that somebody may wait for, and who does.
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

  /// The progress of the next order that is sent.
  mutating func add(due: Int64) -> OrderProgress {
    sentCount += 1
    return addToLast(due: due)
  }

  /// The progress of an order that replaces the last one.
  mutating func addToLast(due: Int64) -> OrderProgress {
    let progress = OrderProgress(number: sentCount, due: due)
    // What nobody holds is never asked for: the list grows with the receipts that are kept.
    if sent.count == sent.capacity { sent.removeAll { $0.progress == nil } }
    sent.append(Weak(progress: progress))
    return progress
  }

  /// Takes note that the render thread has taken so many orders, the last of them at a frame.
  mutating func note(taken count: UInt64, at frame: Int64) {
    for case let progress? in sent.map(\.progress) where progress.number <= count {
      // The facts come in order: an order belongs to the first that counts it.
      if progress.takenFrame == .max { progress.note(takenAt: frame) }
    }
  }

  /// Takes note of what is heard now; returns who has waited for it.
  mutating func hear(
    _ frame: Int64
  ) -> [(continuation: CheckedContinuation<Int64, any Error>, frame: Int64)] {
    sent.removeAll { $0.progress?.note(heardThrough: frame) ?? true }
    let due = waiters.filter { $0.progress.heardFrame != nil }
    waiters.removeAll { $0.progress.heardFrame != nil }
    return due.map { ($0.continuation, $0.progress.heardFrame ?? frame) }
  }

  /// A name for somebody who is about to wait.
  mutating func makeID() -> UInt64 {
    nextID += 1
    return nextID
  }

  /// Lets somebody wait.
  mutating func wait(
    _ id: UInt64, for progress: OrderProgress,
    _ continuation: CheckedContinuation<Int64, any Error>
  ) {
    waiters.append(Waiter(id: id, progress: progress, continuation: continuation))
  }

  /// Takes out one who waits, or all of them.
  mutating func takeWaiters(
    _ id: UInt64? = nil
  ) -> [CheckedContinuation<Int64, any Error>] {
    let gone = waiters.filter { id == nil || $0.id == id }
    waiters.removeAll { id == nil || $0.id == id }
    return gone.map(\.continuation)
  }
}

extension OrderProgress {
  /// The frame at which it is in effect, `Int64.max` before it was taken.
  fileprivate var takenFrame: Int64 { frame.load(ordering: .relaxed) }
}

extension AudioPlayer {
  /// Waits until an order is heard, and gives the frame.
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
        // A task that was cancelled before it waited was not found among those who do.
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
