// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime

/// The render side of the stereo tools.
@safe
struct StereoKernel: ~Copyable {
  private let turn: Double
  private let bank: ParameterBank
  private var filter = Biquad(kind: 4, angle: 0.01, decibels: 0, quality: 0.7)
  private var memory = SIMD2<Double>.zero
  private var hertz: Float = 0
  private var mid = GainCurve()
  private var side = GainCurve()

  private enum Place: Int { case width, mid, side, balance, monoBelow }

  /// Below this frequency, in hertz, the mono filter is off.
  private static var lowest: Float {
    @_noAllocation @_noLocks
    get { 1 }
  }

  init(rate: SampleRate, bank: ParameterBank) {
    self.bank = bank
    turn = 2 * .pi / Double(rate.hertz)
  }

  deinit {
    mid.deallocate()
    side.deallocate()
  }

  static let function: RenderStep.Function = { kernel, block in
    unsafe kernel.assumingMemoryBound(to: StereoKernel.self).pointee.render(
      block.assumingMemoryBound(to: RenderBlock.self).pointee)
  }

  @_noAllocation @_noLocks
  private mutating func render(_ block: RenderBlock) {
    let moves = bank.advance(startFrame: block.start.frames)
    let output = block.output(0)
    output.copy(block.input(0))
    guard moves || !isResting else { return }
    let width = unsafe bank.curve(Place.width.rawValue)
    unsafe mid.fill(bank.curve(Place.mid.rawValue))
    unsafe side.fill(bank.curve(Place.side.rawValue))
    let balance = unsafe bank.curve(Place.balance.rawValue)
    let below = unsafe bank.curve(Place.monoBelow.rawValue)
    let left = unsafe output.channel(0)
    let right = unsafe output.channel(1)
    for frame in 0..<AudioFormat.quantum {
      if unsafe below[frame] != hertz, unsafe frame & 7 == 0 || below[frame] < Self.lowest {
        aim(unsafe below[frame])
      }
      let common = unsafe 0.5 * (left[frame] + right[frame]) * mid.factors[frame]
      let own = unsafe 0.5 * (left[frame] - right[frame]) * side.factors[frame] * width[frame]
      let apart = hertz < Self.lowest ? own : filter.next(own, &memory)
      unsafe left[frame] = (common + apart) * min(1, 1 - balance[frame])
      unsafe right[frame] = (common - apart) * min(1, 1 + balance[frame])
    }
  }

  /// True if all parameters are neutral, so that the sound passes bit for bit.
  private var isResting: Bool {
    @_noAllocation @_noLocks
    get {
      bank.value(Place.width.rawValue) == 1 && bank.value(Place.mid.rawValue) == 0
        && bank.value(Place.side.rawValue) == 0 && bank.value(Place.balance.rawValue) == 0
        && bank.value(Place.monoBelow.rawValue) < Self.lowest
    }
  }

  @_noAllocation @_noLocks
  private mutating func aim(_ hertz: Float) {
    self.hertz = hertz
    guard hertz >= Self.lowest else {
      memory = .zero
      return
    }
    filter = Biquad(
      kind: 4, angle: turn * Double(hertz), decibels: 0, quality: 0.7071067811865476)
  }
}
