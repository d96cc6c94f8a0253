// SPDX-License-Identifier: Apache-2.0
import AudioProcessing
import AudioTestSupport
import CAllocationCounter
import MusicalTime
import TestSupport
import Testing

/// Counts allocations, releases and locks on the render thread of a queue; all must be zero.
@Suite(.enabled(if: callocationcounter_works(), "a sanitizer replaces the allocator"))
struct SoundQueueAllocationTests {
  @Test func `rendering a queue through all its features allocates and locks nothing`()
    throws
  {
    let queue = SoundQueue(rate: Rate.studio)
    let listener = try PlanListener(queue)
    listener.plan.render(at: 0)
    var random = SplitMix(seed: 1)
    var frame: Int64 = 64
    for round in 0..<200 {
      try command(queue, round, frame, &random)
      callocationcounter_begin()
      for _ in 0..<5 {
        listener.plan.render(at: SampleTime(frames: frame))
        frame += 64
      }
      let counts = callocationcounter_end()
      #expect(counts.allocations == 0 && counts.frees == 0 && counts.locks == 0, "round \(round)")
    }
    queue.deliver()
    #expect(queue.level(of: 0).maximum > 0.1 && queue.lateCount > 0 && queue.dryCount > 0)
  }

  private func command(
    _ queue: SoundQueue, _ round: Int, _ frame: Int64, _ random: inout SplitMix
  ) throws {
    for _ in 0..<Int.random(in: 0...4, using: &random) {
      let start = frame + Int64.random(in: -100...100, using: &random)
      try queue.enqueue(
        SoundBuffer(interleaved: [Float](repeating: 0.5, count: 2 * 150)),
        at: round % 3 == 0 ? .frame(SampleTime(frames: start)) : nil, trimStart: round % 7,
        changes: round % 4 == 0 ? [.init(.gain, to: 1.5), .init(.speed, to: 0.75)] : [])
    }
    switch round % 10 {
    case 4: try queue.pause()
    case 6: try queue.flush()
    case 7: try queue.stop()
    case 8: try queue.stop(draining: true)
    case 9: queue.set(.speed, to: Float.random(in: 0.25...4, using: &random), over: 0.01)
    default: try queue.start()
    }
  }
}
