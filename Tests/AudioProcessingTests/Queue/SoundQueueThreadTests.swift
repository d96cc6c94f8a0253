// SPDX-License-Identifier: Apache-2.0
import AudioProcessing
import AudioTestSupport
import MusicalTime
import Synchronization
import TestSupport
import Testing

/// A queue that an output renders, another thread observes and its completions feed.
@Suite struct SoundQueueThreadTests {
  /// Feeds a queue with buffers in turn, each as soon as it is returned.
  private final class Feeder: Sendable {
    private let queue: SoundQueue
    private let state = Mutex((next: 0, done: 0))
    private let limit: Int

    init(_ queue: SoundQueue, limit: Int) {
      self.queue = queue
      self.limit = limit
    }

    var isDone: Bool { state.withLock { $0.done == limit } }

    func feed(_ buffer: SoundBuffer) {
      let number = state.withLock { state in
        defer { state.next += 1 }
        return state.next
      }
      guard number < limit else { return }
      buffer.withSamples(of: 0) { span in
        for index in span.indices { span[index] = Float(number * span.count + index + 1) }
      }
      do {
        try queue.enqueue(buffer) { [self] done in
          state.withLock { $0.done += 1 }
          #expect(done.reason == .played)
          feed(buffer)
        }
      } catch {
        Issue.record(error)
      }
    }
  }

  /// Keeps the samples that are not silent, as many as expected and one more.
  @safe
  private struct Keeper: SoundKernel, @unchecked Sendable {
    // Unchecked: the render thread writes, and the test reads only after the output has stopped.
    let samples: UnsafeMutableBufferPointer<Float>
    var count = 0

    mutating func render(_ block: SoundBlock) {
      let input = block.input(0)
      for frame in 0..<block.frameCount where input[frame] != 0 && count <= 20_000 {
        unsafe samples[count] = input[frame]
        count += 1
      }
    }
  }

  @Test func `buffers circulate between three threads, and every frame plays once, in order`()
    async throws
  {
    let queue = SoundQueue(channelCount: 1, rate: Rate.studio)
    let samples = UnsafeMutableBufferPointer<Float>.allocate(capacity: 20_001)
    unsafe samples.initialize(repeating: 0)
    defer { unsafe samples.deallocate() }
    let keeper = unsafe KernelUnit(
      Keeper(samples: samples), name: "keeper", inputs: [1], outputs: [], rate: Rate.studio)
    var graph = AudioGraph()
    let node = graph.add(queue)
    try graph.connect(node, to: graph.add(keeper))
    try graph.setHead(node)
    let output = NullOutputUnit(
      format: AudioFormat(rate: Rate.studio, channelCount: 1), periodFrames: 64)
    let feeder = Feeder(queue, limit: 200)
    for _ in 0..<8 { feeder.feed(SoundBuffer(channelCount: 1, capacity: 100)) }
    let events = queue.events
    try queue.follow(output)
    try queue.start()
    try output.start(try graph.compile())
    for await event in events {
      if case .done = event, feeder.isDone { break }
    }
    output.stop(draining: false)
    queue.stopFollowing()
    let isRight = unsafe Array(samples) == (1...20_000).map { Float($0) } + [0]
    #expect(isRight)
  }
}
