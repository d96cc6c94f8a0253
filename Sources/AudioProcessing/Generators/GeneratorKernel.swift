// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime

/// The render side of a generator.
@safe
struct GeneratorKernel: ~Copyable {
  private let signal: UInt8
  private let framesPerSecond: Double
  private let bank: ParameterBank
  private let table = SincTable()
  /// The phase, in cycles, 0…1.
  private var phase = 0.0
  private var random: UInt64
  private var pink = InlineArray<7, Float>(repeating: 0)
  /// The tails of clicks, for this quantum and the next.
  private let tails: UnsafeMutablePointer<Float>

  init(_ signal: GeneratorUnit.Signal, seed: UInt64, rate: SampleRate, bank: ParameterBank) {
    self.signal = signal.rawValue
    framesPerSecond = Double(rate.hertz)
    self.bank = bank
    random = seed
    // The first click is at the first frame.
    phase = signal == .clicks ? 1 : 0
    unsafe tails = SampleLoop.allocate(channelCount: 3)
  }

  deinit {
    unsafe tails.deallocate()
  }

  static let function: RenderStep.Function = { kernel, block in
    unsafe kernel.assumingMemoryBound(to: GeneratorKernel.self).pointee.render(
      block.assumingMemoryBound(to: RenderBlock.self).pointee)
  }

  @_noAllocation @_noLocks
  private mutating func render(_ block: RenderBlock) {
    _ = bank.advance(startFrame: block.start.frames)
    let output = unsafe block.output(0).channel(0)
    let frequency = unsafe bank.curve(0)
    switch signal {
    case 0: unsafe fillSine(output, frequency)
    case 1: for frame in 0..<AudioFormat.quantum { unsafe output[frame] = noise() }
    case 2: for frame in 0..<AudioFormat.quantum { unsafe output[frame] = pinkNoise() }
    default: unsafe fillClicks(output, frequency)
    }
    unsafe SampleLoop.scale(output, by: bank.curve(1), into: output)
  }

  @_noAllocation @_noLocks
  private mutating func fillSine(
    _ output: UnsafeMutablePointer<Float>, _ frequency: UnsafePointer<Float>
  ) {
    for frame in 0..<AudioFormat.quantum {
      unsafe output[frame] = Float(SampleMath.sine(2 * .pi * phase))
      phase += unsafe Double(frequency[frame]) / framesPerSecond
      if phase >= 1 { phase -= 1 }
    }
  }

  /// The next white noise sample, −1…1.
  ///
  /// Source: G. Steele, D. Lea, C. Flood, Fast splittable pseudorandom number generators (2014).
  @_noAllocation @_noLocks
  private mutating func noise() -> Float {
    random &+= 0x9E37_79B9_7F4A_7C15
    var bits = random
    bits = (bits ^ bits &>> 30) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ bits &>> 27) &* 0x94D0_49BB_1331_11EB
    bits ^= bits &>> 31
    return Float(Int32(truncatingIfNeeded: bits &>> 32)) / 2_147_483_648
  }

  /// The next pink noise sample: white noise through a sum of filters with −3 dB per octave.
  ///
  /// Source: P. Kellet, refined method, music-dsp list (1999).
  @_noAllocation @_noLocks
  private mutating func pinkNoise() -> Float {
    let white = noise()
    pink[0] = 0.99886 * pink[0] + white * 0.0555179
    pink[1] = 0.99332 * pink[1] + white * 0.0750759
    pink[2] = 0.96900 * pink[2] + white * 0.1538520
    pink[3] = 0.86650 * pink[3] + white * 0.3104856
    pink[4] = 0.55000 * pink[4] + white * 0.5329522
    pink[5] = -0.7616 * pink[5] - white * 0.0168980
    let sum = pink[0] + pink[1] + pink[2] + pink[3] + pink[4] + pink[5] + pink[6] + white * 0.5362
    pink[6] = white * 0.115926
    return sum * 0.11
  }

  @_noAllocation @_noLocks
  private mutating func fillClicks(
    _ output: UnsafeMutablePointer<Float>, _ frequency: UnsafePointer<Float>
  ) {
    let quantum = AudioFormat.quantum
    for frame in 0..<quantum {
      let step = unsafe Double(frequency[frame]) / framesPerSecond
      if phase >= 1 {
        phase -= 1
        // The click was due this part of a frame earlier.
        addClick(at: frame, late: Float(phase / step))
      }
      phase += step
    }
    for frame in 0..<quantum {
      unsafe output[frame] = tails[frame]
      unsafe tails[frame] = tails[quantum &+ frame]
      unsafe tails[quantum &+ frame] = 0
    }
  }

  /// Adds a click 32 frames after a frame, minus a part of a frame.
  @_noAllocation @_noLocks
  private func addClick(at frame: Int, late: Float) {
    let half = SincTable.crossings
    for offset in 0...2 &* half {
      unsafe tails[frame &+ offset] += table.value(at: Float(offset &- half) + late)
    }
  }
}
