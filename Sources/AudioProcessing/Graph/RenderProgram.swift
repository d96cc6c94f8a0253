// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime
internal import Realtime
internal import Synchronization

/// The steps of a compiled graph, for the render thread.
///
/// - Note: Real-time safe.
@safe
struct RenderProgram: BitwiseCopyable {
  /// One unit with its buses and its gauge.
  @safe
  struct Step: BitwiseCopyable {
    let step: RenderStep
    var block: RenderBlock
    let gauge: UnsafeMutablePointer<UnitGauge.Numbers>
    /// All output channels of the step, in sequence.
    let output: UnsafeMutablePointer<Float>?
    let outputChannelCount: Int
  }

  let steps: UnsafeMutablePointer<Step>
  let stepCount: Int
  /// The bus that goes to the output.
  let head: Bus
  /// The number of quanta before the next program replaces this one.
  let quantumCount: Int
  /// The program after a transition.
  var next: UnsafeMutablePointer<RenderProgram>?

  init(steps: UnsafeMutablePointer<Step>, stepCount: Int, head: Bus, quantumCount: Int) {
    unsafe self.steps = steps
    self.stepCount = stepCount
    self.head = head
    self.quantumCount = quantumCount
    unsafe next = nil
  }

  /// Renders one quantum; returns the number of faulty samples that were replaced by silence.
  @_noAllocation @_noLocks
  func render(at start: SampleTime, measuringLoad: Bool) -> Int {
    var faults = 0
    for index in 0..<stepCount {
      let step = unsafe steps + index
      let began = measuringLoad ? Self.now() : 0
      unsafe step.pointee.block.start = start
      // Vouched for: every kernel is checked on its own, and a call through a pointer neither
      // allocates nor locks.
      unsafe _unsafePerformance {
        unsafe step.pointee.step.function(step.pointee.step.kernel, &step.pointee.block)
      }
      unsafe faults &+= Self.silenceFaults(step)
      if measuringLoad { unsafe Self.count(Self.now() - began, step.pointee.gauge) }
    }
    return faults
  }

  /// Replaces faulty samples by silence, so that they do not stay in filters.
  @_noAllocation @_noLocks
  private static func silenceFaults(_ step: UnsafeMutablePointer<Step>) -> Int {
    guard let output = unsafe step.pointee.output else { return 0 }
    let channelCount = unsafe step.pointee.outputChannelCount
    if unsafe SampleLoop.isFinite(output, channelCount: channelCount) { return 0 }
    var faults = 0
    for index in 0..<channelCount &* AudioFormat.quantum {
      // Large finite samples are also replaced, because their sums can become infinite.
      if unsafe output[index].magnitude < 1e30 { continue }
      unsafe output[index] = 0
      faults &+= 1
    }
    let gauge = unsafe step.pointee.gauge
    unsafe gauge.pointee.faults.store(
      gauge.pointee.faults.load(ordering: .relaxed) &+ faults, ordering: .relaxed)
    return faults
  }

  @_noAllocation @_noLocks
  private static func count(_ nanoseconds: Int64, _ gauge: UnsafeMutablePointer<UnitGauge.Numbers>)
  {
    let time = Int(truncatingIfNeeded: nanoseconds)
    unsafe gauge.pointee.timedQuanta.store(
      gauge.pointee.timedQuanta.load(ordering: .relaxed) &+ 1, ordering: .relaxed)
    unsafe gauge.pointee.nanoseconds.store(
      gauge.pointee.nanoseconds.load(ordering: .relaxed) &+ time, ordering: .relaxed)
    if unsafe time > gauge.pointee.longest.load(ordering: .relaxed) {
      unsafe gauge.pointee.longest.store(time, ordering: .relaxed)
    }
  }

  @_noAllocation @_noLocks
  private static func now() -> Int64 {
    // Vouched for: the clock is read in user space, and only while the load is measured.
    unsafe _unsafePerformance { DeadlineWait.now }
  }
}
