// SPDX-License-Identifier: Apache-2.0

/// The render side of a merger.
struct MergerKernel: ~Copyable {
  static let function: RenderStep.Function = { _, block in
    unsafe render(block.assumingMemoryBound(to: RenderBlock.self).pointee)
  }

  @_noAllocation @_noLocks
  private static func render(_ block: RenderBlock) {
    let output = block.output(0)
    var next = 0
    for index in 0..<block.inputCount {
      let input = block.input(index)
      for channel in 0..<input.channelCount {
        unsafe SampleLoop.copy(input.channel(channel), to: output.channel(next))
        next &+= 1
      }
    }
  }
}
