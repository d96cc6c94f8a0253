// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime

/// The render side of a reverb.
///
/// All delays are longer than a quantum. A quantum of each delay can therefore be read, mixed with
/// the others eight frames at a time, and written back.
@safe
struct ReverbKernel: ~Copyable {
  typealias Samples = UnsafeMutablePointer<Float>

  // Keep a pointer first: for the thread sanitizer, the compiler of Swift 6.3 reports the first field
  // as an address, and it fails if that field is an integer.
  private let before: UnsafeMutablePointer<DelayLine>
  private let channelCount: Int
  private let framesPerSecond: Double
  private let bank: ParameterBank
  private let diffusers: UnsafeMutablePointer<Diffuser>
  private let lines: UnsafeMutablePointer<DelayLine>
  private let losses: UnsafeMutablePointer<Loss>
  private var reflections: EarlyReflections
  /// A quantum of each line, of each channel's input, and of the sums of the lines.
  private let quanta: Samples
  private let inputs: Samples
  private let sums: Samples
  /// A quantum of the early reflections of each channel.
  private let firsts: Samples
  /// The factor for the sum of the lines that keeps the level of noise.
  private var level: Float = 0
  private var outlet = Outlet()
  /// The coefficient of the low-pass that isolates the low frequencies, which have their own decay.
  private let lowShare: Float
  private var isFresh = true

  private enum Place: Int {
    case size, decay, damping, preDelay, mix, lowDecay, modulation, early, width
  }

  /// The loss of a line in each pass: a gain, a one-pole filter, and a change of the low
  /// frequencies.
  private struct Loss: BitwiseCopyable {
    var gain: Float = 0
    var pole: Float = 0
    var lift: Float = 0
    var held: Float = 0
    var low: Float = 0
    /// The frames that modulation adds to the line's delay, and the phase of the modulation.
    var added: Float = 0
    var phase = 0.0
  }

  /// The mixture at the output of a quantum: the shares of late and early sound, and of each side
  /// in itself and in the other.
  private struct Outlet: BitwiseCopyable {
    var late: Float = 0
    var early: Float = 0
    var own: Float = 1
    var other: Float = 0
  }

  /// The largest modulation of a line, in seconds, up and down.
  private static var swing: Double {
    @_noAllocation @_noLocks
    get { 0.00016 }
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
      let swing = Int(2 * Self.swing * second) + 4
      unsafe (lines + line).initialize(to: DelayLine(longest: longest + swing, delay: longest))
      unsafe losses[line].phase = Self.phase(of: line)
    }
    reflections = EarlyReflections(
      channelCount: channelCount, longest: 50, framesPerSecond: second)
    lowShare = Float(1 - SampleMath.power(2.718281828459045, -2 * .pi * 250 / second))
    unsafe firsts = SampleLoop.allocate(channelCount: channelCount)
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
    unsafe firsts.deallocate()
    reflections.deallocate()
  }

  static let function: RenderStep.Function = { kernel, block in
    unsafe kernel.assumingMemoryBound(to: ReverbKernel.self).pointee.render(
      block.assumingMemoryBound(to: RenderBlock.self).pointee)
  }

  static let clearing: RenderStep.Clearing = { kernel in
    unsafe kernel.assumingMemoryBound(to: ReverbKernel.self).pointee.clear()
  }

  /// The phase of a delay line's modulation at the start, in radians.
  @_noAllocation @_noLocks
  private static func phase(of line: Int) -> Double { 2 * .pi * Double(line &* 7 % 16) / 16 }

  @_noAllocation @_noLocks
  private mutating func clear() {
    for channel in 0..<channelCount { unsafe before[channel].clear() }
    for place in 0..<channelCount &* Diffuser.count { unsafe diffusers[place].clear() }
    for line in 0..<Self.lineCount {
      unsafe lines[line].clear()
      unsafe losses[line] = Loss(phase: Self.phase(of: line))
    }
    reflections.clear()
    isFresh = true
  }

  @_noAllocation @_noLocks
  private mutating func render(_ block: RenderBlock) {
    _ = bank.advance(startFrame: block.start.frames)
    moveLines()
    takeIn(block.input(0))
    unsafe reflections.render(into: firsts)
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
      unsafe lines[line].write(quantum)
    }
    isFresh = false
  }
}

// Input.
extension ReverbKernel {
  /// The frames of a line: 0.55 to 1.6 times the average, in equal ratios, without multiples, and
  /// more than a quantum.
  @_noAllocation @_noLocks
  private static func length(of line: Int, metres: Double, framesPerSecond: Double) -> Int {
    let place = Double(line) / Double(lineCount &- 1)
    let part = 0.55 * SampleMath.power(1.6 / 0.55, place)
    // 343 m/s is the speed of sound in air at 20 °C.
    let frames = Int(metres / 343 * framesPerSecond * part)
    return max(AudioFormat.quantum &+ 1 &+ 2 &* line, frames | 1)
  }

  @_noAllocation @_noLocks
  private mutating func moveLines() {
    let metres = Double(bank.value(Place.size.rawValue))
    let wait = Int(Double(bank.value(Place.preDelay.rawValue)) * framesPerSecond + 0.5)
    reflections.move(to: metres)
    // A line is read after it is written here, so a delay of 0 frames is index 1.
    for channel in 0..<channelCount { unsafe before[channel].move(to: wait &+ 1) }
    for line in 0..<Self.lineCount {
      unsafe lines[line].move(
        to: Self.length(of: line, metres: metres, framesPerSecond: framesPerSecond))
    }
  }

  /// Delays the input by the pre-delay, and diffuses it.
  @_noAllocation @_noLocks
  private func takeIn(_ bus: Bus) {
    for channel in 0..<channelCount {
      let source = unsafe bus.channel(channel)
      let target = unsafe inputs + channel &* AudioFormat.quantum
      let filters = unsafe diffusers + channel &* Diffuser.count
      for frame in 0..<AudioFormat.quantum {
        unsafe before[channel].write(source[frame])
        var sample = unsafe before[channel].read()
        reflections.take(sample, channel, frame)
        for place in 0..<Diffuser.count { sample = unsafe filters[place].next(sample) }
        unsafe target[frame] = sample
      }
    }
  }
}

// Feedback.
extension ReverbKernel {
  /// Reads the lines, and applies the loss of each for its length.
  ///
  /// The filters have the gain of the decay at middle frequencies, of the low decay at 0 Hz, and of
  /// the damped decay at half the sample rate. Changes are linear within the quantum.
  @_noAllocation @_noLocks
  private mutating func lose() {
    let decay = Double(bank.value(Place.decay.rawValue))
    let highDecay = decay * (1 - Double(bank.value(Place.damping.rawValue)))
    let lowDecay = decay * Double(bank.value(Place.lowDecay.rawValue))
    var power = 0.0
    for line in 0..<Self.lineCount {
      let quantum = unsafe quanta + line &* AudioFormat.quantum
      unsafe read(line, into: quantum)
      let frames = unsafe Double(lines[line].delay) + Double(losses[line].added)
      let seconds = frames / framesPerSecond
      let gain = SampleMath.power(10, -3 * seconds / decay)
      let ratio = SampleMath.power(10, -3 * seconds * (1 / highDecay - 1 / decay))
      let low = SampleMath.power(10, -3 * seconds * (1 / lowDecay - 1 / decay))
      let pole = (1 - ratio) / (1 + ratio)
      power += gain * gain / Double(Self.lineCount)
      unsafe filter(
        quantum, &(losses + line).pointee, gain: Float(gain), pole: Float(pole),
        lift: Float(low - 1))
    }
    // Each pass leaves this share of the power; the passes form a geometric series.
    level = SampleMath.root(Float((1 - power) / max(power, 1e-9)) / Float(channelCount))
  }

  /// Reads a line at a position that its own oscillator modulates, so that no frequency keeps
  /// ringing at the resonances of the line lengths.
  @_noAllocation @_noLocks
  private func read(_ line: Int, into quantum: Samples) {
    let loss = unsafe losses + line
    let swing = Double(bank.value(Place.modulation.rawValue)) * Self.swing * framesPerSecond
    let from = unsafe loss.pointee.added
    guard swing > 0 || from > 0 else {
      unsafe (lines + line).pointee.read(into: quantum)
      return
    }
    // From 0.4 to 1.3 Hz, different for each line.
    let turns = 0.4 + 0.06 * Double(line)
    unsafe loss.pointee.phase += 2 * .pi * turns * Double(AudioFormat.quantum) / framesPerSecond
    if unsafe loss.pointee.phase > 2 * .pi { unsafe loss.pointee.phase -= 2 * .pi }
    let wanted = unsafe Float(swing * (1 + SampleMath.sine(loss.pointee.phase)))
    let to = isFresh ? wanted : max(from - 0.2, min(from + 0.2, wanted))
    unsafe (lines + line).pointee.read(into: quantum, addedFrom: isFresh ? to : from, to: to)
    unsafe loss.pointee.added = to
  }

  @_noAllocation @_noLocks
  private func filter(
    _ samples: Samples, _ loss: inout Loss, gain: Float, pole: Float, lift: Float
  ) {
    if isFresh { (loss.gain, loss.pole, loss.lift) = (gain, pole, lift) }
    let gainStep = (gain - loss.gain) / Float(AudioFormat.quantum)
    let poleStep = (pole - loss.pole) / Float(AudioFormat.quantum)
    let liftStep = (lift - loss.lift) / Float(AudioFormat.quantum)
    var (held, low) = (loss.held, loss.low)
    for frame in 0..<AudioFormat.quantum {
      loss.gain += gainStep
      loss.pole += poleStep
      loss.lift += liftStep
      held = unsafe loss.gain * (1 - loss.pole) * samples[frame] + loss.pole * held
      low += lowShare * (held - low)
      unsafe samples[frame] = held + loss.lift * low
    }
    (loss.gain, loss.pole, loss.lift) = (gain, pole, lift)
    (loss.held, loss.low) = (held, low)
  }

  /// Multiplies the sixteen lines by a lossless matrix whose elements are all ±1/4: a reflection of
  /// each group of four, and of the four groups.
  @_noAllocation @_noLocks
  private func mixLines() {
    for four in 0..<4 { reflect(first: four &* 4, stride: 1) }
    for place in 0..<4 { reflect(first: place, stride: 4) }
  }

  /// Subtracts half of their sum from each of four lines.
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

// Output.
extension ReverbKernel {
  /// Adds the lines with different signs for each channel, adds the early reflections, and mixes
  /// the result with the input.
  @_noAllocation @_noLocks
  private mutating func giveOut(_ input: Bus, _ output: Bus, from oldLevel: Float) {
    let goal = aimOutlet()
    let start = isFresh ? goal : outlet
    outlet = goal
    addLines(from: isFresh ? level : oldLevel, start, goal)
    turnSides(start, goal)
    let mix = unsafe bank.curve(Place.mix.rawValue)
    for channel in 0..<channelCount {
      let sum = unsafe sums + channel &* AudioFormat.quantum
      let dry = unsafe input.channel(channel)
      let wet = unsafe output.channel(channel)
      for frame in 0..<AudioFormat.quantum {
        unsafe wet[frame] = dry[frame] * (1 - mix[frame]) + sum[frame] * mix[frame]
      }
    }
  }

  /// Computes the shares at the output.
  ///
  /// Early and late sound are uncorrelated, and so are the sides, so shares whose squares add up to
  /// 1 keep the level.
  @_noAllocation @_noLocks
  private func aimOutlet() -> Outlet {
    let early = bank.value(Place.early.rawValue)
    let angle = .pi / 4 * (1 - Double(bank.value(Place.width.rawValue)))
    return Outlet(
      late: SampleMath.root(1 - early), early: SampleMath.root(early),
      own: angle == 0 ? 1 : Float(SampleMath.cosine(angle)), other: Float(SampleMath.sine(angle)))
  }

  @_noAllocation @_noLocks
  private func addLines(from oldLevel: Float, _ start: Outlet, _ goal: Outlet) {
    let step = (level * goal.late - oldLevel * start.late) / Float(AudioFormat.quantum)
    let earlyStep = (goal.early - start.early) / Float(AudioFormat.quantum)
    for channel in 0..<channelCount {
      let sum = unsafe sums + channel &* AudioFormat.quantum
      let first = unsafe firsts + channel &* AudioFormat.quantum
      unsafe sum.update(repeating: 0, count: AudioFormat.quantum)
      for line in 0..<Self.lineCount {
        let quantum = unsafe quanta + line &* AudioFormat.quantum
        unsafe Self.add(quantum, times: Self.sign(line, channel), to: sum)
      }
      for frame in 0..<AudioFormat.quantum {
        let place = Float(frame &+ 1)
        let late = unsafe sum[frame] * (oldLevel * start.late + step * place)
        unsafe sum[frame] = late + first[frame] * (start.early + earlyStep * place)
      }
    }
  }

  /// Mixes each side into the other.
  @_noAllocation @_noLocks
  private func turnSides(_ start: Outlet, _ goal: Outlet) {
    guard channelCount == 2, start.other != 0 || goal.other != 0 else { return }
    let (left, right) = unsafe (sums, sums + AudioFormat.quantum)
    let ownStep = (goal.own - start.own) / Float(AudioFormat.quantum)
    let otherStep = (goal.other - start.other) / Float(AudioFormat.quantum)
    for frame in 0..<AudioFormat.quantum {
      let own = start.own + ownStep * Float(frame &+ 1)
      let other = start.other + otherStep * Float(frame &+ 1)
      unsafe (left[frame], right[frame]) = (
        own * left[frame] + other * right[frame], own * right[frame] + other * left[frame]
      )
    }
  }

  /// Two rows of uncorrelated signs: half of them agree.
  @_noAllocation @_noLocks
  private static func sign(_ line: Int, _ channel: Int) -> Float {
    let ones = channel == 0 ? line & 5 : line & 11
    return ones.nonzeroBitCount & 1 == 0 ? 1 : -1
  }
}
