public import MusicalTime
// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// What a command returns: something to await until the command has taken effect.
///
/// `let when = try await clock.stop().effect()`: from then on every snapshot tells of it. Who does not
/// care lets it go.
///
/// - Note: any thread.
public struct CommandReceipt: Sendable {
  let progress: CommandProgress
  let listeners: ClockListeners

  /// Whether the command has taken effect, and snapshots tell of it.
  public var isInEffect: Bool { listeners.hasPublished(progress) }

  /// Waits until the command has taken effect, a few milliseconds as a rule; a start before the
  /// output runs takes effect once it does.
  ///
  /// - Returns: The host time at which the effect is heard, which may lie a little ahead; nil before
  ///   an output has begun. `Task.sleep(until:clock:)` on `.host` waits for that too.
  /// - Throws: `ClockError.ended` where the clock ended before; `CancellationError`;
  ///   `RealtimeError` where no thread can be had to tell of it.
  @discardableResult
  public func effect() async throws -> HostTime? {
    if !isInEffect { try await listeners.wait(for: progress) }
    return progress.time
  }
}

/// How far a command has come: written once by the event thread.
final class CommandProgress: Sendable {
  /// The step with which it is published; 0 before it was done.
  private let step = Atomic<Int>(0)
  private let nanoseconds = Atomic<Int64>(.min)

  /// Takes note that the command is done, with a step that is still to be published.
  func note(step: Int, at time: HostTime?) {
    nanoseconds.store(time?.nanoseconds ?? .min, ordering: .relaxed)
    self.step.store(step, ordering: .releasing)
  }

  /// Whether it is told of after a number of steps.
  func isPublished(after steps: Int) -> Bool {
    let step = step.load(ordering: .acquiring)
    return step > 0 && step <= steps
  }

  /// When it is heard; nil where nobody knows yet.
  var time: HostTime? {
    let time = nanoseconds.load(ordering: .relaxed)
    return time == .min ? nil : HostTime(nanoseconds: time)
  }
}
