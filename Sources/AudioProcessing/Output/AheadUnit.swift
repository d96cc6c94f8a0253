// SPDX-License-Identifier: Apache-2.0
public import MusicalTime
internal import Realtime

/// Renders a source in advance of its graph, so that several sources can be rendered in parallel on
/// several cores.
///
/// The sound is the same as if the source itself were in the graph.
///
/// - Note: `renderAhead` may be called on any thread, one at a time, even while the graph renders
///   earlier quanta.
@safe
public final class AheadUnit: ProcessingUnit, @unchecked Sendable {
  // Unchecked: callers of `renderAhead` render only quanta that the graph does not render at that
  // time.

  /// The maximum number of quanta that are stored.
  public let capacity: Int
  /// The source.
  package let source: any ProcessingUnit
  private let memory: UnsafeMutablePointer<Float>
  private let buses: UnsafeMutablePointer<Bus>
  private let kernel: KernelBox<AheadKernel>
  /// The number of quanta rendered since the start.
  private var rendered = 0

  /// Creates a unit that renders a source in advance.
  ///
  /// - Parameters:
  ///   - source: a unit without inputs.
  ///   - capacity: the maximum number of quanta that can be rendered in advance.
  /// - Precondition: the source has outputs and does not have inputs, and `capacity` is above zero.
  public init(_ source: any ProcessingUnit, capacity: Int) {
    precondition(source.inputChannelCounts.isEmpty, "the source must not have inputs")
    precondition(capacity > 0, "the capacity must be at least one quantum")
    let counts = source.outputChannelCounts
    let channels = counts.reduce(0, +)
    precondition(channels > 0, "the source must have an output")
    self.source = source
    self.capacity = capacity
    unsafe memory = SampleLoop.allocate(channelCount: channels * capacity)
    let all = unsafe Bus(samples: memory, channelCount: channels * capacity)
    let split = all.split((0..<capacity).flatMap { _ in counts })
    unsafe buses = .allocate(capacity: split.count)
    for (index, bus) in split.enumerated() { unsafe (buses + index).initialize(to: bus) }
    kernel = unsafe KernelBox(
      AheadKernel(buses, busCount: counts.count, capacity: capacity), AheadKernel.function)
  }

  deinit {
    unsafe buses.deallocate()
    unsafe memory.deallocate()
  }

  /// The name of the source.
  public var name: String { source.name }
  /// The unit does not have inputs.
  public var inputChannelCounts: [Int] { [] }
  /// The channel counts of the source.
  public var outputChannelCounts: [Int] { source.outputChannelCounts }
  /// The sample rate of the source.
  public var rate: SampleRate? { source.rate }
  /// The latency of the source, in frames.
  public var latency: Int { source.latency }
  /// True if the latency of the source can change.
  public var latencyVaries: Bool { source.latencyVaries }
  /// The tail of the source, in frames.
  public var tail: Int { source.tail }
  /// The kernel, which copies the quanta that were rendered in advance.
  public var step: RenderStep { kernel.step }

  /// Renders the next quanta for the graph.
  ///
  /// - Parameters:
  ///   - startFrame: the position of the first frame.
  ///   - count: the number of quanta. Together with earlier quanta that the graph has not used yet,
  ///     at most `capacity`.
  ///   - inRuns: true if the source may process several quanta at once. The state that the source
  ///     reports is then valid only after the last quantum.
  ///   - note: called after each quantum, to record the state of the source.
  /// - Returns: the result of `note` for each quantum.
  @discardableResult
  public func renderAhead<Note>(
    startFrame: Int64, count: Int, inRuns: Bool = false, _ note: () -> Note
  ) -> [Note] {
    precondition(count <= capacity, "the count exceeds the capacity")
    let control = DenormalFlush.begin()
    let step = source.step
    let busCount = outputChannelCounts.count
    let notes = (0..<count).map { quantum in
      defer { rendered += 1 }
      var block = unsafe RenderBlock(
        buses: buses + rendered % capacity * busCount, inputCount: 0, outputCount: busCount)
      block.start.frames = startFrame + Int64(quantum * AudioFormat.quantum)
      block.ahead = inRuns ? count - quantum : 1
      unsafe step.function(step.kernel, &block)
      return note()
    }
    DenormalFlush.end(control)
    return notes
  }

  /// Returns one quantum of an output that was rendered in advance; quanta are counted from 0 at
  /// the first `renderAhead`.
  ///
  /// - Precondition: the quantum is one of the last `capacity` rendered, and the source has the
  ///   output.
  public func bus(_ output: Int, quantum: Int) -> Bus {
    unsafe buses[quantum % capacity * outputChannelCounts.count + output]
  }
}

/// The render side: copies quanta that were rendered in advance.
@safe
struct AheadKernel: ~Copyable {
  private let buses: UnsafeMutablePointer<Bus>
  private let busCount: Int
  private let capacity: Int
  private let next: UnsafeMutablePointer<Int>

  init(_ buses: UnsafeMutablePointer<Bus>, busCount: Int, capacity: Int) {
    unsafe self.buses = buses
    self.busCount = busCount
    self.capacity = capacity
    unsafe next = .allocate(capacity: 1)
    unsafe next.initialize(to: 0)
  }

  deinit {
    unsafe next.deallocate()
  }

  static let function: RenderStep.Function = { kernel, block in
    unsafe kernel.assumingMemoryBound(to: AheadKernel.self).pointee.render(
      block.assumingMemoryBound(to: RenderBlock.self).pointee)
  }

  @_noAllocation @_noLocks
  private func render(_ block: RenderBlock) {
    let first = unsafe next.pointee &* busCount
    for index in 0..<busCount { unsafe block.output(index).copy(buses[first &+ index]) }
    unsafe next.pointee = (next.pointee &+ 1) % capacity
  }
}
