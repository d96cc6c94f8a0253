// SPDX-License-Identifier: Apache-2.0
import Realtime
import Testing

@Suite struct FrameQueueTests {
  /// A queue and its two ends.
  private final class Ends {
    private let queue = FrameQueue<Int>(minimumCapacity: 8)
    var writer: FrameQueueWriter<Int>
    private var reader: FrameQueueReader<Int>

    init() {
      writer = queue.makeWriter()
      reader = queue.makeReader()
    }

    func push(_ value: Int, frame: Int64) -> Bool { writer.push(value, frame: frame) }

    func next(before frame: Int64) -> FrameEntry<Int>? { reader.next(before: frame) }
  }

  @Test func `values are read when their frame is reached, in the order in which they were sent`() {
    let ends = Ends()
    #expect(ends.next(before: .max) == nil)
    for value in 0..<3 { #expect(ends.push(value, frame: Int64(value * 10))) }
    #expect(ends.next(before: 10)?.content == 0)
    #expect(ends.next(before: 10) == nil)
    #expect(ends.next(before: 11)?.frame == 10)
    #expect(ends.next(before: 1000)?.content == 2)
    #expect(ends.next(before: 1000) == nil)
  }

  @Test func `a cancellation applies to values sent before it, from its frame on`() {
    let ends = Ends()
    #expect(ends.push(0, frame: 10))
    #expect(ends.push(1, frame: 20))
    ends.writer.cancel(from: 15)
    #expect(ends.push(2, frame: 12))
    #expect(ends.push(3, frame: 30))
    ends.writer.cancel(from: 25)
    var seen: [Int] = []
    while let entry = ends.next(before: .max) { seen.append(entry.content) }
    #expect(seen == [0, 2])
  }

  @Test func `a cancelled value does not delay its replacement`() {
    let ends = Ends()
    #expect(ends.push(0, frame: 1000))
    ends.writer.cancel(from: 0)
    #expect(ends.push(1, frame: 10))
    #expect(ends.next(before: 11)?.content == 1)
  }

  @Test func `with too many waiting cancellations, nothing is read until the last has arrived`() {
    let ends = Ends()
    #expect(ends.push(0, frame: 0))
    for frame in 0..<100 { ends.writer.cancel(from: Int64(100 - frame)) }
    #expect(!ends.push(1, frame: 50) && ends.writer.room == 0)
    #expect(ends.next(before: 1)?.content == 0)
    #expect(ends.push(1, frame: 50))
    #expect(ends.next(before: .max)?.content == 1)
  }

  @Test func `cancellations of an empty queue do not fill it`() {
    let ends = Ends()
    for frame in 0..<1000 {
      ends.writer.cancel(from: Int64(frame))
      #expect(ends.next(before: .max) == nil)
    }
    #expect(ends.push(1, frame: 0))
    #expect(ends.next(before: .max)?.content == 1)
  }

  @Test func `cancelled values are returned one by one, whatever their frame`() {
    let queue = FrameQueue<Int>(minimumCapacity: 8)
    var (writer, reader) = (queue.makeWriter(), queue.makeReader())
    for value in 0..<3 {
      let hasRoom = writer.push(value, frame: Int64(value * 10))
      #expect(hasRoom)
    }
    #expect(writer.room == 5 && !queue.isEmpty)
    writer.cancel(from: 15)
    let hasRoom = writer.push(3, frame: 20)
    #expect(hasRoom)
    reader.takeCancellations()
    #expect(reader.peek()?.content == 0)
    var taken: [(value: Int, isCancelled: Bool)] = []
    while let (entry, isCancelled) = reader.take(upTo: 14) {
      taken.append((entry.content, isCancelled))
    }
    #expect(taken.map(\.value) == [0, 1, 2])
    #expect(taken.map(\.isCancelled) == [false, false, true])
    #expect(reader.peek()?.content == 3)
    let last = reader.take(upTo: 20)
    #expect(last?.isCancelled == false)
    #expect(writer.room == 8 && queue.isEmpty)
  }

  @Test func `a writer and a reader on two threads neither lose nor double values`() throws {
    let queue = FrameQueue<Int>(minimumCapacity: 64)
    let count = 20_000
    let end = queue.makeWriter()
    let thread = try RealtimeThread(name: "writer", priority: 10) {
      var writer = end
      for value in 0..<count {
        while !writer.push(value, frame: Int64(value)) {}
        if value % 100 == 0 { writer.cancel(from: Int64(count)) }
      }
    }
    var reader = queue.makeReader()
    var next = 0
    while next < count {
      guard let entry = reader.next(before: .max) else { continue }
      #expect(entry.content == next)
      next += 1
    }
    thread.join()
  }
}
