// SPDX-License-Identifier: Apache-2.0

/// The render side of a graph inside a graph: copies the inputs to the inlets, renders, and copies
/// the output.
@safe
struct SubgraphKernel: ~Copyable {
  private let plan: Unmanaged<RenderPlan>
  private let output: Bus
  private let inlets: UnsafeMutablePointer<Bus>

  /// Creates a kernel; the caller retains the plan and the inlets.
  init(_ plan: RenderPlan, inlets buses: [Bus]) {
    unsafe self.plan = Unmanaged.passUnretained(plan)
    output = plan.output
    unsafe inlets = .allocate(capacity: max(1, buses.count))
    for (index, bus) in buses.enumerated() { unsafe (inlets + index).initialize(to: bus) }
  }

  deinit {
    unsafe inlets.deallocate()
  }

  static let function: RenderStep.Function = { kernel, block in
    unsafe kernel.assumingMemoryBound(to: SubgraphKernel.self).pointee.render(
      block.assumingMemoryBound(to: RenderBlock.self).pointee)
  }

  @_noAllocation @_noLocks
  private func render(_ block: RenderBlock) {
    for index in 0..<block.inputCount { unsafe inlets[index].copy(block.input(index)) }
    let start = block.start
    unsafe plan._withUnsafeGuaranteedRef { $0.render(at: start) }
    block.output(0).copy(output)
  }
}

/// The render side of an inlet: outputs the sound from the outer graph.
struct InletKernel: ~Copyable {
  private let source: Bus

  init(_ source: Bus) {
    self.source = source
  }

  static let function: RenderStep.Function = { kernel, block in
    unsafe kernel.assumingMemoryBound(to: InletKernel.self).pointee.render(
      block.assumingMemoryBound(to: RenderBlock.self).pointee)
  }

  @_noAllocation @_noLocks
  private func render(_ block: RenderBlock) {
    block.output(0).copy(source)
  }
}
