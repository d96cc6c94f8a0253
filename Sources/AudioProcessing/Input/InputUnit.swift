// SPDX-License-Identifier: Apache-2.0
public import MusicalTime
internal import Realtime
internal import Synchronization

/// Brings sound from outside into a graph: another thread writes the sound, and the graph plays it.
///
/// Playback starts when `heldFrames` are buffered. If the buffer runs empty, the rest of the
/// quantum is silent, and the unit waits until the buffer is filled again. The clocks of two sound
/// cards never have exactly the same speed. With `Clock.own` the playback speed is therefore
/// adjusted to keep the buffer filled: a control loop with a time constant of about 30 s sets the
/// speed, and a windowed sinc interpolates. With `Clock.same` all samples pass unchanged.
///
/// - Note: One thread at a time may write, but not the render thread, which plays the sound.
public final class InputUnit: SavableUnit {
  /// The clock that determines how many frames per second the input delivers.
  public enum Clock: Sendable, CaseIterable {
    /// The clock of the output, if input and output are on the same sound card or on cards with a
    /// shared word clock.
    case same
    /// A clock that is separate from the output's, and differs from it by at most 0.5 %.
    case own
  }

  /// The unit's name, for messages and graphs.
  public let name: String
  /// The sample rate.
  public let rate: SampleRate?
  /// The clock of the input.
  public let clock: Clock
  /// The number of frames that are buffered before playback starts.
  public let heldFrames: Int
  /// True if performers monitor themselves through this unit.
  ///
  /// The sound of the unit is then not delayed to match other paths.
  public let isLive: Bool
  /// The unit does not have input buses; `write` supplies the sound.
  public var inputChannelCounts: [Int] { [] }
  /// The channel count of each output: the unit has one output bus.
  public let outputChannelCounts: [Int]
  private let ring: RingBuffer<Float>
  private let refused = Atomic<Int>(0)
  private let kernel: KernelBox<InputKernel>

  /// Creates an input.
  ///
  /// - Parameters:
  ///   - name: the unit's name, for messages and graphs.
  ///   - channelCount: the number of channels, 1…64.
  ///   - clock: the clock of the input.
  ///   - heldFrames: the number of frames that are buffered before playback starts, 64…2²⁰. Use
  ///     more than twice the number of frames that you write at a time.
  ///   - isLive: true if performers monitor themselves through this unit.
  ///   - room: the minimum capacity of the buffer, in frames; nil for four times `heldFrames`.
  ///   - rate: the sample rate.
  public init(
    name: String = "input", channelCount: Int = 2, clock: Clock = .own, heldFrames: Int = 2048,
    isLive: Bool = false, room: Int? = nil, rate: SampleRate
  ) {
    precondition((1...64).contains(channelCount), "an input has 1 to 64 channels")
    precondition((64...1 << 20).contains(heldFrames), "an input buffers 64 to 2^20 frames")
    self.name = name
    self.rate = rate
    self.clock = clock
    self.heldFrames = heldFrames
    self.isLive = isLive
    outputChannelCounts = [channelCount]
    ring = RingBuffer(minimumCapacity: max(4 * heldFrames, room ?? 0) * channelCount)
    kernel = unsafe KernelBox(
      InputKernel(
        ring.reader, channelCount: channelCount, heldFrames: heldFrames, isExact: clock == .same,
        rate: rate),
      InputKernel.function)
  }

  /// The unit's kernel, with the function that renders one quantum.
  public var step: RenderStep { kernel.step }

  /// Writes frames to the buffer.
  ///
  /// Frames for which the buffer does not have space are dropped and counted.
  ///
  /// - Parameter samples: whole frames, interleaved, with full scale at ±1.
  /// - Note: One thread at a time; real-time safe.
  /// - Complexity: O(n) in the number of samples.
  public func write(_ samples: Span<Float>) {
    let channelCount = outputChannelCounts[0]
    precondition(samples.count % channelCount == 0, "samples must be whole frames")
    let room = ring.writer.room / channelCount * channelCount
    let taken = min(room, samples.count)
    _ = ring.writer.push(contentsOf: samples.extracting(0..<taken))
    if taken < samples.count {
      refused.add((samples.count - taken) / channelCount, ordering: .relaxed)
    }
  }

  /// Sets the number of buffered frames: removes the oldest frames, or adds silence.
  ///
  /// - Note: Only for a thread that writes and also renders the graph; real-time safe.
  package func keep(_ frameCount: Int) {
    let excess = ring.reader.count - frameCount * outputChannelCounts[0]
    if excess > 0 { _ = ring.reader.pop(atMost: excess) { _ in } }
    for _ in 0..<max(0, -excess) { _ = ring.writer.push(0) }
  }

  /// The number of frames that were dropped because the buffer was full.
  ///
  /// - Note: Any thread.
  public var refusedFrameCount: Int { refused.load(ordering: .relaxed) }

  /// The number of silent frames that were played because the buffer was empty, except before the
  /// first sound.
  ///
  /// - Note: Any thread.
  public var missedFrameCount: Int { kernel.pointee.missedFrames.load(ordering: .relaxed) }

  /// The estimated number of input frames per output frame; 1 with `Clock.same`.
  ///
  /// - Note: Any thread.
  public var clockRatio: Double {
    Double(bitPattern: kernel.pointee.ratio.load(ordering: .relaxed))
  }

  /// The settings from which a saved graph restores the unit.
  ///
  /// The source of the sound is not saved.
  public var setup: UnitSetup? {
    var values: [String: UnitSetup.Value] = [
      "channels": .count(outputChannelCounts[0]), "clock": .word("\(clock)"),
      "heldFrames": .count(heldFrames),
    ]
    if isLive { values["live"] = .count(1) }
    return UnitSetup("input", values)
  }
}
