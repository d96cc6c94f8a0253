// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime

/// The render side of an enhancer: adds overtones of the sound above a frequency.
@safe
struct EnhancerKernel: ~Copyable {
  private let bank: ParameterBank
  private let framesPerSecond: Double
  private let bus = OversampledBus(channelCount: 2)
  private var drive = GainCurve()
  private var before = Biquad(kind: 4, angle: 0.1, decibels: 0, quality: 0.7)
  private var hertz: Float = -1
  private var memories = (SIMD2<Double>.zero, SIMD2<Double>.zero)
  private var after = (SIMD2<Double>.zero, SIMD2<Double>.zero)
  private let high: AudioBuffer

  private enum Place: Int { case frequency, drive, mix }

  init(rate: SampleRate, bank: ParameterBank) {
    self.bank = bank
    framesPerSecond = Double(rate.hertz)
    high = AudioBuffer(channelCount: 2)
  }

  deinit {
    bus.deallocate()
    drive.deallocate()
  }

  static let function: RenderStep.Function = { kernel, block in
    unsafe kernel.assumingMemoryBound(to: EnhancerKernel.self).pointee.render(
      block.assumingMemoryBound(to: RenderBlock.self).pointee)
  }

  static let clearing: RenderStep.Clearing = { kernel in
    unsafe kernel.assumingMemoryBound(to: EnhancerKernel.self).pointee.clear()
  }

  @_noAllocation @_noLocks
  private mutating func clear() {
    bus.clear()
    memories = (.zero, .zero)
    after = (.zero, .zero)
  }

  @_noAllocation @_noLocks
  private mutating func render(_ block: RenderBlock) {
    _ = bank.advance(startFrame: block.start.frames)
    unsafe drive.fill(bank.curve(Place.drive.rawValue))
    aim()
    let (input, output) = (block.input(0), block.output(0))
    for frame in 0..<AudioFormat.quantum {
      let factor = unsafe drive.factors[frame]
      let first = unsafe before.next(input.channel(0)[frame], &memories.0)
      let second = unsafe before.next(input.channel(1)[frame], &memories.1)
      unsafe high.bus.channel(0)[frame] = first * factor
      unsafe high.bus.channel(1)[frame] = second * factor
    }
    for side in 0..<2 { unsafe bend(bus.oversampler(side), high.bus.channel(side)) }
    let mix = unsafe bank.curve(Place.mix.rawValue)
    for frame in 0..<AudioFormat.quantum {
      let one = unsafe before.next(high.bus.channel(0)[frame], &after.0)
      let other = unsafe before.next(high.bus.channel(1)[frame], &after.1)
      let dry = unsafe SIMD2(
        bus.delayed(input.channel(0)[frame], 0), bus.delayed(input.channel(1)[frame], 1))
      unsafe output.channel(0)[frame] = dry.x + one * mix[frame]
      unsafe output.channel(1)[frame] = dry.y + other * mix[frame]
    }
  }

  @_noAllocation @_noLocks
  private mutating func aim() {
    let frequency = bank.value(Place.frequency.rawValue)
    guard frequency != hertz else { return }
    hertz = frequency
    let angle = 2 * Double.pi * min(0.45, Double(frequency) / framesPerSecond)
    before = Biquad(kind: 4, angle: angle, decibels: 0, quality: 0.70710678)
  }

  /// Adds the second and third harmonics.
  @_noAllocation @_noLocks
  private func bend(_ oversampler: Oversampler, _ samples: UnsafeMutablePointer<Float>) {
    unsafe oversampler.spread(samples)
    for number in 0..<Oversampler.factor {
      let row = unsafe SampleLoop.lanes(oversampler.row(number))
      for lane in 0..<SampleLoop.laneCount {
        let held = unsafe SampleLoop.bounded(row[lane], 1)
        // The square gives the second harmonic, the cube the third.
        unsafe row[lane] = held * held * (0.6 + 0.4 * held)
      }
    }
    unsafe oversampler.gather(into: samples)
  }
}
