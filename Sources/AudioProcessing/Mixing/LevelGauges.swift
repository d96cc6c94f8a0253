// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime
internal import Synchronization

/// Meters on the render thread, with results for other threads.
///
/// - Note: Real-time safe except for creation and destruction.
@safe
struct LevelGauges: ~Copyable {
  /// The last measured squares, as bit patterns.
  ///
  /// The render thread writes them.
  private struct Gauge: ~Copyable {
    let peak = Atomic<UInt32>(0)
    let mean = Atomic<UInt32>(0)
    let maximum = Atomic<UInt32>(0)
  }

  private let count: Int
  private let meters: UnsafeMutablePointer<LevelMeter>
  private let gauges: UnsafeMutablePointer<Gauge>

  /// Creates meters at rest; `quantumCount` is the number of quanta of each measurement.
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

  /// Updates the meter of a channel with a measurement, on the render thread.
  @_noAllocation @_noLocks
  func take(_ power: Power, _ index: Int) {
    unsafe meters[index].take(power)
    let squares = unsafe meters[index].squares
    let gauge = unsafe gauges + index
    unsafe gauge.pointee.peak.store(squares.peak.bitPattern, ordering: .relaxed)
    unsafe gauge.pointee.mean.store(squares.mean.bitPattern, ordering: .relaxed)
    unsafe gauge.pointee.maximum.store(squares.maximum.bitPattern, ordering: .relaxed)
  }

  /// The level of a channel, on any thread.
  func level(_ index: Int) -> Level {
    let gauge = unsafe gauges + index
    return unsafe LevelSquares(
      peak: Float(bitPattern: gauge.pointee.peak.load(ordering: .relaxed)),
      mean: Float(bitPattern: gauge.pointee.mean.load(ordering: .relaxed)),
      maximum: Float(bitPattern: gauge.pointee.maximum.load(ordering: .relaxed))
    ).level
  }
}
