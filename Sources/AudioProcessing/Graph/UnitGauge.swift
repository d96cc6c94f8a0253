// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// The measurements that the render thread publishes for one unit.
@safe
final class UnitGauge: @unchecked Sendable {
  // Unchecked: the pointer refers only to atomics.

  /// The render thread is the only writer.
  struct Numbers: ~Copyable {
    /// The number of faulty samples that were replaced by silence.
    let faults = Atomic<Int>(0)
    /// The number of timed quanta, their total time and the longest time, in nanoseconds.
    let timedQuanta = Atomic<Int>(0)
    let nanoseconds = Atomic<Int>(0)
    let longest = Atomic<Int>(0)
  }

  let pointer: UnsafeMutablePointer<Numbers>

  init() {
    unsafe pointer = .allocate(capacity: 1)
    unsafe pointer.initialize(to: Numbers())
  }

  deinit {
    unsafe pointer.deinitialize(count: 1).deallocate()
  }
}

/// The faults and processing time of one unit.
public struct UnitReport: Hashable, Sendable {
  /// The unit's name.
  public let name: String
  /// The number of NaN, infinite or excessively large samples that were replaced by silence.
  public let faultySampleCount: Int
  /// The number of quanta whose processing time was measured, while `RenderPlan.measuresLoad` was
  /// true.
  public let timedQuantumCount: Int
  /// The mean processing time of a quantum, in nanoseconds; 0 if none was measured.
  public let meanNanoseconds: Double
  /// The longest processing time of a quantum, in nanoseconds.
  public let longestNanoseconds: Int

  init(_ name: String, _ gauge: UnitGauge) {
    let numbers = unsafe gauge.pointer
    self.name = name
    faultySampleCount = unsafe numbers.pointee.faults.load(ordering: .relaxed)
    let count = unsafe numbers.pointee.timedQuanta.load(ordering: .relaxed)
    timedQuantumCount = count
    let sum = unsafe numbers.pointee.nanoseconds.load(ordering: .relaxed)
    meanNanoseconds = Double(sum) / Double(max(1, count))
    longestNanoseconds = unsafe numbers.pointee.longest.load(ordering: .relaxed)
  }
}
