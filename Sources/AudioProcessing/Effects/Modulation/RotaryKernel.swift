// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime

/// The render side of a rotary speaker: a horn and a drum that rotate in front of two microphones.
@safe
struct RotaryKernel: ~Copyable {
  private let bank: ParameterBank
  private let framesPerSecond: Double
  private var horn: GlidingLine
  private var drum: GlidingLine
  private var hornTurn = SlowOscillator()
  private var drumTurn = SlowOscillator()
  /// The current rotations per second.
  private var hornHertz = -1.0
  private var drumHertz = -1.0
  private let lowPass: Biquad
  private let highPass: Biquad
  private var lowMemory = SIMD2<Double>.zero
  private var highMemory = SIMD2<Double>.zero

  private enum Place: Int {
    case speed, hornSlow, hornFast, hornTime, hornLevel, drumSlow, drumFast, drumTime, drumLevel
    case separation, mix
  }

  init(rate: SampleRate, bank: ParameterBank) {
    self.bank = bank
    framesPerSecond = Double(rate.hertz)
    let longest = Int(0.002 * framesPerSecond) + 8
    horn = GlidingLine(longest: longest)
    drum = GlidingLine(longest: longest)
    // Two filters of Q 0.5, one of them inverted, add up to an all-pass (Linkwitz and Riley).
    let angle = 2 * Double.pi * min(RotaryUnit.crossing, 0.45 * framesPerSecond) / framesPerSecond
    lowPass = Biquad(kind: 3, angle: angle, decibels: 0, quality: 0.5)
    highPass = Biquad(kind: 4, angle: angle, decibels: 0, quality: 0.5)
  }

  deinit {
    horn.deallocate()
    drum.deallocate()
  }

  static let function: RenderStep.Function = { kernel, block in
    unsafe kernel.assumingMemoryBound(to: RotaryKernel.self).pointee.render(
      block.assumingMemoryBound(to: RenderBlock.self).pointee)
  }

  static let clearing: RenderStep.Clearing = { kernel in
    unsafe kernel.assumingMemoryBound(to: RotaryKernel.self).pointee.clear()
  }

  @_noAllocation @_noLocks
  private mutating func clear() {
    horn.clear()
    drum.clear()
    (hornTurn, drumTurn) = (SlowOscillator(), SlowOscillator())
    (hornHertz, drumHertz) = (-1, -1)
    (lowMemory, highMemory) = (.zero, .zero)
  }

  @_noAllocation @_noLocks
  private mutating func render(_ block: RenderBlock) {
    _ = bank.advance(startFrame: block.start.frames)
    hornHertz = turn(hornHertz, .hornSlow, .hornFast, .hornTime)
    drumHertz = turn(drumHertz, .drumSlow, .drumFast, .drumTime)
    hornTurn.aim(hertz: hornHertz, framesPerSecond: framesPerSecond)
    drumTurn.aim(hertz: drumHertz, framesPerSecond: framesPerSecond)
    let hornLevel = unsafe bank.curve(Place.hornLevel.rawValue)
    let drumLevel = unsafe bank.curve(Place.drumLevel.rawValue)
    let separation = unsafe bank.curve(Place.separation.rawValue)
    let mix = unsafe bank.curve(Place.mix.rawValue)
    let (input, output) = (block.input(0), block.output(0))
    let hornWay = Float(0.0003 * framesPerSecond)
    let drumWay = Float(0.0001 * framesPerSecond)
    for frame in 0..<AudioFormat.quantum {
      hornTurn.turn()
      drumTurn.turn()
      let dry = unsafe SIMD2(input.channel(0)[frame], input.channel(1)[frame])
      let sum = (dry.x + dry.y) * 0.5
      horn.write(-highPass.next(sum, &highMemory))
      drum.write(lowPass.next(sum, &lowMemory))
      let high = unsafe Self.sides(horn, hornTurn, way: hornWay, separation[frame])
      let low = unsafe Self.sides(drum, drumTurn, way: drumWay, separation[frame] * 0.7)
      let wet = unsafe high * hornLevel[frame] + low * drumLevel[frame]
      let sound = unsafe dry + (wet - dry) * mix[frame]
      unsafe output.channel(0)[frame] = sound.x
      unsafe output.channel(1)[frame] = sound.y
    }
  }

  /// The speed of a rotor one quantum later; it approaches its target by 63 % in the given time.
  @_noAllocation @_noLocks
  private func turn(_ hertz: Double, _ slow: Place, _ fast: Place, _ time: Place) -> Double {
    let part = bank.value(Place.speed.rawValue)
    let least = bank.value(slow.rawValue)
    let goal = Double(least + (bank.value(fast.rawValue) - least) * part)
    guard hertz >= 0 else { return goal }
    let seconds = Double(AudioFormat.quantum) / framesPerSecond
    return hertz + (goal - hertz) * min(1, seconds / Double(bank.value(time.rawValue)))
  }

  /// The signals of two microphones, 90° apart.
  ///
  /// The sound is earlier and louder at the nearer one.
  @inline(__always) @_noAllocation @_noLocks
  private static func sides(
    _ line: GlidingLine, _ turn: SlowOscillator, way: Float, _ separation: Float
  ) -> SIMD2<Float> {
    let waves = SIMD2(turn.sine, turn.cosine)
    let gains = 1 - 0.35 * separation * (1 + waves)
    let middle = GlidingLine.shortest + way
    return SIMD2(line.read(middle + way * waves.x), line.read(middle + way * waves.y)) * gains
  }
}
