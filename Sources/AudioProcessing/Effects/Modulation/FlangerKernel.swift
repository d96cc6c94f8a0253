// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime

/// The render side of a flanger: one voice on each side, read at a moving position.
@safe
struct FlangerKernel: ~Copyable {
  private let bank: ParameterBank
  private let framesPerSecond: Float
  private var left: GlidingLine
  private var right: GlidingLine
  private var oscillator = SlowOscillator()
  /// The progress of the current step, 0..<1, and the values that it holds.
  private var stepPlace: Float = 0
  private var held = SIMD2<Float>.zero
  /// The smoothed values of the sweep.
  private var waves = SIMD2<Float>.zero
  /// The smoothing coefficient of a frame, for a time constant of 2 ms.
  private let share: Float

  private enum Place: Int { case rate, depth, delay, feedback, spread, stepRate, mix }

  init(rate: SampleRate, bank: ParameterBank) {
    self.bank = bank
    framesPerSecond = Float(rate.hertz)
    let longest = Int(FlangerUnit.longestSeconds * Double(rate.hertz)) + 4
    left = GlidingLine(longest: longest)
    right = GlidingLine(longest: longest)
    share = min(1, 500 / framesPerSecond)
  }

  deinit {
    left.deallocate()
    right.deallocate()
  }

  static let function: RenderStep.Function = { kernel, block in
    unsafe kernel.assumingMemoryBound(to: FlangerKernel.self).pointee.render(
      block.assumingMemoryBound(to: RenderBlock.self).pointee)
  }

  static let clearing: RenderStep.Clearing = { kernel in
    unsafe kernel.assumingMemoryBound(to: FlangerKernel.self).pointee.clear()
  }

  @_noAllocation @_noLocks
  private mutating func clear() {
    left.clear()
    right.clear()
    oscillator = SlowOscillator()
    (stepPlace, held, waves) = (0, .zero, .zero)
  }

  @_noAllocation @_noLocks
  private mutating func render(_ block: RenderBlock) {
    _ = bank.advance(startFrame: block.start.frames)
    oscillator.aim(
      hertz: Double(bank.value(Place.rate.rawValue)), framesPerSecond: Double(framesPerSecond))
    let angle = Double.pi * Double(bank.value(Place.spread.rawValue))
    let turn = (Float(SampleMath.cosine(angle)), Float(SampleMath.sine(angle)))
    let step = bank.value(Place.stepRate.rawValue) / framesPerSecond
    let depth = unsafe bank.curve(Place.depth.rawValue)
    let delay = unsafe bank.curve(Place.delay.rawValue)
    let feedback = unsafe bank.curve(Place.feedback.rawValue)
    let mix = unsafe bank.curve(Place.mix.rawValue)
    let (input, output) = (block.input(0), block.output(0))
    for frame in 0..<AudioFormat.quantum {
      oscillator.turn()
      move(SIMD2(oscillator.sine, oscillator.sine * turn.0 + oscillator.cosine * turn.1), step)
      let places = unsafe (delay[frame] + depth[frame] * waves) * framesPerSecond
      let voices = SIMD2(left.read(places.x), right.read(places.y))
      let dry = unsafe SIMD2(input.channel(0)[frame], input.channel(1)[frame])
      let fresh = unsafe dry + feedback[frame] * voices
      left.write(fresh.x)
      right.write(fresh.y)
      let sound = unsafe dry + (voices - dry) * mix[frame]
      unsafe output.channel(0)[frame] = sound.x
      unsafe output.channel(1)[frame] = sound.y
    }
  }

  /// Follows the oscillator, or its values at the start of the current step.
  @_noAllocation @_noLocks
  private mutating func move(_ now: SIMD2<Float>, _ step: Float) {
    if step <= 0 {
      held = now
    } else {
      stepPlace += step
      if stepPlace >= 1 {
        stepPlace -= 1
        held = now
      }
    }
    waves += (held - waves) * share
  }
}
