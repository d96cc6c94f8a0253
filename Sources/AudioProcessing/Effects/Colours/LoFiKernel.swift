// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime

/// The render side of a lo-fi effect: fewer samples, fewer bits, less treble.
@safe
struct LoFiKernel: ~Copyable {
  private let bank: ParameterBank
  private let framesPerSecond: Double
  private var place: Float = 1
  private var held = SIMD2<Float>.zero
  private var filter = Biquad(kind: 3, angle: 0.1, decibels: 0, quality: 0.7)
  private var hertz: Float = -1
  private var memories = (SIMD2<Double>.zero, SIMD2<Double>.zero)

  private enum Place: Int { case rate, bits, tone, mix }

  init(rate: SampleRate, bank: ParameterBank) {
    self.bank = bank
    framesPerSecond = Double(rate.hertz)
  }

  static let function: RenderStep.Function = { kernel, block in
    unsafe kernel.assumingMemoryBound(to: LoFiKernel.self).pointee.render(
      block.assumingMemoryBound(to: RenderBlock.self).pointee)
  }

  static let clearing: RenderStep.Clearing = { kernel in
    unsafe kernel.assumingMemoryBound(to: LoFiKernel.self).pointee.clear()
  }

  @_noAllocation @_noLocks
  private mutating func clear() {
    held = .zero
    place = 1
    memories = (.zero, .zero)
  }

  /// Rounds to the nearest whole number: near 1.5 × 2^52, doubles do not have fractions.
  @inline(__always) @_noAllocation @_noLocks
  private static func whole(_ value: Float) -> Float {
    Float(Double(value) + 6_755_399_441_055_744 - 6_755_399_441_055_744)
  }

  @_noAllocation @_noLocks
  private mutating func render(_ block: RenderBlock) {
    _ = bank.advance(startFrame: block.start.frames)
    let step = min(1, bank.value(Place.rate.rawValue) / Float(framesPerSecond))
    let scale = Float(SampleMath.power(2, Double(bank.value(Place.bits.rawValue)) - 1))
    let tone = bank.value(Place.tone.rawValue)
    if tone != hertz {
      hertz = tone
      let angle = 2 * Double.pi * min(0.45, Double(tone) / framesPerSecond)
      filter = Biquad(kind: 3, angle: angle, decibels: 0, quality: 0.70710678)
    }
    let mix = unsafe bank.curve(Place.mix.rawValue)
    let (input, output) = (block.input(0), block.output(0))
    for frame in 0..<AudioFormat.quantum {
      let dry = unsafe SIMD2(input.channel(0)[frame], input.channel(1)[frame])
      place += step
      if place >= 1 {
        place -= 1
        held = SIMD2(Self.whole(dry.x * scale), Self.whole(dry.y * scale)) / scale
      }
      let wet = SIMD2(filter.next(held.x, &memories.0), filter.next(held.y, &memories.1))
      let sound = unsafe dry + (wet - dry) * mix[frame]
      unsafe output.channel(0)[frame] = sound.x
      unsafe output.channel(1)[frame] = sound.y
    }
  }
}
