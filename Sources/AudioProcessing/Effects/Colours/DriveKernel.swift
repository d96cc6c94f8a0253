// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime

/// The render side of an overdrive or distortion.
///
/// The curve is applied at four times the rate.
@safe
struct DriveKernel: ~Copyable {
  private let bank: ParameterBank
  private let kind: DriveUnit.Kind
  private let framesPerSecond: Double
  private let bus = OversampledBus(channelCount: 2)
  private var drive = GainCurve()
  private var level = GainCurve()
  private var filter = Biquad(kind: 3, angle: 0.1, decibels: 0, quality: 0.7)
  private var hertz: Float = -1
  private var memories = (SIMD2<Double>.zero, SIMD2<Double>.zero)
  /// The DC offset that the asymmetric curve adds; it is subtracted.
  private var offset = SIMD2<Float>.zero
  private let share: Float

  private enum Place: Int { case drive, tone, output, mix }

  init(_ kind: DriveUnit.Kind, rate: SampleRate, bank: ParameterBank) {
    self.bank = bank
    self.kind = kind
    framesPerSecond = Double(rate.hertz)
    share = min(1, 60 / Float(rate.hertz))
  }

  deinit {
    bus.deallocate()
    drive.deallocate()
    level.deallocate()
  }

  static let function: RenderStep.Function = { kernel, block in
    unsafe kernel.assumingMemoryBound(to: DriveKernel.self).pointee.render(
      block.assumingMemoryBound(to: RenderBlock.self).pointee)
  }

  static let clearing: RenderStep.Clearing = { kernel in
    unsafe kernel.assumingMemoryBound(to: DriveKernel.self).pointee.clear()
  }

  @_noAllocation @_noLocks
  private mutating func clear() {
    bus.clear()
    memories = (.zero, .zero)
    offset = .zero
  }

  @_noAllocation @_noLocks
  private mutating func render(_ block: RenderBlock) {
    _ = bank.advance(startFrame: block.start.frames)
    unsafe drive.fill(bank.curve(Place.drive.rawValue))
    unsafe level.fill(bank.curve(Place.output.rawValue))
    aim()
    let (input, output) = (block.input(0), block.output(0))
    for side in 0..<2 {
      unsafe bend(bus.oversampler(side), input.channel(side), output.channel(side))
    }
    let mix = unsafe bank.curve(Place.mix.rawValue)
    for frame in 0..<AudioFormat.quantum {
      let bent = unsafe SIMD2(output.channel(0)[frame], output.channel(1)[frame])
      offset += (bent - offset) * share
      let even = bent - offset
      let toned = SIMD2(filter.next(even.x, &memories.0), filter.next(even.y, &memories.1))
      let dry = unsafe SIMD2(
        bus.delayed(input.channel(0)[frame], 0), bus.delayed(input.channel(1)[frame], 1))
      let sound = unsafe dry + (toned * level.factors[frame] - dry) * mix[frame]
      unsafe output.channel(0)[frame] = sound.x
      unsafe output.channel(1)[frame] = sound.y
    }
  }

  @_noAllocation @_noLocks
  private mutating func aim() {
    let tone = bank.value(Place.tone.rawValue)
    guard tone != hertz else { return }
    hertz = tone
    let angle = 2 * Double.pi * min(0.45, Double(tone) / framesPerSecond)
    filter = Biquad(kind: 3, angle: angle, decibels: 0, quality: 0.70710678)
  }

  @_noAllocation @_noLocks
  private func bend(
    _ oversampler: Oversampler, _ input: UnsafePointer<Float>,
    _ output: UnsafeMutablePointer<Float>
  ) {
    unsafe oversampler.spread(input)
    for row in 0..<Oversampler.factor { unsafe bend(oversampler.row(row)) }
    unsafe oversampler.gather(into: output)
  }

  @_noAllocation @_noLocks
  private func bend(_ samples: UnsafeMutablePointer<Float>) {
    let row = unsafe SampleLoop.lanes(samples)
    let factors = unsafe SampleLoop.lanes(drive.factors)
    for lane in 0..<SampleLoop.laneCount {
      let factor = unsafe factors[lane]
      switch kind {
      case .overdrive: unsafe row[lane] = Self.soft(row[lane] * factor) / Self.soft(factor)
      case .distortion: unsafe row[lane] = Self.hard(row[lane] * factor) / Self.hard(factor)
      }
    }
  }

  /// The curve of a tube: a hyperbolic tangent about an offset point, so that one half of the wave
  /// bends earlier.
  @inline(__always) @_noAllocation @_noLocks
  private static func soft(_ value: SampleLoop.Lane) -> SampleLoop.Lane {
    let bias = SampleLoop.Lane(repeating: 0.4)
    return tangent(value + bias) - tangent(bias)
  }

  @inline(__always) @_noAllocation @_noLocks
  private static func tangent(_ value: SampleLoop.Lane) -> SampleLoop.Lane {
    let held = SampleLoop.bounded(value, 3)
    let square = held * held
    return held * (27 + square) / (27 + 9 * square)
  }

  /// The curve of two diodes: a cubic that is horizontal at 1.
  @inline(__always) @_noAllocation @_noLocks
  private static func hard(_ value: SampleLoop.Lane) -> SampleLoop.Lane {
    let held = SampleLoop.bounded(value, 1.5)
    return held - held * held * held * (4.0 / 27)
  }
}
