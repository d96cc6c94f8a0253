// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime

/// The render side of a delay with one line and four taps.
@safe
struct TapDelayKernel: ~Copyable {
  private let bank: ParameterBank
  private let framesPerSecond: Float
  private var line: GlidingLine
  private var heard: Float = 0
  private var filtered: Float = 0

  private enum Place: Int { case feedback = 12, damping, lowPass, mix }

  init(rate: SampleRate, bank: ParameterBank, in shared: SharedSamples?) {
    self.bank = bank
    framesPerSecond = Float(rate.hertz)
    line = GlidingLine(longest: TapDelayUnit.longest(rate), in: shared)
  }

  deinit { line.deallocate() }

  static let function: RenderStep.Function = { kernel, block in
    unsafe kernel.assumingMemoryBound(to: TapDelayKernel.self).pointee.render(
      block.assumingMemoryBound(to: RenderBlock.self).pointee)
  }

  static let clearing: RenderStep.Clearing = { kernel in
    unsafe kernel.assumingMemoryBound(to: TapDelayKernel.self).pointee.clear()
  }

  @_noAllocation @_noLocks
  private mutating func clear() {
    line.clear()
    (heard, filtered) = (0, 0)
  }

  @_noAllocation @_noLocks
  private mutating func render(_ block: RenderBlock) {
    _ = bank.advance(startFrame: block.start.frames)
    let (input, output) = (block.input(0), block.output(0))
    let mix = unsafe bank.curve(Place.mix.rawValue)
    let feedback = unsafe bank.curve(Place.feedback.rawValue)
    let first = unsafe bank.curve(0)
    let share = pole(bank.value(Place.damping.rawValue))
    let inward = pole(bank.value(Place.lowPass.rawValue))
    // A tap may be only one or two frames long, so each frame is written before the next is read.
    for frame in 0..<AudioFormat.quantum {
      let dry = unsafe SIMD2(input.channel(0)[frame], input.channel(1)[frame])
      heard += ((dry.x + dry.y) * 0.5 - heard) * inward
      let back = unsafe line.read(first[frame] * framesPerSecond)
      filtered += (back - filtered) * share
      let wet = taps(frame)
      unsafe line.write(heard + feedback[frame] * filtered)
      let sound = unsafe dry + (wet - dry) * mix[frame]
      unsafe output.channel(0)[frame] = sound.x
      unsafe output.channel(1)[frame] = sound.y
    }
  }

  /// The sum of the audible taps.
  @inline(__always) @_noAllocation @_noLocks
  private func taps(_ frame: Int) -> SIMD2<Float> {
    var sum = SIMD2<Float>.zero
    for tap in 0..<4 {
      let place = tap &* 3
      if bank.value(place &+ 1) == 0, !bank.isMoving(place &+ 1) { continue }
      let level = value(place &+ 1, frame)
      let pan = value(place &+ 2, frame)
      let sound = line.read(value(place, frame) * framesPerSecond) * level
      sum += sound * SIMD2(min(1, 1 - pan), min(1, 1 + pan))
    }
    return sum
  }

  @inline(__always) @_noAllocation @_noLocks
  private func value(_ index: Int, _ frame: Int) -> Float {
    bank.isMoving(index) ? unsafe bank.curve(index)[frame] : bank.value(index)
  }

  /// The coefficient of a one-pole low-pass; 1 from 20 kHz, which is off.
  @_noAllocation @_noLocks
  private func pole(_ hertz: Float) -> Float {
    guard hertz < 20_000 else { return 1 }
    let angle = 2 * Double.pi * Double(hertz / framesPerSecond)
    return Float(1 - SampleMath.power(2.718281828459045, -angle))
  }
}
