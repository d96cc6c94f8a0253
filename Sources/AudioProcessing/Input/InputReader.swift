// SPDX-License-Identifier: Apache-2.0
public import MusicalTime
public import Realtime
internal import Synchronization

/// A source of sound: a device, or an object of the program.
public protocol SoundInput: AnyObject {
  /// The sample rate.
  var rate: SampleRate { get }
  /// The number of channels.
  var channelCount: Int { get }
  /// The number of frames that arrive at a time.
  var periodFrames: Int { get }
  /// The relation of the frames that were read to host time; nil if only the time of reading is
  /// known.
  var clock: SampleClock? { get }

  /// The number of times that sound was lost, because it was read too late or the device was lost.
  var xrunCount: Int { get }

  /// True while the device is lost and the input waits for it; frames do not arrive.
  var isAway: Bool { get }

  /// Waits up to 100 ms for the next frames, and returns them.
  ///
  /// - Returns: whole frames, interleaved, with full scale at ±1; empty if none arrived in time.
  /// - Throws: an error if the input has ended.
  func read() throws -> [Float]
}

extension SoundInput {
  /// Nil: only the time of reading is known.
  public var clock: SampleClock? { nil }

  /// 0: sound is not lost.
  public var xrunCount: Int { 0 }

  /// False: the input does not have a device that can be lost.
  public var isAway: Bool { false }
}

/// Reads a sound input on a separate thread, and passes the sound to a unit.
///
/// ```swift
/// let reader = try InputReader(device, clock: .own)
/// let node = graph.add(reader.unit)
/// ```
///
/// - Note: Any thread except the render thread.
public final class InputReader: Sendable {
  /// The unit that plays the sound.
  ///
  /// It buffers three periods of the input, or at least 256 frames.
  public var unit: InputUnit { unsafe shared.unit }
  private let shared: Shared
  private let thread: RealtimeThread

  private final class Shared: Sendable {
    // Only the reading thread uses it.
    nonisolated(unsafe) let input: any SoundInput
    // The reading thread writes to it; other threads read its state.
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

  /// Starts to read.
  ///
  /// - Parameters:
  ///   - input: the input. Only the reader reads it from now on.
  ///   - name: the name of the unit.
  ///   - clock: the clock of the input.
  /// - Throws: `RealtimeError` if the thread cannot be created.
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

  /// True if the input's device is lost and the input waits for it.
  ///
  /// The state is updated at least ten times per second.
  ///
  /// - Note: Any thread.
  public var isAway: Bool { shared.isAway.load(ordering: .acquiring) }

  /// The error that ended the input; nil while it works.
  ///
  /// - Note: Any thread.
  public var failure: (any Error)? { shared.failure.withLock { $0 } }
}
