// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime

/// The render side of a delay: one line per channel, whose filtered output is fed back.
@safe
struct DelayKernel: ~Copyable {
  private let channelCount: Int
  private let framesPerSecond: Double
  private let bank: ParameterBank
  private let lines: UnsafeMutablePointer<DelayLine>
  /// The state of each channel's low-pass, which is its output for the current frame.
  private let filtered: UnsafeMutablePointer<Float>
  /// The low frequencies of each channel, which the low cut subtracts.
  private let low: UnsafeMutablePointer<Float>
  private var share: Float = 1
  private var hertz: Float = 20_000
  private var lowShare: Float = 0
  private var lowHertz: Float = 20

  private enum Place: Int { case time, feedback, damping, pingPong, mix, lowCut }

  init(channelCount: Int, longest: Double, rate: SampleRate, bank: ParameterBank) {
    self.channelCount = channelCount
    self.bank = bank
    framesPerSecond = Double(rate.hertz)
    let frames = Int((longest * Double(rate.hertz)).rounded()) + 1
    unsafe lines = .allocate(capacity: channelCount)
    for channel in 0..<channelCount {
      unsafe (lines + channel).initialize(to: DelayLine(longest: frames, delay: 1))
    }
    unsafe filtered = .allocate(capacity: channelCount)
    unsafe filtered.initialize(repeating: 0, count: channelCount)
    unsafe low = .allocate(capacity: channelCount)
    unsafe low.initialize(repeating: 0, count: channelCount)
  }

  deinit {
    for channel in 0..<channelCount { unsafe lines[channel].deallocate() }
    unsafe lines.deallocate()
    unsafe filtered.deallocate()
    unsafe low.deallocate()
  }

  static let function: RenderStep.Function = { kernel, block in
    unsafe kernel.assumingMemoryBound(to: DelayKernel.self).pointee.render(
      block.assumingMemoryBound(to: RenderBlock.self).pointee)
  }

  @_noAllocation @_noLocks
  private mutating func render(_ block: RenderBlock) {
    _ = bank.advance(startFrame: block.start.frames)
    moveLines()
    let input = block.input(0)
    let output = block.output(0)
    let feedback = unsafe bank.curve(Place.feedback.rawValue)
    let damping = unsafe bank.curve(Place.damping.rawValue)
    let crossing = unsafe bank.curve(Place.pingPong.rawValue)
    let mix = unsafe bank.curve(Place.mix.rawValue)
    let lowCut = unsafe bank.curve(Place.lowCut.rawValue)
    for frame in 0..<AudioFormat.quantum {
      if unsafe damping[frame] != hertz { unsafe aim(damping[frame]) }
      if unsafe lowCut[frame] != lowHertz { unsafe aimLow(lowCut[frame]) }
      unsafe render(
        frame, input, output, feedback: feedback[frame], crossing: crossing[frame],
        mix: mix[frame])
    }
  }

  @_noAllocation @_noLocks
  private func moveLines() {
    let frames = Int(Double(bank.value(Place.time.rawValue)) * framesPerSecond + 0.5)
    for channel in 0..<channelCount { unsafe lines[channel].move(to: max(1, frames)) }
  }

  /// Computes the coefficient of the low-pass; 1 if it does not filter.
  @_noAllocation @_noLocks
  private mutating func aim(_ hertz: Float) {
    self.hertz = hertz
    share = hertz >= 20_000 ? 1 : pole(hertz)
  }

  /// Computes the coefficient of the low cut; 0 if it does not filter.
  @_noAllocation @_noLocks
  private mutating func aimLow(_ hertz: Float) {
    lowHertz = hertz
    lowShare = hertz <= 20 ? 0 : pole(hertz)
  }

  /// The coefficient of a one-pole filter.
  @_noAllocation @_noLocks
  private func pole(_ hertz: Float) -> Float {
    let angle = 2 * Double.pi * Double(hertz) / framesPerSecond
    return Float(1 - SampleMath.power(2.718281828459045, -angle))
  }

  @_noAllocation @_noLocks
  private func render(
    _ frame: Int, _ input: Bus, _ output: Bus, feedback: Float, crossing: Float, mix: Float
  ) {
    var sum: Float = 0
    for channel in 0..<channelCount { unsafe sum += input.channel(channel)[frame] }
    for channel in 0..<channelCount {
      let dry = unsafe input.channel(channel)[frame]
      let echo = unsafe lines[channel].read()
      unsafe filtered[channel] += share * (echo - filtered[channel])
      let old = unsafe lowShare == 0 ? 0 : low[channel]
      unsafe low[channel] = old + lowShare * (filtered[channel] - old)
      unsafe output.channel(channel)[frame] = dry * (1 - mix) + echo * mix
    }
    // With ping-pong, the input goes into the first line, and each line feeds the next.
    var last = goingBack(channelCount &- 1)
    for channel in 0..<channelCount {
      let dry = unsafe input.channel(channel)[frame]
      let first = channel == 0 ? sum / Float(channelCount) : 0
      let own = goingBack(channel)
      let back = own + crossing * (last - own)
      unsafe lines[channel].write(dry + crossing * (first - dry) + feedback * back)
      last = own
    }
  }

  /// The feedback signal of a channel.
  @_noAllocation @_noLocks
  private func goingBack(_ channel: Int) -> Float {
    unsafe filtered[channel] - low[channel]
  }
}
