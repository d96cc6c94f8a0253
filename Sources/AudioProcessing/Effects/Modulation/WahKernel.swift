// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime

/// The render side of a wah: a state-variable filter with trapezoidal integrators, which is stable
/// while it moves.
///
/// The coefficient is computed every 16 frames.
@safe
struct WahKernel: ~Copyable {
  private let bank: ParameterBank
  private let framesPerSecond: Double
  private var oscillator = SlowOscillator()
  private var level: Float = 0
  private let attack: Float
  private let release: Float
  private var tangent: Float = 0
  private var first = SIMD2<Float>.zero
  private var second = SIMD2<Float>.zero

  private enum Place: Int { case frequency, sensitivity, peak, rate, depth, direction, band, mix }

  /// The octaves by which a full-scale level moves the filter, and the oscillator's octaves up and
  /// down.
  private static var octaves: Double {
    @_noAllocation @_noLocks
    get { 4 }
  }

  private static var swing: Double {
    @_noAllocation @_noLocks
    get { 2 }
  }

  private static var stride: Int {
    @_noAllocation @_noLocks
    get { 16 }
  }

  init(rate: SampleRate, bank: ParameterBank) {
    self.bank = bank
    framesPerSecond = Double(rate.hertz)
    attack = min(1, 200 / Float(rate.hertz))
    release = min(1, 10 / Float(rate.hertz))
  }

  static let function: RenderStep.Function = { kernel, block in
    unsafe kernel.assumingMemoryBound(to: WahKernel.self).pointee.render(
      block.assumingMemoryBound(to: RenderBlock.self).pointee)
  }

  static let clearing: RenderStep.Clearing = { kernel in
    unsafe kernel.assumingMemoryBound(to: WahKernel.self).pointee.clear()
  }

  @_noAllocation @_noLocks
  private mutating func clear() {
    oscillator = SlowOscillator()
    (level, tangent) = (0, 0)
    (first, second) = (.zero, .zero)
  }

  @_noAllocation @_noLocks
  private mutating func render(_ block: RenderBlock) {
    _ = bank.advance(startFrame: block.start.frames)
    oscillator.aim(
      hertz: Double(bank.value(Place.rate.rawValue)), framesPerSecond: framesPerSecond)
    var start = 0
    while start < AudioFormat.quantum {
      follow(block.input(0), start)
      let goal = aim()
      if tangent == 0 { tangent = goal }
      run(block, start, goal)
      start &+= Self.stride
    }
    // Without this, NaN would remain in the filter forever.
    let size = abs(first.x) + abs(first.y) + abs(second.x) + abs(second.y)
    if !(size < 1e20) { (first, second) = (.zero, .zero) }
    if !(level < 1e20) { level = 0 }
  }

  @_noAllocation @_noLocks
  private mutating func follow(_ input: Bus, _ start: Int) {
    for frame in start..<start &+ Self.stride {
      oscillator.turn()
      let peak = unsafe max(abs(input.channel(0)[frame]), abs(input.channel(1)[frame]))
      level += (peak - level) * (peak > level ? attack : release)
    }
  }

  /// The tangent of half the angle of the current frequency.
  @_noAllocation @_noLocks
  private func aim() -> Float {
    let strength = Double(min(1, level)) * Double(bank.value(Place.sensitivity.rawValue))
    let octaves =
      Self.octaves * strength * Double(bank.value(Place.direction.rawValue))
      + Self.swing * Double(bank.value(Place.depth.rawValue) * oscillator.sine)
    let hertz = Double(bank.value(Place.frequency.rawValue)) * SampleMath.power(2, octaves)
    let angle = Double.pi * min(0.45, max(0.0005, hertz / framesPerSecond))
    return Float(SampleMath.sine(angle) / SampleMath.cosine(angle))
  }

  @_noAllocation @_noLocks
  private mutating func run(_ block: RenderBlock, _ start: Int, _ goal: Float) {
    let rise = (goal - tangent) / Float(Self.stride)
    let peak = unsafe bank.curve(Place.peak.rawValue)
    let band = unsafe bank.curve(Place.band.rawValue)
    let mix = unsafe bank.curve(Place.mix.rawValue)
    let (input, output) = (block.input(0), block.output(0))
    for frame in start..<start &+ Self.stride {
      tangent += rise
      let damping = unsafe 1 / peak[frame]
      let a1 = 1 / (1 + tangent * (tangent + damping))
      let dry = unsafe SIMD2(input.channel(0)[frame], input.channel(1)[frame])
      let difference = dry - second
      let middle = a1 * (first + tangent * difference)
      let low = second + tangent * middle
      first = 2 * middle - first
      second = 2 * low - second
      // The band-pass has a gain of 1 at its centre, the low-pass below it.
      let wet = unsafe low + (middle * damping - low) * band[frame]
      let sound = unsafe dry + (wet - dry) * mix[frame]
      unsafe output.channel(0)[frame] = sound.x
      unsafe output.channel(1)[frame] = sound.y
    }
    tangent = goal
  }
}
