// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime

/// The render side of a splitter.
struct SplitterKernel: ~Copyable {
  private let bank: ParameterBank

  init(bank: ParameterBank) {
    self.bank = bank
  }

  static let function: RenderStep.Function = { kernel, block in
    unsafe kernel.assumingMemoryBound(to: SplitterKernel.self).pointee.render(
      block.assumingMemoryBound(to: RenderBlock.self).pointee)
  }

  @_noAllocation @_noLocks
  private mutating func render(_ block: RenderBlock) {
    _ = bank.advance(startFrame: block.start.frames)
    let input = block.input(0)
    for index in 0..<block.outputCount {
      let output = block.output(index)
      for channel in 0..<output.channelCount {
        let source = unsafe input.channel(channel)
        if bank.isMoving(index) {
          unsafe SampleLoop.scale(source, by: bank.curve(index), into: output.channel(channel))
        } else {
          unsafe SampleLoop.scale(source, by: bank.value(index), into: output.channel(channel))
        }
      }
    }
  }
}
