// SPDX-License-Identifier: Apache-2.0
public import MusicalTime
internal import Realtime
internal import Synchronization

/// Sound from outside as a source of a graph: another thread writes it, and the graph plays it.
///
/// Playback starts when `heldFrames` are buffered. If the buffer runs empty, the rest of the
/// quantum is silent, and the unit waits until the buffer is filled again. Two sound cards never
/// have exactly the same speed. With `Clock.own` the playback speed is therefore adjusted so that
/// the buffer keeps its length: a control loop with a time constant of about 30 s sets the speed,
/// and a windowed sinc interpolates. With `Clock.same` all samples pass unchanged.
///
/// - Note: One thread at a time may write, except the render thread, which makes the sound.
public final class InputUnit: SavableUnit {
  /// The clock that determines the speed of the input.
  public enum Clock: Sendable, CaseIterable {
    /// The clock of the output: the same sound card, or cards with a shared word clock.
    case same
    /// A separate clock, within 0.5 % of the output's.
    case own
  }

  /// The unit's name, for messages and graphs.
  public let name: String
  /// The sample rate.
  public let rate: SampleRate?
  /// The clock of the input.
  public let clock: Clock
  /// The frames that are buffered before playback starts.
  public let heldFrames: Int
  /// True if performers monitor themselves through this unit.
  ///
  /// Its sound is then not delayed to match other paths.
  public let isLive: Bool
  /// The unit does not have input buses; `write` supplies the sound.
  public var inputChannelCounts: [Int] { [] }
  /// One bus.
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
  ///   - heldFrames: the frames that are buffered before playback starts, 64…2²⁰. Use more than
  ///     twice the frames that are written at a time.
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

  /// The kernel and its render function.
  public var step: RenderStep { kernel.step }

  /// Writes frames.
  ///
  /// Frames that do not fit are dropped and counted.
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

  /// The number of silent frames played because the buffer was empty, without those before the
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

  /// The settings from which a saved graph restores the unit, without its sound source.
  public var setup: UnitSetup? {
    var values: [String: UnitSetup.Value] = [
      "channels": .count(outputChannelCounts[0]), "clock": .word("\(clock)"),
      "heldFrames": .count(heldFrames),
    ]
    if isLive { values["live"] = .count(1) }
    return UnitSetup("input", values)
  }
}
