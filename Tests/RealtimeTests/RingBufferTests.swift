// SPDX-License-Identifier: Apache-2.0
import Glibc
import Realtime
import Testing

@Suite struct RingBufferTests {
  @Test(arguments: [(1, 1), (2, 2), (3, 4), (1000, 1024)])
  func `the capacity is the next power of two`(asked: Int, got: Int) {
    let ring = RingBuffer<Int>(minimumCapacity: asked)
    #expect(ring.capacity == got)
    #expect(ring.writer.room == got)
    #expect(ring.reader.count == 0)
  }

  @Test func `a full ring rejects elements and keeps its contents`() {
    let ring = RingBuffer<Int>(minimumCapacity: 4)
    for value in 0..<4 { #expect(ring.writer.push(value)) }
    #expect(!ring.writer.push(4))
    #expect(ring.reader.peek() == 0)
    #expect((0..<4).map { _ in ring.reader.pop() } == [0, 1, 2, 3])
    #expect(ring.reader.pop() == nil)
    #expect(ring.reader.peek() == nil)
  }

  @Test func `several elements are added all or none`() {
    let ring = RingBuffer<UInt8>(minimumCapacity: 8)
    let bytes: [UInt8] = [1, 2, 3, 4, 5]
    let first = ring.writer.push(contentsOf: bytes.span)
    let second = ring.writer.push(contentsOf: bytes.span)
    #expect(first)
    #expect(!second)
    #expect(ring.reader.count == 5)
    var taken: [UInt8] = []
    let three = ring.reader.pop(atMost: 3) { taken.append($0) }
    let third = ring.writer.push(contentsOf: bytes.span)
    let rest = ring.reader.pop(atMost: 100) { taken.append($0) }
    #expect(three == 3)
    #expect(third)
    #expect(rest == 7)
    #expect(taken == [1, 2, 3, 4, 5, 1, 2, 3, 4, 5])
  }

  @Test func `two threads transfer every element once and in order`() throws {
    let count = 200_000
    let ring = RingBuffer<Int>(minimumCapacity: 64)
    let writer = ring.writer
    let thread = try RealtimeThread(name: "writer", priority: 1) {
      var next = 0
      while next < count {
        if writer.push(next) {
          next += 1
        } else {
          usleep(10)  // On one core a first-in-first-out thread would starve the reader.
        }
      }
    }
    var expected = 0
    while expected < count {
      if let value = ring.reader.pop() {
        guard value == expected else {
          Issue.record("\(value) instead of \(expected)")
          break
        }
        expected += 1
      }
    }
    while expected < count, ring.reader.pop() != nil { expected += 1 }
    thread.join()
    #expect(ring.reader.count == 0)
  }
}
