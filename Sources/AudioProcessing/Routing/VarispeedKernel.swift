// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime
internal import Synchronization

/// The render side of a varispeed.
@safe
struct VarispeedKernel: ~Copyable {
  let innerFrame = Atomic<Int64>(0)

  private let plan: Unmanaged<RenderPlan>
  private let source: Bus
  private let bank: ParameterBank
  private var interpolator = SincInterpolator()
  /// Frames of the inner graph, channel by channel; the first `held` are valid.
  private let frames: UnsafeMutablePointer<Float>
  private var held: Int
  /// The position of the next frame among them.
  private var place: Int
  private var part = 0.0

  /// The frames on each side that the widest sinc (at speed 4) needs.
  private static var reach: Int {
    @_noAllocation @_noLocks
    get { SincInterpolator.reach }
  }

  private static var capacity: Int {
    @_noAllocation @_noLocks
    get { 1024 }
  }

  /// Creates a kernel; the caller retains the plan.
  init(_ plan: RenderPlan, bank: ParameterBank) {
    unsafe self.plan = Unmanaged.passUnretained(plan)
    source = plan.output
    self.bank = bank
    let count = source.channelCount * Self.capacity
    unsafe frames = .allocate(capacity: count)
    unsafe frames.initialize(repeating: 0, count: count)
    // The frames before the first are silent.
    held = Self.reach
    place = Self.reach
  }

  deinit {
    unsafe frames.deallocate()
  }

  static let function: RenderStep.Function = { kernel, block in
    unsafe kernel.assumingMemoryBound(to: VarispeedKernel.self).pointee.render(
      block.assumingMemoryBound(to: RenderBlock.self).pointee)
  }

  @_noAllocation @_noLocks
  private mutating func render(_ block: RenderBlock) {
    _ = bank.advance(startFrame: block.start.frames)
    let speed = unsafe bank.curve(0)
    let output = block.output(0)
    for frame in 0..<AudioFormat.quantum {
      while held < place &+ Self.reach &+ 1 { pull() }
      let now = unsafe speed[frame]
      if part == 0, now == 1 {
        for channel in 0..<output.channelCount {
          unsafe output.channel(channel)[frame] = frames[channel &* Self.capacity &+ place]
        }
      } else {
        interpolate(output, frame, speed: now)
      }
      part += Double(now)
      let whole = Int(part)
      place &+= whole
      part -= Double(whole)
    }
  }

  /// Renders a quantum of the inner graph, and removes old frames if necessary.
  @_noAllocation @_noLocks
  private mutating func pull() {
    if held &+ AudioFormat.quantum > Self.capacity {
      let passed = place &- Self.reach
      for channel in 0..<source.channelCount {
        let samples = unsafe frames + channel &* Self.capacity
        for frame in 0..<held &- passed { unsafe samples[frame] = samples[frame &+ passed] }
      }
      held &-= passed
      place &-= passed
    }
    let start = innerFrame.load(ordering: .relaxed)
    unsafe plan._withUnsafeGuaranteedRef { $0.render(at: SampleTime(frames: start)) }
    for channel in 0..<source.channelCount {
      let samples = unsafe frames + (channel &* Self.capacity &+ held)
      for frame in 0..<AudioFormat.quantum {
        unsafe samples[frame] = source.channel(channel)[frame]
      }
    }
    held &+= AudioFormat.quantum
    innerFrame.store(start &+ Int64(truncatingIfNeeded: AudioFormat.quantum), ordering: .releasing)
  }

  /// Interpolates each channel at the position with a sinc.
  @_noAllocation @_noLocks
  private mutating func interpolate(_ output: Bus, _ frame: Int, speed: Float) {
    interpolator.aim(at: part, speed: speed)
    for channel in 0..<output.channelCount {
      let sample = unsafe frames + (channel &* Self.capacity &+ place)
      unsafe output.channel(channel)[frame] = interpolator.value(around: UnsafePointer(sample))
    }
  }
}
