// SPDX-License-Identifier: Apache-2.0
public import AudioProcessing
public import ClockService
public import MusicalTime
internal import Realtime
internal import Synchronization

/// Linear timecode that is heard, by a thread of its own: the master of a clock or a song.
///
/// ```swift
/// let tape = try LTCInput { try ALSAInput(rate: .hertz48000) }
/// var sync = ClockSync()
/// sync.master = ExternalClock(
///   following: .linearTimecode(tape.follower, rate: nil), tempoMap: map)
/// ```
///
/// The first channel that has any is read. An input that fails is opened anew every second.
///
/// - Note: Control side.
public final class LTCInput: Sendable {
  /// What becomes of an input.
  public enum Happening: Sendable {
    /// It failed, and is waited for.
    case lost(any Error)
    /// It is back.
    case returned
  }

  /// What follows the timecode; of one clock.
  public var follower: LTCFollower { LTCFollower(run.frames.reader, keeping: self) }

  private let run: LTCInputRun
  private let thread: RealtimeThread

  /// Opens an input and begins to hear.
  ///
  /// - Parameters:
  ///   - counting: How labels count, where that is known; nil finds it out.
  ///   - tell: Is told, on the input's thread, what becomes of it.
  ///   - open: Opens the input: now, and on the input's thread after each failure.
  /// - Throws: What `open` throws; `RealtimeError` where no thread can be had.
  public init(
    counting: FrameRate? = nil, telling tell: @escaping @Sendable (Happening) -> Void = { _ in },
    _ open: @escaping @Sendable () throws -> any SoundInput
  ) throws {
    let run = LTCInputRun(counting: counting, tell: tell, open: open)
    self.run = run
    // The thread's from here on.
    nonisolated(unsafe) let first = try open()
    thread = try RealtimeThread(name: "timecode", priority: nil) { unsafe run.run(first) }
  }

  deinit {
    run.isEnding.store(true, ordering: .releasing)
    thread.join()
  }
}
