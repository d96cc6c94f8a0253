// SPDX-License-Identifier: Apache-2.0
public import MusicalTime
public import Realtime
internal import Synchronization

/// What sound comes from: a device, or a program's own.
public protocol SoundInput: AnyObject {
  /// Frames a second.
  var rate: SampleRate { get }
  /// The samples in a frame.
  var channelCount: Int { get }
  /// The frames that come at a time.
  var periodFrames: Int { get }
  /// Where the frames that were read lie in host time, as they came in, counted from the first; nil
  /// where nobody knows better than the time at which they are read.
  var clock: SampleClock? { get }

  /// How often sound was lost because somebody was too slow, or the device was away.
  var xrunCount: Int { get }

  /// Whether the device is gone and its return is waited for: nothing comes meanwhile.
  var isAway: Bool { get }

  /// The next frames, interleaved, full scale at ±1; waits for them up to 100 ms.
  ///
  /// - Returns: whole frames; none where nothing came in the time.
  /// - Throws: where nothing will come any more.
  func read() throws -> [Float]
}

extension SoundInput {
  /// Nobody knows better than the time at which frames are read.
  public var clock: SampleClock? { nil }

  /// 0: nothing is lost where nobody takes it in.
  public var xrunCount: Int { 0 }

  /// False: what has no device cannot lose it.
  public var isAway: Bool { false }
}

/// An input's sound, carried into a unit by a thread of its own.
///
/// ```swift
/// let reader = try InputReader(device, clock: .own)
/// let node = graph.add(reader.unit)
/// ```
///
/// - Note: Control side.
public final class InputReader: Sendable {
  /// The unit into which the sound goes; it holds back three periods of the input.
  public var unit: InputUnit { unsafe shared.unit }
  private let shared: Shared
  private let thread: RealtimeThread

  private final class Shared: Sendable {
    // The reading thread's alone.
    nonisolated(unsafe) let input: any SoundInput
    // Written into by the reading thread; the rest any thread may ask.
    nonisolated(unsafe) let unit: InputUnit
    let isEnding = Atomic(false)
    let isAway = Atomic(false)
    let failure = Mutex<(any Error)?>(nil)

    init(_ input: any SoundInput, _ unit: InputUnit) {
      unsafe self.input = input
      unsafe self.unit = unit
    }

    func run() {
      do {
        while !isEnding.load(ordering: .acquiring) {
          let samples = unsafe try input.read()
          unsafe unit.write(samples.span)
          unsafe isAway.store(input.isAway, ordering: .releasing)
        }
      } catch {
        failure.withLock { $0 = error }
      }
    }
  }

  /// Begins to read.
  ///
  /// - Parameters:
  ///   - input: what is read, by nobody else from now on.
  ///   - name: what the unit is called.
  ///   - clock: by whose pace the input's frames come.
  /// - Throws: `RealtimeError` where no thread can be had.
  public init(
    _ input: sending any SoundInput, name: String = "input", clock: InputUnit.Clock = .own
  ) throws(RealtimeError) {
    let unit = InputUnit(
      name: name, channelCount: input.channelCount, clock: clock,
      heldFrames: min(1 << 20, max(3 * input.periodFrames, 256)), rate: input.rate)
    let shared = Shared(input, unit)
    self.shared = shared
    thread = try RealtimeThread(name: "input", priority: nil) { shared.run() }
  }

  deinit {
    shared.isEnding.store(true, ordering: .releasing)
    thread.join()
  }

  /// Whether the input's device is gone and its return is waited for, as of the last look at it; there
  /// are ten a second at least.
  ///
  /// - Note: Any thread.
  public var isAway: Bool { shared.isAway.load(ordering: .acquiring) }

  /// Why nothing comes any more; nil while it does.
  ///
  /// - Note: Any thread.
  public var failure: (any Error)? { shared.failure.withLock { $0 } }
}
