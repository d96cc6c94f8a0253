// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime
internal import Synchronization

/// Meters, and what they show to the control side.
///
/// - Note: Real-time safe but for creation and destruction.
@safe
struct LevelGauges: ~Copyable {
  /// The squares last measured, as bit patterns; written by the render thread.
  private struct Gauge: ~Copyable {
    let peak = Atomic<UInt32>(0)
    let mean = Atomic<UInt32>(0)
    let maximum = Atomic<UInt32>(0)
  }

  private let count: Int
  private let meters: UnsafeMutablePointer<LevelMeter>
  private let gauges: UnsafeMutablePointer<Gauge>

  /// Creates gauges at rest; `quantumCount` is how many quanta each takes at a time.
  init(count: Int, rate: SampleRate, quantumCount: Int = 1) {
    self.count = count
    unsafe meters = .allocate(capacity: count)
    unsafe gauges = .allocate(capacity: count)
    for index in 0..<count {
      unsafe (meters + index).initialize(to: LevelMeter(rate: rate, quantumCount: quantumCount))
      unsafe (gauges + index).initialize(to: Gauge())
    }
  }

  deinit {
    unsafe meters.deallocate()
    unsafe gauges.deinitialize(count: count).deallocate()
  }

  /// Takes what was measured of a channel, on the render thread.
  @_noAllocation @_noLocks
  func take(_ power: Power, _ index: Int) {
    unsafe meters[index].take(power)
    let squares = unsafe meters[index].squares
    let gauge = unsafe gauges + index
    unsafe gauge.pointee.peak.store(squares.peak.bitPattern, ordering: .relaxed)
    unsafe gauge.pointee.mean.store(squares.mean.bitPattern, ordering: .relaxed)
    unsafe gauge.pointee.maximum.store(squares.maximum.bitPattern, ordering: .relaxed)
  }

  /// What a meter shows, on any thread.
  func level(_ index: Int) -> Level {
    let gauge = unsafe gauges + index
    return unsafe LevelSquares(
      peak: Float(bitPattern: gauge.pointee.peak.load(ordering: .relaxed)),
      mean: Float(bitPattern: gauge.pointee.mean.load(ordering: .relaxed)),
      maximum: Float(bitPattern: gauge.pointee.maximum.load(ordering: .relaxed))
    ).level
  }
}
