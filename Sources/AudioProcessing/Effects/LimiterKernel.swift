// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime
internal import Synchronization

/// The render side of a limiter.
///
/// For each frame, the kernel computes the gain that reduces the frame's peak, or a peak between
/// this frame and the next, to the ceiling. It takes the minimum of these gains over 60 frames,
/// which holds a peak until it is output. A release follows, and then the mean over 58 frames,
/// which turns steps into lines. No value in a mean is higher than the gain that the output frame
/// needs, so neither is the mean. Six of the 64 frames of look-ahead are used to find peaks between
/// samples.
@safe
struct LimiterKernel: ~Copyable {
  let limitedFrames = Atomic<Int>(0)
  let lowestGain = Atomic<UInt32>(Float(1).bitPattern)

  private let channelCount: Int
  private let bank: ParameterBank
  private let framesPerSecond: Float
  /// The last input quantum, which is output next.
  private let delayed: AudioBuffer
  private let peaks: TruePeakKernel
  private let wanted: UnsafeMutablePointer<Float>
  /// The gains in the mean, and the index of the oldest.
  private let history: UnsafeMutablePointer<Float>
  private var oldest = 0
  /// Frames and gains that may become the minimum, with rising gains: a monotone queue.
  private let queue: UnsafeMutablePointer<Candidate>
  private var first = 0
  private var count = 0
  private var frame: Int64 = 0
  private var released = 1.0
  /// The sum of the gains in the mean; exact while all are 1.
  private var sum = Double(Self.meanFrames)
  private var isResting = true
  private var ceilingDecibels: Float = 0
  private var ceiling: Float = 1
  /// The ceiling that applied when the quantum that is output now was the input.
  private var judgedCeiling: Float = 1

  /// The number of gains in the mean.
  private static var meanFrames: Int {
    @_noAllocation @_noLocks
    get { AudioFormat.quantum &- TruePeakKernel.delay }
  }

  private struct Candidate: BitwiseCopyable {
    var frame: Int64
    var gain: Float
  }

  init(channelCount: Int, rate: SampleRate, bank: ParameterBank) {
    self.channelCount = channelCount
    self.bank = bank
    framesPerSecond = Float(rate.hertz)
    delayed = AudioBuffer(channelCount: channelCount)
    peaks = TruePeakKernel(channelCount: channelCount)
    unsafe wanted = SampleLoop.allocate(channelCount: 1)
    unsafe history = SampleLoop.allocate(channelCount: 1)
    unsafe history.update(repeating: 1, count: AudioFormat.quantum)
    unsafe queue = .allocate(capacity: 128)
    unsafe queue.initialize(repeating: Candidate(frame: 0, gain: 1), count: 128)
  }

  deinit {
    unsafe wanted.deallocate()
    unsafe history.deallocate()
    unsafe queue.deallocate()
  }

  static let function: RenderStep.Function = { kernel, block in
    unsafe kernel.assumingMemoryBound(to: LimiterKernel.self).pointee.render(
      block.assumingMemoryBound(to: RenderBlock.self).pointee)
  }

  @_noAllocation @_noLocks
  private mutating func render(_ block: RenderBlock) {
    _ = bank.advance(startFrame: block.start.frames)
    judgedCeiling = ceiling
    updateCeiling()
    let input = block.input(0)
    let output = block.output(0)
    output.copy(delayed.bus)
    delayed.bus.copy(input)
    let loud = fillWanted(input)
    if loud || !isResting { turnDown(output) }
    frame &+= Int64(truncatingIfNeeded: AudioFormat.quantum)
  }

  @_noAllocation @_noLocks
  private mutating func updateCeiling() {
    let decibels = bank.value(0)
    guard decibels != ceilingDecibels else { return }
    ceilingDecibels = decibels
    ceiling = decibels == 0 ? 1 : SampleMath.factor(ofDecibels: decibels)
  }

  /// Writes the gain that each frame needs alone; returns true if any is below 1.
  @_noAllocation @_noLocks
  private func fillWanted(_ input: Bus) -> Bool {
    let isLoud = unsafe peaks.fill(wanted, from: input, above: ceiling) > ceiling
    for index in 0..<AudioFormat.quantum {
      let peak = unsafe wanted[index]
      unsafe wanted[index] = peak > ceiling ? ceiling / peak : 1
    }
    return isLoud
  }

  @_noAllocation @_noLocks
  private mutating func turnDown(_ output: Bus) {
    let share = 1 / Double(max(1, bank.value(1) * framesPerSecond))
    var lowest: Float = 1
    var limited = 0
    for index in 0..<AudioFormat.quantum {
      let least = least(unsafe wanted[index], frame &+ Int64(truncatingIfNeeded: index))
      // Within 0.00001 of 1, the gain becomes 1.
      released = min(Double(least), released + (1 - released) * share)
      if least == 1, released > 0.99999 { released = 1 }
      let part = min(least, Float(released))
      sum += unsafe Double(part) - Double(history[oldest])
      unsafe history[oldest] = part
      oldest = oldest &+ 1 == Self.meanFrames ? 0 : oldest &+ 1
      let gain = min(1, Float(sum / Double(Self.meanFrames)))
      guard gain < 1 else { continue }
      limited &+= 1
      lowest = min(lowest, gain)
      for channel in 0..<channelCount {
        let samples = unsafe output.channel(channel)
        let sample = unsafe samples[index] * gain
        // Limits the excess that rounding may leave.
        unsafe samples[index] = min(judgedCeiling, max(-judgedCeiling, sample))
      }
    }
    settle()
    publish(limited, lowest)
  }

  /// Ends limiting, and makes the sum exact, when all gains are 1.
  @_noAllocation @_noLocks
  private mutating func settle() {
    isResting = count == 0 && released == 1
    for index in 0..<Self.meanFrames where unsafe history[index] != 1 { isResting = false }
    if isResting { sum = Double(Self.meanFrames) }
  }

  /// The minimum gain of a frame and the 59 frames before it.
  @_noAllocation @_noLocks
  private mutating func least(_ gain: Float, _ frame: Int64) -> Float {
    if count > 0, unsafe queue[first].frame < frame &- 59 {
      first = (first &+ 1) & 127
      count &-= 1
    }
    if gain < 1 {
      while count > 0, unsafe queue[(first &+ count &- 1) & 127].gain >= gain { count &-= 1 }
      unsafe queue[(first &+ count) & 127] = Candidate(frame: frame, gain: gain)
      count &+= 1
    }
    return count > 0 ? unsafe queue[first].gain : 1
  }

  @_noAllocation @_noLocks
  private func publish(_ limited: Int, _ lowest: Float) {
    limitedFrames.store(
      limitedFrames.load(ordering: .relaxed) &+ limited, ordering: .relaxed)
    if lowest < Float(bitPattern: lowestGain.load(ordering: .relaxed)) {
      lowestGain.store(lowest.bitPattern, ordering: .relaxed)
    }
  }
}
