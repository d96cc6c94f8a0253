// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime

/// The render side of a channel converter.
struct ChannelConverterKernel: ~Copyable {
  private let bank: ParameterBank

  init(bank: ParameterBank) {
    self.bank = bank
  }

  static let function: RenderStep.Function = { kernel, block in
    unsafe kernel.assumingMemoryBound(to: ChannelConverterKernel.self).pointee.render(
      block.assumingMemoryBound(to: RenderBlock.self).pointee)
  }

  @_noAllocation @_noLocks
  private mutating func render(_ block: RenderBlock) {
    _ = bank.advance(startFrame: block.start.frames)
    let input = block.input(0)
    let output = block.output(0)
    output.clear()
    for target in 0..<output.channelCount {
      for source in 0..<input.channelCount {
        let number = target &* input.channelCount &+ source
        let samples = unsafe input.channel(source)
        if bank.isMoving(number) {
          unsafe _ = SampleLoop.add(samples, times: bank.curve(number), to: output.channel(target))
        } else if bank.value(number) != 0 {
          unsafe _ = SampleLoop.add(samples, times: bank.value(number), to: output.channel(target))
        }
      }
    }
  }
}
