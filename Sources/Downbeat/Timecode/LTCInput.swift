// SPDX-License-Identifier: Apache-2.0
public import AudioProcessing
public import ClockService
public import MusicalTime
internal import Realtime
internal import Synchronization

/// Receives linear timecode (LTC) from a sound input, as the master of a clock or a song.
///
/// A separate thread decodes the timecode.
///
/// ```swift
/// let tape = try LTCInput { try ALSAInput(rate: .hertz48000) }
/// var sync = ClockSync()
/// sync.master = ExternalClock(
///   following: .linearTimecode(tape.follower, rate: nil), tempoMap: map)
/// ```
///
/// The first channel with timecode is used. If the input fails, it is opened again every second.
///
/// - Note: Any thread except the render thread.
public final class LTCInput: Sendable {
  /// A change in the state of the input.
  public enum Happening: Sendable {
    /// The input failed; the object tries to open it again.
    case lost(any Error)
    /// The input works again after a failure.
    case returned
  }

  /// A new follower of the timecode, for one clock.
  public var follower: LTCFollower { LTCFollower(run.frames.reader, keeping: self) }

  private let run: LTCInputRun
  private let thread: RealtimeThread

  /// Opens an input, and starts to decode its timecode.
  ///
  /// - Parameters:
  ///   - counting: The frame rate, if it is known; nil, the default, to detect it.
  ///   - tell: Called on the thread that reads the input, when the input fails or returns.
  ///   - open: Opens the input. The closure is called at once, and again after each failure, on the
  ///     thread that reads the input.
  /// - Throws: The error of `open`; `RealtimeError` if the thread cannot be started.
  public init(
    counting: FrameRate? = nil, telling tell: @escaping @Sendable (Happening) -> Void = { _ in },
    _ open: @escaping @Sendable () throws -> any SoundInput
  ) throws {
    let run = LTCInputRun(counting: counting, tell: tell, open: open)
    self.run = run
    // Used only by the new thread from here on.
    nonisolated(unsafe) let first = try open()
    thread = try RealtimeThread(name: "timecode", priority: nil) { unsafe run.run(first) }
  }

  deinit {
    run.isEnding.store(true, ordering: .releasing)
    thread.join()
  }
}
