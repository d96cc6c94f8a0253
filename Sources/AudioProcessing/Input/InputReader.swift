// SPDX-License-Identifier: Apache-2.0
public import MusicalTime
public import Realtime
internal import Synchronization

/// A source of recorded sound: a sound device, or an object of your program.
public protocol SoundInput: AnyObject {
  /// The sample rate.
  var rate: SampleRate { get }
  /// The number of channels.
  var channelCount: Int { get }
  /// The number of frames that arrive together.
  var periodFrames: Int { get }
  /// The relation of the frames that were read to host time; nil if the input does not know when
  /// frames were recorded.
  var clock: SampleClock? { get }

  /// The number of times that sound was lost, because it was read too late or the device was lost.
  var xrunCount: Int { get }

  /// True while the device is lost and the input waits for its return; frames do not arrive.
  var isAway: Bool { get }

  /// Waits up to 100 ms for the next frames, and returns them.
  ///
  /// - Returns: whole frames, interleaved, with full scale at ±1; empty if none arrived in time.
  /// - Throws: an error if the input has ended.
  func read() throws -> [Float]
}

extension SoundInput {
  /// Nil: by default the relation of frames to host time is unknown.
  public var clock: SampleClock? { nil }

  /// 0: by default the input does not lose sound.
  public var xrunCount: Int { 0 }

  /// False: by default the input does not have a device that can be lost.
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
  /// The unit buffers three periods of the input, and at least 256 frames.
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

  /// Starts a thread that reads an input.
  ///
  /// - Parameters:
  ///   - input: the input. From now on only the reader may read it.
  ///   - name: the name of the unit.
  ///   - clock: the clock of the input: that of the output, or a separate one.
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

  /// The error that ended the input; nil if the input works.
  ///
  /// - Note: Any thread.
  public var failure: (any Error)? { shared.failure.withLock { $0 } }
}
