// SPDX-License-Identifier: Apache-2.0
public import MusicalTime
internal import Realtime
internal import Synchronization

/// What is heard from outside, as a source of a graph: another thread writes, the graph plays.
///
/// What was written waits until it is as long as the unit holds back, and is played from then on.
/// Where it runs dry, the rest of the quantum is silent and it is waited for anew. Two cards are
/// never equally fast: with a clock of its own the sound is played as much faster or slower as keeps
/// what waits at its length, found by a loop of some 30 s, and what lies between the samples by a
/// windowed sinc. On the same card every sample passes bit for bit.
///
/// - Note: Control side; one thread writes, which may be any. The sound is made on the render thread.
public final class InputUnit: SavableUnit {
  /// By whose pace the frames come.
  public enum Clock: Sendable, CaseIterable {
    /// That of the output: the same card, or cards that are wired to one clock.
    case same
    /// Their own, within 0.5 % of the output's.
    case own
  }

  /// The unit's name, for messages and graphs.
  public let name: String
  /// Frames a second.
  public let rate: SampleRate?
  /// By whose pace the frames come.
  public let clock: Clock
  /// The frames that wait before they are played.
  public let heldFrames: Int
  /// Whether a player hears himself by it: it is then not delayed so as to meet what is later.
  public let isLive: Bool
  /// None: it hears what is written.
  public var inputChannelCounts: [Int] { [] }
  /// One bus.
  public let outputChannelCounts: [Int]
  private let ring: RingBuffer<Float>
  private let refused = Atomic<Int>(0)
  private let kernel: KernelBox<InputKernel>

  /// Creates an input.
  ///
  /// - Parameters:
  ///   - name: what it is called in messages.
  ///   - channelCount: the channels of its bus, 1…64.
  ///   - clock: by whose pace the frames come.
  ///   - heldFrames: the frames that wait before they are played, 64…2²⁰; more than twice as many
  ///     as are written at a time.
  ///   - isLive: whether a player hears himself by it.
  ///   - room: the frames that can wait at least; nil for four times those that do.
  ///   - rate: frames a second.
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

  /// The input's kernel.
  public var step: RenderStep { kernel.step }

  /// Writes frames; those that find no room are left out and counted.
  ///
  /// - Parameter samples: interleaved, whole frames, full scale at ±1.
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

  /// Leaves so many frames waiting before what is written next: of more the oldest are left out, for
  /// fewer there is silence.
  ///
  /// - Note: The thread that writes, where it renders the graph too; real-time safe.
  package func keep(_ frameCount: Int) {
    let excess = ring.reader.count - frameCount * outputChannelCounts[0]
    if excess > 0 { _ = ring.reader.pop(atMost: excess) { _ in } }
    for _ in 0..<max(0, -excess) { _ = ring.writer.push(0) }
  }

  /// Frames that found no room: the graph stood still, or was too slow.
  ///
  /// - Note: Any thread.
  public var refusedFrameCount: Int { refused.load(ordering: .relaxed) }

  /// Frames that were silent because nothing had come, those before the first left out.
  ///
  /// - Note: Any thread.
  public var missedFrameCount: Int { kernel.pointee.missedFrames.load(ordering: .relaxed) }

  /// Frames that come in the time of one that is played, as far as it is known; 1 with the same clock.
  ///
  /// - Note: Any thread.
  public var clockRatio: Double {
    Double(bitPattern: kernel.pointee.ratio.load(ordering: .relaxed))
  }

  /// The settings from which a saved graph restores it, without its input.
  public var setup: UnitSetup? {
    var values: [String: UnitSetup.Value] = [
      "channels": .count(outputChannelCounts[0]), "clock": .word("\(clock)"),
      "heldFrames": .count(heldFrames),
    ]
    if isLive { values["live"] = .count(1) }
    return UnitSetup("input", values)
  }
}
