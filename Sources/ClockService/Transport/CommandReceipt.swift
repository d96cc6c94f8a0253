public import MusicalTime
// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// A receipt for a command, with which you can wait until the command has taken effect.
///
/// After `let when = try await clock.stop().effect()`, every snapshot includes the effect of the
/// stop. You can also ignore a receipt.
///
/// - Note: Any thread.
public struct CommandReceipt: Sendable {
  let progress: CommandProgress
  let listeners: ClockListeners

  /// True if the command has taken effect, and snapshots include it.
  public var isInEffect: Bool { listeners.hasPublished(progress) }

  /// Waits until the command has taken effect, which usually takes a few milliseconds.
  ///
  /// If the clock is started before its output runs, the start takes effect when the output does.
  ///
  /// - Returns: The host time at which the effect is audible, which may be slightly in the future;
  ///   nil before an output has started. `Task.sleep(until:clock:)` on `.host` waits for it.
  /// - Throws: `ClockError.ended` if the clock ended before; `CancellationError`; `RealtimeError`
  ///   if a thread cannot be started.
  @discardableResult
  public func effect() async throws -> HostTime? {
    if !isInEffect { try await listeners.wait(for: progress) }
    return progress.time
  }
}

/// The progress of a command; written once by the event thread.
final class CommandProgress: Sendable {
  /// The number of the step that publishes it; 0 before it was performed.
  private let step = Atomic<Int>(0)
  private let nanoseconds = Atomic<Int64>(.min)

  /// Notes that the command was performed in a step that will be published.
  func note(step: Int, at time: HostTime?) {
    nanoseconds.store(time?.nanoseconds ?? .min, ordering: .relaxed)
    self.step.store(step, ordering: .releasing)
  }

  /// True if it is published after a number of steps.
  func isPublished(after steps: Int) -> Bool {
    let step = step.load(ordering: .acquiring)
    return step > 0 && step <= steps
  }

  /// The time at which it is audible; nil if it is not known yet.
  var time: HostTime? {
    let time = nanoseconds.load(ordering: .relaxed)
    return time == .min ? nil : HostTime(nanoseconds: time)
  }
}
