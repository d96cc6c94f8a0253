// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime

/// The render side of a pitch shifter.
///
/// Each voice reads the line at two moving positions, half a window apart, and crossfades between
/// them.
@safe
struct PitchShiftKernel: ~Copyable {
  private let bank: ParameterBank
  private let framesPerSecond: Float
  /// The frames through which the position of a voice moves.
  private let window: Float
  private var line: GlidingLine
  /// The position of each voice in its window, 0..<1.
  private var places = SIMD2<Float>(0, 0.25)

  private enum Place: Int {
    case firstPitch, firstLevel, firstPan, secondPitch, secondLevel, secondPan, delay, feedback, mix
  }

  init(rate: SampleRate, bank: ParameterBank, in shared: SharedSamples?) {
    self.bank = bank
    framesPerSecond = Float(rate.hertz)
    window = PitchShiftUnit.windowSeconds * Float(rate.hertz)
    line = GlidingLine(longest: PitchShiftUnit.longest(rate), in: shared)
  }

  deinit { line.deallocate() }

  static let function: RenderStep.Function = { kernel, block in
    unsafe kernel.assumingMemoryBound(to: PitchShiftKernel.self).pointee.render(
      block.assumingMemoryBound(to: RenderBlock.self).pointee)
  }

  static let clearing: RenderStep.Clearing = { kernel in
    unsafe kernel.assumingMemoryBound(to: PitchShiftKernel.self).pointee.clear()
  }

  @_noAllocation @_noLocks
  private mutating func clear() {
    line.clear()
    places = SIMD2(0, 0.25)
  }

  @_noAllocation @_noLocks
  private mutating func render(_ block: RenderBlock) {
    _ = bank.advance(startFrame: block.start.frames)
    let steps = SIMD2(slope(.firstPitch), slope(.secondPitch)) / window
    let firstPan = bank.value(Place.firstPan.rawValue)
    let secondPan = bank.value(Place.secondPan.rawValue)
    let levels = unsafe (
      bank.curve(Place.firstLevel.rawValue), bank.curve(Place.secondLevel.rawValue)
    )
    let delay = unsafe bank.curve(Place.delay.rawValue)
    let feedback = unsafe bank.curve(Place.feedback.rawValue)
    let mix = unsafe bank.curve(Place.mix.rawValue)
    let (input, output) = (block.input(0), block.output(0))
    for frame in 0..<AudioFormat.quantum {
      places += steps
      places = SIMD2(Self.wrapped(places.x), Self.wrapped(places.y))
      let base = unsafe delay[frame] * framesPerSecond
      let first = unsafe voice(places.x, base) * levels.0[frame]
      let second = unsafe voice(places.y, base) * levels.1[frame]
      let dry = unsafe SIMD2(input.channel(0)[frame], input.channel(1)[frame])
      unsafe line.write((dry.x + dry.y) * 0.5 + feedback[frame] * 0.5 * (first + second))
      let wet =
        first * SIMD2(min(1, 1 - firstPan), min(1, 1 + firstPan))
        + second * SIMD2(min(1, 1 - secondPan), min(1, 1 + secondPan))
      let sound = unsafe dry + (wet - dry) * mix[frame]
      unsafe output.channel(0)[frame] = sound.x
      unsafe output.channel(1)[frame] = sound.y
    }
  }

  @inline(__always) @_noAllocation @_noLocks
  private static func wrapped(_ place: Float) -> Float {
    place >= 1 ? place - 1 : place < 0 ? place + 1 : place
  }

  /// The frames by which the read position moves back in each frame.
  @_noAllocation @_noLocks
  private func slope(_ place: Place) -> Float {
    Float(1 - SampleMath.power(2, Double(bank.value(place.rawValue)) / 12))
  }

  /// The output of a voice.
  ///
  /// The position nearer the middle of the window is louder.
  @inline(__always) @_noAllocation @_noLocks
  private func voice(_ place: Float, _ base: Float) -> Float {
    let other = place < 0.5 ? place + 0.5 : place - 0.5
    let part = 1 - abs(2 * place - 1)
    let first = line.read(base + GlidingLine.shortest + place * window)
    let second = line.read(base + GlidingLine.shortest + other * window)
    return second + (first - second) * part
  }
}
