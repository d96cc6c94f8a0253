// SPDX-License-Identifier: Apache-2.0

/// The render side of an alignment.
@safe
struct AlignmentKernel: ~Copyable {
  private let history: UnsafeMutablePointer<HistoryKernel>
  /// The delay of each output, in frames.
  private let delays: UnsafeMutablePointer<Int>

  init(_ history: UnsafeMutablePointer<HistoryKernel>, _ delays: [Int]) {
    unsafe self.history = history
    unsafe self.delays = .allocate(capacity: delays.count)
    for (index, delay) in delays.enumerated() {
      unsafe (self.delays + index).initialize(to: delay)
    }
  }

  deinit {
    unsafe delays.deallocate()
  }

  static let function: RenderStep.Function = { kernel, block in
    unsafe kernel.assumingMemoryBound(to: AlignmentKernel.self).pointee.render(
      block.assumingMemoryBound(to: RenderBlock.self).pointee)
  }

  @_noAllocation @_noLocks
  private func render(_ block: RenderBlock) {
    unsafe history.pointee.write(block.input(0), at: block.start)
    for index in 0..<block.outputCount {
      unsafe history.pointee.read(delays[index], into: block.output(index))
    }
  }
}
