// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime
internal import Synchronization

/// The render side of a mixer: adds stereo strips, each times its two gains.
///
/// What the control side sets is read once a quantum and reached in a straight line; what was
/// measured is left behind for it.
@safe
struct MixerKernel: ~Copyable {
  /// The gains the control side wants, left in the upper half, as bit patterns.
  typealias Target = Atomic<UInt64>
  /// The level last measured: peak, mean square and maximum, as bit patterns.
  struct Gauge: ~Copyable {
    let peak = Atomic<UInt32>(0)
    let meanSquare = Atomic<UInt32>(0)
    let maximum = Atomic<UInt32>(0)
  }

  private struct Strip: BitwiseCopyable {
    var wanted: UInt64
    var left: ParameterRamp
    var right: ParameterRamp
  }

  private let count: Int
  private let rampFrames: Int
  private let strips: UnsafeMutablePointer<Strip>
  private let meters: UnsafeMutablePointer<LevelMeter>
  // Written by the control side, read by the render thread.
  private let targets: UnsafeMutablePointer<Target>
  // Written by the render thread, read by the control side.
  private let gauges: UnsafeMutablePointer<Gauge>

  /// Creates a kernel; the last gain and the last pair of gauges belong to the sum.
  init(stripCount: Int, rate: SampleRate) {
    count = stripCount
    rampFrames = Int(rate.hertz) / 200
    unsafe strips = .allocate(capacity: count + 1)
    unsafe targets = .allocate(capacity: count + 1)
    let unity = Self.pack(1, 1)
    let strip = Strip(wanted: unity, left: ParameterRamp(1), right: ParameterRamp(1))
    for index in 0...count {
      unsafe (strips + index).initialize(to: strip)
      unsafe (targets + index).initialize(to: Atomic(unity))
    }
    unsafe meters = .allocate(capacity: 2 * count + 2)
    unsafe gauges = .allocate(capacity: 2 * count + 2)
    for index in 0..<2 * count + 2 {
      unsafe (meters + index).initialize(to: LevelMeter(rate: rate))
      unsafe (gauges + index).initialize(to: Gauge())
    }
  }

  deinit {
    unsafe strips.deallocate()
    unsafe meters.deallocate()
    unsafe targets.deinitialize(count: count + 1).deallocate()
    unsafe gauges.deinitialize(count: 2 * count + 2).deallocate()
  }

  static let function: RenderStep.Function = { kernel, block in
    unsafe kernel.assumingMemoryBound(to: MixerKernel.self).pointee.render(
      block.assumingMemoryBound(to: RenderBlock.self).pointee)
  }

  @_noAllocation @_noLocks
  private mutating func render(_ block: RenderBlock) {
    let sum = block.output(0)
    sum.clear()
    for index in 0..<count {
      let input = block.input(index)
      let strip = unsafe aim(index)
      unsafe mix(input.channel(0), &strip.pointee.left, sum.channel(0), meter: 2 &* index)
      unsafe mix(input.channel(1), &strip.pointee.right, sum.channel(1), meter: 2 &* index &+ 1)
    }
    let last = unsafe aim(count)
    unsafe finish(sum.channel(0), &last.pointee.left, meter: 2 &* count)
    unsafe finish(sum.channel(1), &last.pointee.right, meter: 2 &* count &+ 1)
  }

  /// Sets a strip off for what the control side wants.
  @_noAllocation @_noLocks
  private func aim(_ index: Int) -> UnsafeMutablePointer<Strip> {
    // Not `strips[index]`: the compiler fails on it where the thread sanitizer is on (6.3.1).
    let strip = unsafe strips + index
    let wanted = unsafe targets[index].load(ordering: .relaxed)
    guard unsafe wanted != strip.pointee.wanted else { return unsafe strip }
    unsafe strip.pointee.wanted = wanted
    let left = Float(bitPattern: UInt32(truncatingIfNeeded: wanted >> 32))
    let right = Float(bitPattern: UInt32(truncatingIfNeeded: wanted))
    unsafe strip.pointee.left.move(to: left, over: rampFrames)
    unsafe strip.pointee.right.move(to: right, over: rampFrames)
    return unsafe strip
  }

  /// Adds one channel of a strip to the sum and measures what was added.
  @_noAllocation @_noLocks
  private func mix(
    _ source: UnsafePointer<Float>, _ gain: inout ParameterRamp,
    _ sum: UnsafeMutablePointer<Float>, meter: Int
  ) {
    unsafe gain.mix(source, into: sum)
    unsafe meters[meter].measure(source, times: gain.value)
    publish(meter)
  }

  /// Applies the gain of the sum and measures the result.
  @_noAllocation @_noLocks
  private func finish(
    _ sum: UnsafeMutablePointer<Float>, _ gain: inout ParameterRamp, meter: Int
  ) {
    unsafe gain.scale(sum)
    unsafe meters[meter].measure(sum, times: 1)
    publish(meter)
  }

  @_noAllocation @_noLocks
  private func publish(_ index: Int) {
    let level = unsafe meters[index].level
    unsafe gauges[index].peak.store(level.peak.bitPattern, ordering: .relaxed)
    unsafe gauges[index].meanSquare.store(level.meanSquare.bitPattern, ordering: .relaxed)
    unsafe gauges[index].maximum.store(level.maximum.bitPattern, ordering: .relaxed)
  }
}

extension MixerKernel {
  private static func pack(_ left: Float, _ right: Float) -> UInt64 {
    UInt64(left.bitPattern) << 32 | UInt64(right.bitPattern)
  }

  /// Asks for two gains, on the control side; strip `count` is the sum.
  func setGains(_ left: Float, _ right: Float, strip: Int) {
    unsafe targets[strip].store(Self.pack(left, right), ordering: .relaxed)
  }

  /// The level of one channel of a strip, on the control side.
  func level(channel: Int, strip: Int) -> Level {
    var level = Level()
    let index = 2 * strip + channel
    level.peak = unsafe Float(bitPattern: gauges[index].peak.load(ordering: .relaxed))
    level.meanSquare = unsafe Float(bitPattern: gauges[index].meanSquare.load(ordering: .relaxed))
    level.maximum = unsafe Float(bitPattern: gauges[index].maximum.load(ordering: .relaxed))
    return level
  }
}
