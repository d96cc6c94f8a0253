// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime

/// The render side of a reverb.
///
/// All delays are longer than a quantum, so that a quantum of each can be read, mixed with the others
/// eight frames at a time, and written back.
@safe
struct ReverbKernel: ~Copyable {
  typealias Samples = UnsafeMutablePointer<Float>

  private let channelCount: Int
  private let framesPerSecond: Double
  private let bank: ParameterBank
  private let before: UnsafeMutablePointer<DelayLine>
  private let diffusers: UnsafeMutablePointer<Diffuser>
  private let lines: UnsafeMutablePointer<DelayLine>
  private let losses: UnsafeMutablePointer<Loss>
  /// A quantum of each line, of each channel on its way in, and of the sum of the lines.
  private let quanta: Samples
  private let inputs: Samples
  private let sums: Samples
  /// What the sum of the lines is multiplied by, so that noise is as loud as it was.
  private var level: Float = 0
  private var isFresh = true

  private enum Place: Int { case size, decay, damping, preDelay, mix }

  /// What a line loses each time round: a gain, and a filter of one pole.
  private struct Loss: BitwiseCopyable {
    var gain: Float = 0
    var pole: Float = 0
    var held: Float = 0
  }

  static var lineCount: Int {
    @_noAllocation @_noLocks
    get { 16 }
  }

  init(channelCount: Int, rate: SampleRate, bank: ParameterBank) {
    self.channelCount = channelCount
    self.bank = bank
    let second = Double(rate.hertz)
    framesPerSecond = second
    unsafe before = .allocate(capacity: channelCount)
    unsafe diffusers = .allocate(capacity: channelCount * Diffuser.count)
    for channel in 0..<channelCount {
      unsafe (before + channel).initialize(
        to: DelayLine(longest: Int(second / 2) + AudioFormat.quantum + 1, delay: 1))
      for place in 0..<Diffuser.count {
        unsafe (diffusers + channel * Diffuser.count + place).initialize(
          to: Diffuser(place, channel: channel, framesPerSecond: second))
      }
    }
    unsafe lines = .allocate(capacity: Self.lineCount)
    unsafe losses = .allocate(capacity: Self.lineCount)
    unsafe losses.initialize(repeating: Loss(), count: Self.lineCount)
    for line in 0..<Self.lineCount {
      let longest = Self.length(of: line, metres: 50, framesPerSecond: second)
      unsafe (lines + line).initialize(to: DelayLine(longest: longest, delay: longest))
    }
    unsafe quanta = SampleLoop.allocate(channelCount: Self.lineCount)
    unsafe inputs = SampleLoop.allocate(channelCount: channelCount)
    unsafe sums = SampleLoop.allocate(channelCount: 4)
  }

  deinit {
    for channel in 0..<channelCount { unsafe before[channel].deallocate() }
    for place in 0..<channelCount * Diffuser.count { unsafe diffusers[place].deallocate() }
    for line in 0..<Self.lineCount { unsafe lines[line].deallocate() }
    unsafe before.deallocate()
    unsafe diffusers.deallocate()
    unsafe lines.deallocate()
    unsafe losses.deallocate()
    unsafe quanta.deallocate()
    unsafe inputs.deallocate()
    unsafe sums.deallocate()
  }

  static let function: RenderStep.Function = { kernel, block in
    unsafe kernel.assumingMemoryBound(to: ReverbKernel.self).pointee.render(
      block.assumingMemoryBound(to: RenderBlock.self).pointee)
  }

  // Not `lines[line].write`: in a mutating method the compiler of Swift 6.3 ends there where it builds
  // for the thread sanitizer, which it hands the whole kernel for a pointer.
  @_noAllocation @_noLocks
  private mutating func render(_ block: RenderBlock) {
    _ = bank.advance(startFrame: block.start.frames)
    moveLines()
    takeIn(block.input(0))
    let oldLevel = level
    lose()
    giveOut(block.input(0), block.output(0), from: oldLevel)
    mixLines()
    for line in 0..<Self.lineCount {
      let input = unsafe inputs + (line % channelCount) &* AudioFormat.quantum
      let quantum = unsafe quanta + line &* AudioFormat.quantum
      let sign: Float = line & 2 == 0 ? 1 : -1
      let share = sign / SampleMath.root(Float(Self.lineCount / channelCount))
      unsafe Self.add(input, times: share, to: quantum)
      unsafe (lines + line).pointee.write(quantum)
    }
    isFresh = false
  }
}

// The way in.
extension ReverbKernel {
  /// The frames of a line: from 0.55 to 1.6 of the average, in equal ratios, no two of them multiples,
  /// and more than a quantum.
  @_noAllocation @_noLocks
  private static func length(of line: Int, metres: Double, framesPerSecond: Double) -> Int {
    let place = Double(line) / Double(lineCount &- 1)
    let part = 0.55 * SampleMath.power(1.6 / 0.55, place)
    // 343 m/s: sound in air at 20 °C.
    let frames = Int(metres / 343 * framesPerSecond * part)
    return max(AudioFormat.quantum &+ 1 &+ 2 &* line, frames | 1)
  }

  @_noAllocation @_noLocks
  private func moveLines() {
    let metres = Double(bank.value(Place.size.rawValue))
    let wait = Int(Double(bank.value(Place.preDelay.rawValue)) * framesPerSecond + 0.5)
    // A line is read after it is written here, so that 0 frames are one back.
    for channel in 0..<channelCount { unsafe before[channel].move(to: wait &+ 1) }
    for line in 0..<Self.lineCount {
      unsafe lines[line].move(
        to: Self.length(of: line, metres: metres, framesPerSecond: framesPerSecond))
    }
  }

  /// What comes in, later by the pre-delay, and smeared a little.
  @_noAllocation @_noLocks
  private func takeIn(_ bus: Bus) {
    for channel in 0..<channelCount {
      let source = unsafe bus.channel(channel)
      let target = unsafe inputs + channel &* AudioFormat.quantum
      let filters = unsafe diffusers + channel &* Diffuser.count
      for frame in 0..<AudioFormat.quantum {
        unsafe before[channel].write(source[frame])
        var sample = unsafe before[channel].read()
        for place in 0..<Diffuser.count { sample = unsafe filters[place].next(sample) }
        unsafe target[frame] = sample
      }
    }
  }
}

// The way round.
extension ReverbKernel {
  /// Reads the lines, and takes away what each loses in its length.
  ///
  /// The filter has the gain that the decay asks for at 0 Hz, and at half the rate that of the
  /// damped decay. What moves does so in a straight line through the quantum.
  @_noAllocation @_noLocks
  private mutating func lose() {
    let decay = Double(bank.value(Place.decay.rawValue))
    let highDecay = decay * (1 - Double(bank.value(Place.damping.rawValue)))
    var power = 0.0
    for line in 0..<Self.lineCount {
      let seconds = unsafe Double(lines[line].delay) / framesPerSecond
      let gain = SampleMath.power(10, -3 * seconds / decay)
      let ratio = SampleMath.power(10, -3 * seconds * (1 / highDecay - 1 / decay))
      let pole = (1 - ratio) / (1 + ratio)
      power += gain * gain / Double(Self.lineCount)
      let quantum = unsafe quanta + line &* AudioFormat.quantum
      unsafe (lines + line).pointee.read(into: quantum)
      unsafe Self.filter(
        quantum, &(losses + line).pointee, gain: Float(gain), pole: Float(pole), jumps: isFresh)
    }
    // Each time round leaves this share of the power: together they are a geometric series.
    level = SampleMath.root(Float((1 - power) / max(power, 1e-9)) / Float(channelCount))
  }

  @_noAllocation @_noLocks
  private static func filter(
    _ samples: Samples, _ loss: inout Loss, gain: Float, pole: Float, jumps: Bool
  ) {
    if jumps { (loss.gain, loss.pole) = (gain, pole) }
    let gainStep = (gain - loss.gain) / Float(AudioFormat.quantum)
    let poleStep = (pole - loss.pole) / Float(AudioFormat.quantum)
    var held = loss.held
    for frame in 0..<AudioFormat.quantum {
      loss.gain += gainStep
      loss.pole += poleStep
      held = unsafe loss.gain * (1 - loss.pole) * samples[frame] + loss.pole * held
      unsafe samples[frame] = held
    }
    loss = Loss(gain: gain, pole: pole, held: held)
  }

  /// Multiplies the sixteen by a matrix that loses nothing and whose numbers are all a quarter or its
  /// negative: a reflection of each four, and of the four fours.
  @_noAllocation @_noLocks
  private func mixLines() {
    for four in 0..<4 { reflect(first: four &* 4, stride: 1) }
    for place in 0..<4 { reflect(first: place, stride: 4) }
  }

  /// Takes half their sum from each of four lines.
  @_noAllocation @_noLocks
  private func reflect(first: Int, stride: Int) {
    let quantum = AudioFormat.quantum
    let a = unsafe SampleLoop.lanes(quanta + first &* quantum)
    let b = unsafe SampleLoop.lanes(quanta + (first &+ stride) &* quantum)
    let c = unsafe SampleLoop.lanes(quanta + (first &+ 2 &* stride) &* quantum)
    let d = unsafe SampleLoop.lanes(quanta + (first &+ 3 &* stride) &* quantum)
    for lane in 0..<SampleLoop.laneCount {
      let half = unsafe ((a[lane] + b[lane]) + (c[lane] + d[lane])) * 0.5
      unsafe a[lane] -= half
      unsafe b[lane] -= half
      unsafe c[lane] -= half
      unsafe d[lane] -= half
    }
  }

  @_noAllocation @_noLocks
  private static func add(_ samples: Samples, times gain: Float, to sum: Samples) {
    let source = unsafe SampleLoop.lanes(samples)
    let target = unsafe SampleLoop.lanes(sum)
    for lane in 0..<SampleLoop.laneCount { unsafe target[lane] += source[lane] * gain }
  }
}

// The way out.
extension ReverbKernel {
  /// Adds the lines, each channel with signs of its own, and mixes them with what came in.
  @_noAllocation @_noLocks
  private func giveOut(_ input: Bus, _ output: Bus, from oldLevel: Float) {
    let mix = unsafe bank.curve(Place.mix.rawValue)
    let start = isFresh ? level : oldLevel
    let levelStep = (level - start) / Float(AudioFormat.quantum)
    for channel in 0..<channelCount {
      let sum = unsafe sums + channel &* AudioFormat.quantum
      unsafe sum.update(repeating: 0, count: AudioFormat.quantum)
      for line in 0..<Self.lineCount {
        let quantum = unsafe quanta + line &* AudioFormat.quantum
        unsafe Self.add(quantum, times: Self.sign(line, channel), to: sum)
      }
      let dry = unsafe input.channel(channel)
      let wet = unsafe output.channel(channel)
      for frame in 0..<AudioFormat.quantum {
        let gain = start + levelStep * Float(frame &+ 1)
        unsafe wet[frame] = dry[frame] * (1 - mix[frame]) + sum[frame] * gain * mix[frame]
      }
    }
  }

  /// Two rows of signs with nothing in common: half of them agree.
  @_noAllocation @_noLocks
  private static func sign(_ line: Int, _ channel: Int) -> Float {
    let ones = channel == 0 ? line & 5 : line & 11
    return ones.nonzeroBitCount & 1 == 0 ? 1 : -1
  }
}
