// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime

/// The render side of a tremolo: two gains that oscillate.
@safe
struct TremoloKernel: ~Copyable {
  private let bank: ParameterBank
  private let framesPerSecond: Double
  private var phase = 0.0
  private var gains = SIMD2<Float>(1, 1)
  /// The smoothing coefficient of a frame, for a time constant of 1 ms, so that a square wave does
  /// not click.
  private let share: Float

  private enum Place: Int { case rate, depth, wave, spread }

  init(rate: SampleRate, bank: ParameterBank) {
    self.bank = bank
    framesPerSecond = Double(rate.hertz)
    share = min(1, 1000 / Float(rate.hertz))
  }

  static let function: RenderStep.Function = { kernel, block in
    unsafe kernel.assumingMemoryBound(to: TremoloKernel.self).pointee.render(
      block.assumingMemoryBound(to: RenderBlock.self).pointee)
  }

  static let clearing: RenderStep.Clearing = { kernel in
    unsafe kernel.assumingMemoryBound(to: TremoloKernel.self).pointee.clear()
  }

  @_noAllocation @_noLocks
  private mutating func clear() {
    phase = 0
    gains = SIMD2(1, 1)
  }

  @_noAllocation @_noLocks
  private mutating func render(_ block: RenderBlock) {
    _ = bank.advance(startFrame: block.start.frames)
    let step = Double(bank.value(Place.rate.rawValue)) / framesPerSecond
    let wave = Int(bank.value(Place.wave.rawValue) + 0.5)
    let spread = Double(bank.value(Place.spread.rawValue)) / 2
    let depth = unsafe bank.curve(Place.depth.rawValue)
    let (input, output) = (block.input(0), block.output(0))
    for frame in 0..<AudioFormat.quantum {
      phase += step
      if phase >= 1 { phase -= 1 }
      let waves = SIMD2(Self.value(wave, phase), Self.value(wave, phase + spread))
      let swing: SIMD2<Float> = unsafe depth[frame] * (1 - waves)
      let goal: SIMD2<Float> = 1 - swing * 0.5
      gains += (goal - gains) * share
      unsafe output.channel(0)[frame] = input.channel(0)[frame] * gains.x
      unsafe output.channel(1)[frame] = input.channel(1)[frame] * gains.y
    }
  }

  /// The value of a wave, −1…1, at a phase of 0..<2 cycles.
  @_noAllocation @_noLocks
  private static func value(_ wave: Int, _ phase: Double) -> Float {
    let place = Float(phase >= 1 ? phase - 1 : phase)
    switch wave {
    case 0: return place < 0.5 ? 4 * place - 1 : 3 - 4 * place
    case 1: return place < 0.5 ? 1 : -1
    case 2: return Float(SampleMath.sine(2 * Double.pi * Double(place)))
    case 3: return 2 * place - 1
    default: return 1 - 2 * place
    }
  }
}
