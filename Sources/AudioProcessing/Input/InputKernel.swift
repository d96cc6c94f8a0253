// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime
internal import Realtime
internal import Synchronization

/// The render side of an input.
@safe
struct InputKernel: ~Copyable {
  let missedFrames = Atomic<Int>(0)
  let ratio = Atomic<UInt64>(Double(1).bitPattern)

  private let ring: RingReader<Float>
  private let channelCount: Int
  private let heldFrames: Int
  private let isExact: Bool
  private let framesPerSecond: Double
  private let table = SincTable()
  /// Received frames, channel by channel; the first `held` are valid.
  private let frames: UnsafeMutablePointer<Float>
  private let weights: UnsafeMutablePointer<Float>
  private var held = Self.reach
  /// The position of the next frame among them.
  private var place = Self.reach
  private var part = 0.0
  private var isRunning = false
  private var hasBegun = false
  /// The smoothed excess of the buffered time over the target, in seconds, and its integral.
  private var excess = 0.0
  private var drift = 0.0

  private static var reach: Int {
    @_noAllocation @_noLocks
    get { SincTable.crossings }
  }

  private static var capacity: Int {
    @_noAllocation @_noLocks
    get { 1024 }
  }

  init(
    _ ring: RingReader<Float>, channelCount: Int, heldFrames: Int, isExact: Bool, rate: SampleRate
  ) {
    self.ring = ring
    self.channelCount = channelCount
    self.heldFrames = heldFrames
    self.isExact = isExact
    framesPerSecond = Double(rate.hertz)
    unsafe frames = .allocate(capacity: channelCount * Self.capacity)
    unsafe frames.initialize(repeating: 0, count: channelCount * Self.capacity)
    unsafe weights = .allocate(capacity: 2 * Self.reach)
    unsafe weights.initialize(repeating: 0, count: 2 * Self.reach)
  }

  deinit {
    unsafe frames.deallocate()
    unsafe weights.deallocate()
  }

  static let function: RenderStep.Function = { kernel, block in
    unsafe kernel.assumingMemoryBound(to: InputKernel.self).pointee.render(
      block.assumingMemoryBound(to: RenderBlock.self).pointee)
  }

  @_noAllocation @_noLocks
  private mutating func render(_ block: RenderBlock) {
    let output = block.output(0)
    if !isRunning { begin() }
    let done = !isRunning ? 0 : isExact ? pass(output) : stretch(output)
    guard done < AudioFormat.quantum else { return }
    isRunning = false
    for channel in 0..<channelCount {
      for frame in done..<AudioFormat.quantum { unsafe output.channel(channel)[frame] = 0 }
    }
    if hasBegun { missedFrames.add(AudioFormat.quantum &- done, ordering: .relaxed) }
  }

  /// Starts when enough frames are buffered, with silence before the first.
  @_noAllocation @_noLocks
  private mutating func begin() {
    guard ring.count >= heldFrames &* channelCount else { return }
    (isRunning, hasBegun) = (true, true)
    (held, place, part, excess) = (Self.reach, Self.reach, 0, 0)
    unsafe frames.update(repeating: 0, count: channelCount &* Self.capacity)
  }

  /// Plays frames unchanged; returns their number.
  @_noAllocation @_noLocks
  private func pass(_ output: Bus) -> Int {
    let count = min(AudioFormat.quantum, ring.count / channelCount)
    for frame in 0..<count {
      for channel in 0..<channelCount {
        unsafe output.channel(channel)[frame] = ring.pop() ?? 0
      }
    }
    return count
  }

  /// Plays frames at the speed that keeps the buffer at its target; returns their number.
  @_noAllocation @_noLocks
  private mutating func stretch(_ output: Bus) -> Int {
    let speed = speed()
    for frame in 0..<AudioFormat.quantum {
      while held < place &+ Self.reach &+ 1 { guard pull() else { return frame } }
      weigh()
      for channel in 0..<channelCount {
        unsafe output.channel(channel)[frame] = interpolated(channel)
      }
      part += speed
      let whole = Int(part)
      place &+= whole
      part -= Double(whole)
    }
    return AudioFormat.quantum
  }

  /// Computes the speed with a critically damped second-order loop at 0.2 rad/s.
  ///
  /// A filter of 0.5 s in front of the loop smooths the steps in which frames are written.
  @_noAllocation @_noLocks
  private mutating func speed() -> Double {
    let waiting = Double(ring.count / channelCount &+ held &- place &- Self.reach) - part
    let seconds = Double(AudioFormat.quantum) / framesPerSecond
    excess += ((waiting - Double(heldFrames)) / framesPerSecond - excess) * min(1, 2 * seconds)
    drift = min(0.005, max(-0.005, drift + 0.04 * excess * seconds))
    ratio.store((1 + drift).bitPattern, ordering: .relaxed)
    return 1 + min(0.01, max(-0.01, drift + 0.4 * excess))
  }

  /// Receives one frame, and removes old frames if the buffer is full.
  @_noAllocation @_noLocks
  private mutating func pull() -> Bool {
    guard ring.count >= channelCount else { return false }
    if held == Self.capacity {
      let passed = place &- Self.reach
      for channel in 0..<channelCount {
        let samples = unsafe frames + channel &* Self.capacity
        for frame in 0..<held &- passed { unsafe samples[frame] = samples[frame &+ passed] }
      }
      held &-= passed
      place &-= passed
    }
    for channel in 0..<channelCount {
      unsafe frames[channel &* Self.capacity &+ held] = ring.pop() ?? 0
    }
    held &+= 1
    return true
  }

  @_noAllocation @_noLocks
  private func weigh() {
    for index in 0..<2 &* Self.reach {
      unsafe weights[index] = table.value(
        at: Float(Double(index &- Self.reach &+ 1) - part))
    }
  }

  @_noAllocation @_noLocks
  private func interpolated(_ channel: Int) -> Float {
    let samples = unsafe frames + (channel &* Self.capacity &+ place &- Self.reach &+ 1)
    var sum: Float = 0
    for index in 0..<2 &* Self.reach { unsafe sum += samples[index] * weights[index] }
    return sum
  }
}
