// SPDX-License-Identifier: Apache-2.0
import AudioProcessing
import AudioTestSupport
import MusicalTime
import Synchronization
import Testing

/// A queue rendered in pieces, without an output.
@Suite struct QueueRendererTests {
  private let queue = SoundQueue(channelCount: 1, rate: Rate.studio)

  private func count(_ frames: Range<Int>) -> [Float] { frames.map { Float($0) / 1_000_000 } }

  private func enqueue(_ frames: Range<Int>) throws {
    try queue.enqueue(SoundBuffer(interleaved: count(frames), channelCount: 1))
  }

  @Test(arguments: [1, 63, 64, 65, 1000])
  func `pieces of any length contain the buffers, bit for bit`(length: Int) throws {
    let renderer = try QueueRenderer(queue)
    for first in stride(from: 0, to: 3000, by: 300) { try enqueue(first..<first + 300) }
    try queue.start()
    var heard: [Float] = []
    while true {
      let piece = renderer.read(length)
      heard += piece
      if piece.count < length { break }
    }
    #expect(heard.elementsEqual(count(0..<3000)))
    #expect(renderer.position.frames == 3000)
  }

  @Test func `a buffer enqueued when the queue has just run out leaves no gap`() throws {
    let renderer = try QueueRenderer(queue)
    try queue.start()
    var next = 0
    var heard: [Float] = []
    while heard.count < 1000 {
      let piece = renderer.read(1000 - heard.count) {
        guard queue.waitingCount == 0, next < 1000 else { return }
        do { try enqueue(next..<next + 10) } catch { Issue.record(error) }
        next += 10
      }
      if piece.isEmpty { break }
      heard += piece
    }
    #expect(heard.elementsEqual(count(0..<1000)))
    #expect(renderer.read(10).isEmpty)
  }

  @Test func `a stopped queue returns its fade and then nothing`() throws {
    let renderer = try QueueRenderer(queue)
    try enqueue(0..<48_000)
    try queue.start()
    #expect(renderer.read(1000).count == 1000)
    try queue.stop()
    // The quantum rendered before, and a fade of 5 ms.
    #expect(renderer.read(48_000).count <= 240 + 64)
    #expect(renderer.read(1).isEmpty && queue.waitingCount == 0 && !queue.isRunning)
  }

  @Test func `a stop takes effect without sound`() throws {
    let renderer = try QueueRenderer(queue)
    try enqueue(0..<100)
    let reasons = Mutex<[SoundQueue.Done.Reason]>([])
    try queue.enqueue(SoundBuffer(channelCount: 1, capacity: 100)) { done in
      reasons.withLock { $0.append(done.reason) }
    }
    try queue.stop()
    renderer.settle()
    #expect(queue.waitingCount == 0 && reasons.withLock { $0 } == [.flushed])
  }
}
