// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import MusicalTime
internal import Synchronization

/// The render side of a time-pitch unit.
@safe
struct TimePitchKernel: ~Copyable {
  let innerFrame = Atomic<Int64>(0)

  private let plan: Unmanaged<RenderPlan>
  private let stretcher: StretcherHandle
  private let bank: ParameterBank
  private let channelCount: Int
  /// Channel pointers to the inner graph's output and to the unit's output bus.
  private let input: UnsafeMutablePointer<UnsafePointer<Float>?>
  private let output: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>
  private var speed: Float = 1
  private var cents: Float = 0

  /// The most inner quanta rendered for one output quantum, enough to fill the longest window at
  /// speed 4.
  private static var pullLimit: Int {
    @_noAllocation @_noLocks
    get { 1024 }
  }

  /// Creates a kernel; the caller keeps the plan alive.
  init(_ plan: RenderPlan, _ stretcher: consuming StretcherHandle, bank: ParameterBank) {
    unsafe self.plan = Unmanaged.passUnretained(plan)
    self.stretcher = stretcher
    self.bank = bank
    channelCount = plan.output.channelCount
    unsafe input = .allocate(capacity: channelCount)
    unsafe output = .allocate(capacity: channelCount)
    for channel in 0..<channelCount {
      unsafe (input + channel).initialize(to: UnsafePointer(plan.output.channel(channel)))
      unsafe (output + channel).initialize(to: nil)
    }
  }

  deinit {
    unsafe input.deallocate()
    unsafe output.deallocate()
  }

  static let function: RenderStep.Function = { kernel, block in
    unsafe kernel.assumingMemoryBound(to: TimePitchKernel.self).pointee.render(
      block.assumingMemoryBound(to: RenderBlock.self).pointee)
  }

  @_noAllocation @_noLocks
  private mutating func render(_ block: RenderBlock) {
    _ = bank.advance(startFrame: block.start.frames)
    follow(speed: unsafe bank.curve(0)[0], cents: unsafe bank.curve(1)[0])
    let bus = block.output(0)
    var pulled = 0
    while stretcher.available < AudioFormat.quantum {
      guard pulled < Self.pullLimit else { return bus.clear() }
      pull()
      pulled &+= 1
    }
    for channel in 0..<channelCount { unsafe output[channel] = bus.channel(channel) }
    unsafe stretcher.retrieve(output)
  }

  @_noAllocation @_noLocks
  private mutating func follow(speed: Float, cents: Float) {
    guard speed != self.speed || cents != self.cents else { return }
    self.speed = speed
    self.cents = cents
    stretcher.set(speed: speed, cents: cents)
  }

  /// Renders one quantum of the inner graph and feeds it to the stretcher.
  @_noAllocation @_noLocks
  private func pull() {
    let start = innerFrame.load(ordering: .relaxed)
    unsafe plan._withUnsafeGuaranteedRef { $0.render(at: SampleTime(frames: start)) }
    unsafe stretcher.process(input)
    innerFrame.store(start &+ Int64(truncatingIfNeeded: AudioFormat.quantum), ordering: .releasing)
  }
}
