// SPDX-License-Identifier: Apache-2.0
import Realtime
import Testing

/// Two halves that must always be equal: a mixed value would show.
private struct Pair: BitwiseCopyable, Sendable {
  var first: Int
  var second: Int
}

@Suite struct SnapshotTests {
  @Test func `the reader gets the latest value and keeps it`() {
    let snapshot = Snapshot(0)
    #expect(snapshot.read() == 0)
    snapshot.write(1)
    snapshot.write(2)
    #expect(snapshot.read() == 2)
    #expect(snapshot.read() == 2)
    snapshot.write(3)
    #expect(snapshot.read() == 3)
  }

  @Test func `a value is never mixed and never older than the one before`() throws {
    let snapshot = Snapshot(Pair(first: 0, second: 0))
    let writer = snapshot.writer
    let last = 200_000
    let thread = try RealtimeThread(name: "writer", priority: 1) {
      for value in 1...last { writer.write(Pair(first: value, second: -value)) }
    }
    var latest = 0
    while latest < last {
      let pair = snapshot.read()
      guard pair.first == -pair.second, pair.first >= latest else {
        Issue.record("read \(pair) after \(latest)")
        break
      }
      latest = pair.first
    }
    thread.join()
    #expect(snapshot.read().first == last)
  }
}
