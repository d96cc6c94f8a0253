// SPDX-License-Identifier: Apache-2.0
public import MusicalTime
internal import Realtime

/// A source rendered some quanta ahead of the graph it stands in, so that several sources can be
/// rendered at once on several cores.
///
/// The sound is the same as if the source stood there itself.
///
/// - Note: `renderAhead` may be called on any thread, one at a time; also while the graph renders
///   what was rendered ahead before.
@safe
public final class AheadUnit: ProcessingUnit, @unchecked Sendable {
  // Unchecked: whoever calls `renderAhead` does so for quanta that the graph does not render.

  /// The most quanta it holds.
  public let capacity: Int
  /// The source.
  package let source: any ProcessingUnit
  private let memory: UnsafeMutablePointer<Float>
  private let buses: UnsafeMutablePointer<Bus>
  private let kernel: KernelBox<AheadKernel>
  /// Quanta rendered since the start.
  private var rendered = 0

  /// Puts a source ahead.
  ///
  /// - Parameters:
  ///   - source: a unit without inputs.
  ///   - capacity: the most quanta that are rendered and that the graph has not rendered yet.
  /// - Precondition: the source has outputs and no inputs, and `capacity` is above zero.
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

  /// What the source is called.
  public var name: String { source.name }
  /// None.
  public var inputChannelCounts: [Int] { [] }
  /// The source's.
  public var outputChannelCounts: [Int] { source.outputChannelCounts }
  /// The source's.
  public var rate: SampleRate? { source.rate }
  /// The source's.
  public var latency: Int { source.latency }
  /// The source's.
  public var latencyVaries: Bool { source.latencyVaries }
  /// The source's.
  public var tail: Int { source.tail }
  /// The kernel, which gives on what was rendered ahead.
  public var step: RenderStep { kernel.step }

  /// Renders the quanta that the graph is to have next.
  ///
  /// - Parameters:
  ///   - startFrame: the position of the first frame.
  ///   - count: how many quanta; with those that the graph has not rendered, at most `capacity`.
  ///   - inRuns: whether the source may work on several quanta at once; what it reports of itself
  ///     is then right after the last of them only.
  ///   - note: called after each quantum, to record how the source is then.
  /// - Returns: what `note` returned, for each quantum.
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

  /// What was rendered ahead for one output, a quantum of it, counted from the start.
  ///
  /// - Precondition: the quantum is one of the last `capacity` rendered, and the output is one of
  ///   the source's.
  public func bus(_ output: Int, quantum: Int) -> Bus {
    unsafe buses[quantum % capacity * outputChannelCounts.count + output]
  }
}

/// The render side of a source that was rendered ahead.
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
