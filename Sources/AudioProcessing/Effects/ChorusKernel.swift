// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime

/// The render side of a chorus: one delay line per channel, read at moving positions.
@safe
struct ChorusKernel: ~Copyable {
  private let channelCount: Int
  private let voiceCount: Int
  private let framesPerSecond: Float
  private let bank: ParameterBank
  private let lines: UnsafeMutablePointer<GlidingLine>
  /// The share of the oscillator's sine and cosine in each voice of each channel.
  private let shares: UnsafeMutablePointer<Share>
  private var oscillator = SlowOscillator()
  private var spread: Float = -1

  private enum Place: Int { case rate, depth, delay, feedback, spread, mix }

  /// The weights of sine and cosine that give a wave of another phase, and their step per frame.
  private struct Share: BitwiseCopyable {
    var sine: Float = 1
    var cosine: Float = 0
    var sineStep: Float = 0
    var cosineStep: Float = 0
  }

  init(channelCount: Int, voiceCount: Int, rate: SampleRate, bank: ParameterBank) {
    self.channelCount = channelCount
    self.voiceCount = voiceCount
    self.bank = bank
    framesPerSecond = Float(rate.hertz)
    unsafe lines = .allocate(capacity: channelCount)
    for channel in 0..<channelCount {
      unsafe (lines + channel).initialize(
        to: GlidingLine(longest: Int(ChorusUnit.longestSeconds * Double(rate.hertz)) + 4))
    }
    unsafe shares = .allocate(capacity: channelCount * voiceCount)
    unsafe shares.initialize(repeating: Share(), count: channelCount * voiceCount)
  }

  deinit {
    for channel in 0..<channelCount { unsafe lines[channel].deallocate() }
    unsafe lines.deallocate()
    unsafe shares.deallocate()
  }

  static let function: RenderStep.Function = { kernel, block in
    unsafe kernel.assumingMemoryBound(to: ChorusKernel.self).pointee.render(
      block.assumingMemoryBound(to: RenderBlock.self).pointee)
  }

  static let clearing: RenderStep.Clearing = { kernel in
    unsafe kernel.assumingMemoryBound(to: ChorusKernel.self).pointee.clear()
  }

  @_noAllocation @_noLocks
  private mutating func clear() {
    for channel in 0..<channelCount { unsafe lines[channel].clear() }
    oscillator = SlowOscillator()
  }

  @_noAllocation @_noLocks
  private mutating func render(_ block: RenderBlock) {
    _ = bank.advance(startFrame: block.start.frames)
    oscillator.aim(
      hertz: Double(bank.value(Place.rate.rawValue)), framesPerSecond: Double(framesPerSecond))
    aimShares(bank.value(Place.spread.rawValue))
    let input = block.input(0)
    let output = block.output(0)
    let start = oscillator
    for channel in 0..<channelCount {
      oscillator = start
      unsafe render(channel, input.channel(channel), output.channel(channel))
    }
  }

  /// If the phases have changed, moves the shares to the new values within the quantum.
  @_noAllocation @_noLocks
  private mutating func aimShares(_ spread: Float) {
    let isFresh = self.spread < 0
    guard isFresh || bank.isMoving(Place.spread.rawValue) || spread != self.spread else { return }
    self.spread = spread
    for channel in 0..<channelCount {
      for voice in 0..<voiceCount {
        let place = channel &* voiceCount &+ voice
        let offset = channel & 1 == 0 ? 0 : Double(spread)
        let phase = Double.pi * (2 * Double(voice) + offset) / Double(voiceCount)
        let sine = Float(SampleMath.cosine(phase))
        let cosine = Float(SampleMath.sine(phase))
        unsafe Self.move(&(shares + place).pointee, to: sine, cosine, jumps: isFresh)
      }
    }
  }

  @_noAllocation @_noLocks
  private static func move(
    _ share: inout Share, to sine: Float, _ cosine: Float, jumps: Bool
  ) {
    if jumps { (share.sine, share.cosine) = (sine, cosine) }
    share.sineStep = (sine - share.sine) / Float(AudioFormat.quantum)
    share.cosineStep = (cosine - share.cosine) / Float(AudioFormat.quantum)
  }

  @_noAllocation @_noLocks
  private mutating func render(
    _ channel: Int, _ input: UnsafePointer<Float>, _ output: UnsafeMutablePointer<Float>
  ) {
    let depth = unsafe bank.curve(Place.depth.rawValue)
    let delay = unsafe bank.curve(Place.delay.rawValue)
    let feedback = unsafe bank.curve(Place.feedback.rawValue)
    let mix = unsafe bank.curve(Place.mix.rawValue)
    let gain = 1 / SampleMath.root(Float(voiceCount))
    for frame in 0..<AudioFormat.quantum {
      oscillator.turn()
      let sum = unsafe voices(
        channel, middle: delay[frame] * framesPerSecond, swing: depth[frame] * framesPerSecond)
      // The mean of the voices is fed back; no frequency of it is louder than at the input.
      let back = unsafe feedback[frame] * sum / Float(voiceCount)
      unsafe Self.write(input[frame] + back, to: &(lines + channel).pointee)
      unsafe output[frame] = input[frame] * (1 - mix[frame]) + sum * gain * mix[frame]
    }
    rest(channel)
  }

  /// The sum of the voices of one channel.
  @_noAllocation @_noLocks
  private func voices(_ channel: Int, middle: Float, swing: Float) -> Float {
    var sum: Float = 0
    for voice in 0..<voiceCount {
      let share = unsafe shares + (channel &* voiceCount &+ voice)
      unsafe share.pointee.sine += share.pointee.sineStep
      unsafe share.pointee.cosine += share.pointee.cosineStep
      let wave =
        unsafe share.pointee.sine * oscillator.sine
        + share.pointee.cosine * oscillator.cosine
      sum += unsafe lines[channel].read(middle + swing * wave)
    }
    return sum
  }

  @_noAllocation @_noLocks
  private static func write(_ sample: Float, to line: inout GlidingLine) { line.write(sample) }

  /// Stops the shares at their new values.
  @_noAllocation @_noLocks
  private func rest(_ channel: Int) {
    for voice in 0..<voiceCount {
      let share = unsafe shares + (channel &* voiceCount &+ voice)
      unsafe share.pointee.sineStep = 0
      unsafe share.pointee.cosineStep = 0
    }
  }
}
