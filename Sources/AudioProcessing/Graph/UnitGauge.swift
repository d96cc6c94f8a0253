// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// What the render thread tells of one unit.
@safe
final class UnitGauge: @unchecked Sendable {
  // Unchecked: only atomics lie at the pointer.

  /// Written by the render thread only.
  struct Numbers: ~Copyable {
    /// Samples that were no numbers and became silence.
    let faults = Atomic<Int>(0)
    /// Quanta that were timed, the time of all of them and of the longest, in nanoseconds.
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

/// What a unit has done, as the render thread tells it.
public struct UnitReport: Hashable, Sendable {
  /// The unit's name.
  public let name: String
  /// Samples that were no numbers and became silence.
  public let faultySampleCount: Int
  /// Quanta that were timed, while `RenderPlan.measuresLoad` was on.
  public let timedQuantumCount: Int
  /// The mean time of a quantum, in nanoseconds.
  public let meanNanoseconds: Double
  /// The longest time of a quantum, in nanoseconds.
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
