// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime

/// The render side of a panner.
@safe
struct PannerKernel: ~Copyable {
  private let law: UInt8
  private let bank: ParameterBank
  private let curves: UnsafeMutablePointer<Float>

  init(law: PanLaw, bank: ParameterBank) {
    self.law = law.rawValue
    self.bank = bank
    unsafe curves = SampleLoop.allocate(channelCount: 2)
  }

  deinit {
    unsafe curves.deallocate()
  }

  static let function: RenderStep.Function = { kernel, block in
    unsafe kernel.assumingMemoryBound(to: PannerKernel.self).pointee.render(
      block.assumingMemoryBound(to: RenderBlock.self).pointee)
  }

  @_noAllocation @_noLocks
  private mutating func render(_ block: RenderBlock) {
    let input = block.input(0)
    let output = block.output(0)
    let left = unsafe input.channel(0)
    let right = unsafe input.channel(input.channelCount &- 1)
    if bank.advance(startFrame: block.start.frames) {
      fillCurves()
      unsafe SampleLoop.scale(left, by: curves, into: output.channel(0))
      unsafe SampleLoop.scale(right, by: curves + AudioFormat.quantum, into: output.channel(1))
    } else {
      let gains = PanLaw(code: law).gains(at: bank.value(0))
      let gain = bank.value(1)
      unsafe SampleLoop.scale(left, by: gain * gains.left, into: output.channel(0))
      unsafe SampleLoop.scale(right, by: gain * gains.right, into: output.channel(1))
    }
  }

  @_noAllocation @_noLocks
  private func fillCurves() {
    let pan = unsafe bank.curve(0)
    let gain = unsafe bank.curve(1)
    for frame in 0..<AudioFormat.quantum {
      let gains = unsafe PanLaw(code: law).gains(at: pan[frame])
      unsafe curves[frame] = gain[frame] * gains.left
      unsafe curves[AudioFormat.quantum &+ frame] = gain[frame] * gains.right
    }
  }
}
