// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime

/// The render side of a phaser: first-order all-pass filters in series.
///
/// The coefficient is computed every 16 frames and interpolated linearly between.
@safe
struct PhaserKernel: ~Copyable {
  private let bank: ParameterBank
  private let framesPerSecond: Double
  private let stageCount: Int
  /// The state of each stage, left and right.
  private let memories: UnsafeMutablePointer<SIMD2<Float>>
  private var oscillator = SlowOscillator()
  private var coefficient = SIMD2<Float>.zero
  private var back = SIMD2<Float>.zero
  private var isFresh = true

  private enum Place: Int { case rate, depth, frequency, resonance, spread, mix }

  /// The widest sweep in octaves, up and down.
  private static var octaves: Double {
    @_noAllocation @_noLocks
    get { 2 }
  }

  private static var stride: Int {
    @_noAllocation @_noLocks
    get { 16 }
  }

  init(stageCount: Int, rate: SampleRate, bank: ParameterBank) {
    self.bank = bank
    self.stageCount = stageCount
    framesPerSecond = Double(rate.hertz)
    unsafe memories = .allocate(capacity: stageCount)
    unsafe memories.initialize(repeating: .zero, count: stageCount)
  }

  deinit { unsafe memories.deallocate() }

  static let function: RenderStep.Function = { kernel, block in
    unsafe kernel.assumingMemoryBound(to: PhaserKernel.self).pointee.render(
      block.assumingMemoryBound(to: RenderBlock.self).pointee)
  }

  static let clearing: RenderStep.Clearing = { kernel in
    unsafe kernel.assumingMemoryBound(to: PhaserKernel.self).pointee.clear()
  }

  @_noAllocation @_noLocks
  private mutating func clear() {
    unsafe memories.update(repeating: .zero, count: stageCount)
    oscillator = SlowOscillator()
    back = .zero
    isFresh = true
  }

  @_noAllocation @_noLocks
  private mutating func render(_ block: RenderBlock) {
    _ = bank.advance(startFrame: block.start.frames)
    oscillator.aim(
      hertz: Double(bank.value(Place.rate.rawValue)), framesPerSecond: framesPerSecond)
    let angle = Double.pi * Double(bank.value(Place.spread.rawValue))
    let turn = (SampleMath.cosine(angle), SampleMath.sine(angle))
    var start = 0
    while start < AudioFormat.quantum {
      for _ in 0..<Self.stride { oscillator.turn() }
      let wave = Double(oscillator.sine)
      let other = wave * turn.0 + Double(oscillator.cosine) * turn.1
      let goal = SIMD2(aim(wave), aim(other))
      if isFresh { coefficient = goal }
      isFresh = false
      run(block, start, goal)
      start &+= Self.stride
    }
  }

  /// The coefficient for a phase shift of 90° at the centre frequency, moved by a wave of −1…1.
  @_noAllocation @_noLocks
  private func aim(_ wave: Double) -> Float {
    let octaves = Self.octaves * Double(bank.value(Place.depth.rawValue)) * wave
    let hertz = Double(bank.value(Place.frequency.rawValue)) * SampleMath.power(2, octaves)
    let angle = Double.pi * min(0.45, max(0.0002, hertz / framesPerSecond))
    let tangent = SampleMath.sine(angle) / SampleMath.cosine(angle)
    return Float((tangent - 1) / (tangent + 1))
  }

  @_noAllocation @_noLocks
  private mutating func run(_ block: RenderBlock, _ start: Int, _ goal: SIMD2<Float>) {
    let rise = (goal - coefficient) / Float(Self.stride)
    let resonance = unsafe bank.curve(Place.resonance.rawValue)
    let mix = unsafe bank.curve(Place.mix.rawValue)
    let (input, output) = (block.input(0), block.output(0))
    for frame in start..<start &+ Self.stride {
      coefficient += rise
      let dry = unsafe SIMD2(input.channel(0)[frame], input.channel(1)[frame])
      var sound = unsafe dry + resonance[frame] * back
      for stage in 0..<stageCount {
        let passed = unsafe coefficient * sound + memories[stage]
        unsafe memories[stage] = sound - coefficient * passed
        sound = passed
      }
      back = sound
      let mixed = unsafe dry + (sound - dry) * mix[frame]
      unsafe output.channel(0)[frame] = mixed.x
      unsafe output.channel(1)[frame] = mixed.y
    }
    coefficient = goal
  }
}
