// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime

/// The render side of a delay with separate times for left and right.
@safe
struct CrossDelayKernel: ~Copyable {
  private let bank: ParameterBank
  private let framesPerSecond: Float
  private var left: GlidingLine
  private var right: GlidingLine
  private var oscillator = SlowOscillator()
  private var filtered = SIMD2<Float>.zero
  private var share: Float = 1
  private var hertz: Float = -1

  private enum Place: Int {
    case left, right, feedback, cross, damping, rate, depth, leftLevel, rightLevel, mix
  }

  init(rate: SampleRate, bank: ParameterBank, in shared: SharedSamples?) {
    self.bank = bank
    framesPerSecond = Float(rate.hertz)
    let longest = CrossDelayUnit.longest(rate)
    left = GlidingLine(longest: longest, in: shared)
    right = GlidingLine(
      longest: longest, in: shared, from: GlidingLine.capacity(longest: longest))
  }

  deinit {
    left.deallocate()
    right.deallocate()
  }

  static let function: RenderStep.Function = { kernel, block in
    unsafe kernel.assumingMemoryBound(to: CrossDelayKernel.self).pointee.render(
      block.assumingMemoryBound(to: RenderBlock.self).pointee)
  }

  static let clearing: RenderStep.Clearing = { kernel in
    unsafe kernel.assumingMemoryBound(to: CrossDelayKernel.self).pointee.clear()
  }

  @_noAllocation @_noLocks
  private mutating func clear() {
    left.clear()
    right.clear()
    filtered = .zero
    oscillator = SlowOscillator()
  }

  @_noAllocation @_noLocks
  private mutating func render(_ block: RenderBlock) {
    _ = bank.advance(startFrame: block.start.frames)
    oscillator.aim(
      hertz: Double(bank.value(Place.rate.rawValue)), framesPerSecond: Double(framesPerSecond))
    aim()
    let levels = SIMD2(
      bank.value(Place.leftLevel.rawValue), bank.value(Place.rightLevel.rawValue))
    let times = unsafe (bank.curve(Place.left.rawValue), bank.curve(Place.right.rawValue))
    let depth = unsafe bank.curve(Place.depth.rawValue)
    let feedback = unsafe bank.curve(Place.feedback.rawValue)
    let cross = unsafe bank.curve(Place.cross.rawValue)
    let mix = unsafe bank.curve(Place.mix.rawValue)
    let (input, output) = (block.input(0), block.output(0))
    for frame in 0..<AudioFormat.quantum {
      oscillator.turn()
      let swing = unsafe depth[frame] * SIMD2(oscillator.sine, -oscillator.sine)
      let places = unsafe (SIMD2(times.0[frame], times.1[frame]) + swing) * framesPerSecond
      let echo = SIMD2(left.read(places.x), right.read(places.y))
      filtered += (echo - filtered) * share
      let other = SIMD2(filtered.y, filtered.x)
      let back = unsafe filtered + (other - filtered) * cross[frame]
      let dry = unsafe SIMD2(input.channel(0)[frame], input.channel(1)[frame])
      let fresh = unsafe dry + feedback[frame] * back
      left.write(fresh.x)
      right.write(fresh.y)
      let sound = unsafe dry + (echo * levels - dry) * mix[frame]
      unsafe output.channel(0)[frame] = sound.x
      unsafe output.channel(1)[frame] = sound.y
    }
  }

  /// Computes the coefficient of the low-pass; 1 from 20 kHz, which is off.
  @_noAllocation @_noLocks
  private mutating func aim() {
    let damping = bank.value(Place.damping.rawValue)
    guard damping != hertz else { return }
    hertz = damping
    let angle = 2 * Double.pi * Double(damping / framesPerSecond)
    share = damping >= 20_000 ? 1 : Float(1 - SampleMath.power(2.718281828459045, -angle))
  }
}
