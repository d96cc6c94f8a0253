// SPDX-License-Identifier: Apache-2.0

/// A graph compiled: a flat list of steps in the order in which they must run.
///
/// It owns the buffers between the units and keeps the units alive.
///
/// - Note: One thread renders at a time; it may be another than the one that made it.
@safe
public final class RenderPlan: @unchecked Sendable {
  // Unchecked: after `init` only the rendering thread touches the memory.

  /// What the head of the graph is given.
  public let output: Bus
  private let units: [any ProcessingUnit]
  private let steps: UnsafeMutablePointer<PlannedStep>
  private let stepCount: Int
  private let buses: UnsafeMutablePointer<Bus>
  private let memory: AudioBuffer

  @unsafe
  struct PlannedStep: BitwiseCopyable {
    let kernel: UnsafeMutableRawPointer
    let function: RenderStep.Function
    var block: RenderBlock
  }

  /// What one step reads and writes, by the plan's own bus numbers.
  struct Wiring {
    let unit: any ProcessingUnit
    let inputs: [Int]
    let outputs: [Int]
  }

  init(_ wirings: [Wiring], busChannelCounts: [Int], head: Int) {
    memory = AudioBuffer(channelCount: max(1, busChannelCounts.reduce(0, +)))
    units = wirings.map(\.unit)
    stepCount = wirings.count
    let all = memory.bus.split(busChannelCounts)
    output = all[head]
    let numbers = wirings.flatMap { $0.inputs + $0.outputs }
    unsafe buses = .allocate(capacity: max(1, numbers.count))
    for (place, number) in numbers.enumerated() {
      unsafe (buses + place).initialize(to: all[number])
    }
    unsafe steps = .allocate(capacity: max(1, stepCount))
    var place = 0
    for (index, wiring) in wirings.enumerated() {
      let step = wiring.unit.step
      let block = unsafe RenderBlock(
        buses: buses + place, inputCount: wiring.inputs.count, outputCount: wiring.outputs.count)
      let planned = unsafe PlannedStep(
        kernel: step.kernel, function: step.function, block: block)
      unsafe (steps + index).initialize(to: planned)
      place += wiring.inputs.count + wiring.outputs.count
    }
  }

  deinit {
    unsafe steps.deallocate()
    unsafe buses.deallocate()
  }

  /// Renders one quantum into `output`.
  ///
  /// - Parameter startFrame: the position of its first frame; the next call's is
  ///   `AudioFormat.quantum` later.
  /// - Note: Real-time safe.
  /// - Complexity: O(n) in the number of units.
  @_noAllocation @_noLocks
  public func render(startFrame: Int64) {
    for index in 0..<stepCount {
      let step = unsafe steps + index
      unsafe step.pointee.block.startFrame = startFrame
      // Vouched for: every kernel is checked on its own, and a call through a pointer neither
      // allocates nor locks.
      unsafe _unsafePerformance {
        unsafe step.pointee.function(step.pointee.kernel, &step.pointee.block)
      }
    }
  }
}
