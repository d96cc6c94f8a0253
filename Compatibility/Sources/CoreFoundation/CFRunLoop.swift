// SPDX-License-Identifier: Apache-2.0
internal import CCoreFoundation
public import Foundation

/// Runs the run loop of the current thread in one mode.
///
/// - Parameters:
///   - mode: The mode.
///   - seconds: The maximum duration in seconds; with 0 the loop runs once.
///   - returnAfterSourceHandled: True to return after the first source has been handled.
/// - Returns: The reason why the loop ended.
@discardableResult
public func CFRunLoopRunInMode(
  _ mode: CFRunLoopMode!, _ seconds: CFTimeInterval, _ returnAfterSourceHandled: Bool
) -> CFRunLoopRunResult {
  let mode = mode ?? .defaultMode
  let result = unsafe mode.withPointer {
    unsafe CoreAudioRunLoopRunInMode($0, seconds, returnAfterSourceHandled)
  }
  return CFRunLoopRunResult(rawValue: result) ?? .finished
}

/// Schedules a block on a run loop and wakes the loop.
///
/// - Parameters:
///   - rl: The run loop.
///   - mode: The mode in which the block is called.
///   - block: The block.
public func CFRunLoopPerformBlock(
  _ rl: CFRunLoop!, _ mode: CFString!, _ block: @escaping () -> Void
) {
  guard let rl, let mode else { return }
  unsafe CFRunLoopMode(mode).withPointer { unsafe CoreAudioRunLoopPerform(rl, $0, block) }
}

/// Adds a timer to a mode of a run loop.
///
/// - Parameters:
///   - rl: The run loop.
///   - timer: The timer.
///   - mode: The mode.
public func CFRunLoopAddTimer(_ rl: CFRunLoop!, _ timer: CFRunLoopTimer!, _ mode: CFRunLoopMode!) {
  guard let rl, let timer, let mode else { return }
  unsafe mode.withPointer { unsafe CoreAudioRunLoopAddTimer(rl, timer, $0) }
}

/// Removes a timer from a mode of a run loop.
///
/// - Parameters:
///   - rl: The run loop.
///   - timer: The timer.
///   - mode: The mode.
public func CFRunLoopRemoveTimer(
  _ rl: CFRunLoop!, _ timer: CFRunLoopTimer!, _ mode: CFRunLoopMode!
) {
  guard let rl, let timer, let mode else { return }
  unsafe mode.withPointer { unsafe CoreAudioRunLoopRemoveTimer(rl, timer, $0) }
}

/// Adds a source to a mode of a run loop.
///
/// - Parameters:
///   - rl: The run loop.
///   - source: The source.
///   - mode: The mode.
public func CFRunLoopAddSource(_ rl: CFRunLoop!, _ source: CFRunLoopSource!, _ mode: CFRunLoopMode!)
{
  guard let rl, let source, let mode else { return }
  unsafe mode.withPointer { unsafe CoreAudioRunLoopAddSource(rl, source, $0) }
}

/// Removes a source from a mode of a run loop.
///
/// - Parameters:
///   - rl: The run loop.
///   - source: The source.
///   - mode: The mode.
public func CFRunLoopRemoveSource(
  _ rl: CFRunLoop!, _ source: CFRunLoopSource!, _ mode: CFRunLoopMode!
) {
  guard let rl, let source, let mode else { return }
  unsafe mode.withPointer { unsafe CoreAudioRunLoopRemoveSource(rl, source, $0) }
}

extension CFRunLoopMode {
  /// Calls a closure with the name as Core Foundation's string.
  fileprivate func withPointer<Result>(_ body: (UnsafeRawPointer) -> Result) -> Result {
    withExtendedLifetime(rawValue) {
      unsafe body(Unmanaged.passUnretained(rawValue).toOpaque())
    }
  }
}
