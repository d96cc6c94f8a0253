// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime

/// The render side of a saturation.
///
/// The curve is applied at four times the sample rate, so that its overtones do not fold back
/// (aliasing).
@safe
struct SaturationKernel: ~Copyable {
  private let channelCount: Int
  private let bank: ParameterBank
  private let bus: OversampledBus
  private var drive = GainCurve()
  private var level = GainCurve()

  private enum Place: Int { case drive, output, mix }

  init(channelCount: Int, bank: ParameterBank) {
    self.channelCount = channelCount
    self.bank = bank
    bus = OversampledBus(channelCount: channelCount)
  }

  deinit {
    bus.deallocate()
    drive.deallocate()
    level.deallocate()
  }

  static let function: RenderStep.Function = { kernel, block in
    unsafe kernel.assumingMemoryBound(to: SaturationKernel.self).pointee.render(
      block.assumingMemoryBound(to: RenderBlock.self).pointee)
  }

  @_noAllocation @_noLocks
  private mutating func render(_ block: RenderBlock) {
    _ = bank.advance(startFrame: block.start.frames)
    unsafe drive.fill(bank.curve(Place.drive.rawValue))
    unsafe level.fill(bank.curve(Place.output.rawValue))
    for channel in 0..<channelCount {
      let oversampler = bus.oversampler(channel)
      let output = unsafe block.output(0).channel(channel)
      unsafe oversampler.spread(block.input(0).channel(channel))
      for row in 0..<Oversampler.factor { unsafe bend(oversampler.row(row)) }
      unsafe oversampler.gather(into: output)
      unsafe mix(block.input(0).channel(channel), output, channel)
    }
  }

  /// Applies the curve to driven samples, scaled so that full scale remains full scale.
  @_noAllocation @_noLocks
  private func bend(_ samples: UnsafeMutablePointer<Float>) {
    let row = unsafe SampleLoop.lanes(samples)
    let factors = unsafe SampleLoop.lanes(drive.factors)
    for lane in 0..<SampleLoop.laneCount {
      let factor = unsafe factors[lane]
      unsafe row[lane] = Self.curve(row[lane] * factor) / Self.curve(factor)
    }
  }

  /// A hyperbolic tangent within 2.4 %, as a fraction that reaches 1 at 3 and is constant above.
  @inline(__always) @_noAllocation @_noLocks
  private static func curve(_ value: SampleLoop.Lane) -> SampleLoop.Lane {
    let held = SampleLoop.bounded(value, 3)
    let square = held * held
    return held * (27 + square) / (27 + 9 * square)
  }

  @_noAllocation @_noLocks
  private func mix(
    _ input: UnsafePointer<Float>, _ output: UnsafeMutablePointer<Float>, _ channel: Int
  ) {
    let mix = unsafe bank.curve(Place.mix.rawValue)
    for frame in 0..<AudioFormat.quantum {
      let dry = unsafe bus.delayed(input[frame], channel)
      let bent = unsafe output[frame] * level.factors[frame]
      unsafe output[frame] = dry * (1 - mix[frame]) + bent * mix[frame]
    }
  }
}
