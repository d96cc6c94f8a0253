// SPDX-License-Identifier: Apache-2.0
import AudioProcessing
import AudioTestSupport
import CAllocationCounter
import Glibc
import MusicalTime
import Realtime
import Synchronization

/// Measures the render thread in each block between two places in a graph, on a paced output.
@safe
final class BlockMeter: @unchecked Sendable {
  // Unchecked: the render thread writes; `sums` are read after it has ended, `lastSample` at any
  // time.

  /// Totals over all blocks.
  struct Sums {
    var blockCount = 0
    var allocations = 0
    var locks = 0
    /// The most processor time of a block, in nanoseconds.
    var longest: Int64 = 0
    /// Number of blocks that took longer than their duration, by wall-clock time.
    var lateCount = 0
    /// Number of late blocks in which the thread itself waited, or used all the time; other
    /// programs delayed the rest.
    var ownLateCount = 0
    var wall: Int64 = 0
    var processor: Int64 = 0
    var waits = 0
  }

  private let place: UnsafeMutablePointer<Sums>
  private let last: UnsafeMutablePointer<Atomic<UInt32>>

  init() {
    unsafe place = .allocate(capacity: 1)
    unsafe place.initialize(to: Sums())
    unsafe last = .allocate(capacity: 1)
    unsafe last.initialize(to: Atomic(0))
  }

  deinit {
    unsafe place.deallocate()
    unsafe last.deinitialize(count: 1).deallocate()
  }

  /// The measurements so far.
  var sums: Sums { unsafe place.pointee }

  /// The last sample of the last block.
  var lastSample: Float { unsafe Float(bitPattern: last.pointee.load(ordering: .relaxed)) }

  /// A graph that measures a unit, with a constant at the unit's input if it has one.
  func graph(_ unit: any ProcessingUnit) throws -> AudioGraph {
    let begin = unsafe KernelUnit(Begin(place: place), name: "begin", rate: Rate.studio)
    let end = unsafe KernelUnit(
      End(place: place, last: last), name: "end", inputs: [2, 2], outputs: [2], rate: Rate.studio)
    var graph = AudioGraph()
    let (first, middle, last) = (graph.add(begin), graph.add(unit), graph.add(end))
    if !unit.inputChannelCounts.isEmpty { try graph.connect(first, to: middle) }
    // The source of the first input is rendered first.
    try graph.connect(first, to: last)
    try graph.connect(middle, to: last, input: 1)
    try graph.setHead(last)
    return graph
  }

  private static var processorTime: Int64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  /// `RUSAGE_THREAD`, which Swift's module of the C library omits.
  private static let thread = __rusage_who_t(1)

  /// Number of times that the thread has waited so far.
  private static var waits: Int {
    var usage = rusage()
    unsafe getrusage(thread, &usage)
    return usage.ru_nvcsw
  }

  @safe
  private struct Begin: SoundKernel {
    nonisolated(unsafe) let place: UnsafeMutablePointer<Sums>

    func render(_ block: SoundBlock) {
      for channel in 0..<2 {
        var output = block.output(channel)
        for frame in 0..<block.frameCount { output[frame] = 0.5 }
      }
      unsafe place.pointee.waits = BlockMeter.waits
      unsafe place.pointee.processor = BlockMeter.processorTime
      unsafe place.pointee.wall = DeadlineWait.now
      if callocationcounter_works() { callocationcounter_begin() }
    }
  }

  @safe
  private struct End: SoundKernel {
    nonisolated(unsafe) let place: UnsafeMutablePointer<Sums>
    nonisolated(unsafe) let last: UnsafeMutablePointer<Atomic<UInt32>>

    func render(_ block: SoundBlock) {
      var sums = unsafe place.pointee
      if callocationcounter_works() {
        let counts = callocationcounter_end()
        sums.allocations += counts.allocations + counts.frees
        sums.locks += counts.locks
      }
      let period = Int64(block.frameCount) * 1_000_000_000 / Int64(Rate.studio.hertz)
      let wall = DeadlineWait.now - sums.wall
      let processor = BlockMeter.processorTime - sums.processor
      sums.blockCount += 1
      sums.longest = max(sums.longest, processor)
      if wall > period {
        sums.lateCount += 1
        if processor > period || BlockMeter.waits > sums.waits { sums.ownLateCount += 1 }
      }
      for channel in 0..<2 {
        let input = block.input(channel, of: 1)
        var output = block.output(channel)
        for frame in 0..<block.frameCount { output[frame] = input[frame] }
      }
      let sample = block.input(0, of: 1)[block.frameCount - 1]
      unsafe last.pointee.store(sample.bitPattern, ordering: .relaxed)
      unsafe place.pointee = sums
    }
  }
}
