// SPDX-License-Identifier: Apache-2.0
import Foundation
import Realtime
import TestSupport
import Testing

/// Six words that must always agree: a torn read shows.
private struct Row: BitwiseCopyable, Sendable {
  var words: (Int, Int, Int, Int, Int, Int)
  var tail: UInt8

  init(_ value: Int) {
    words = (value, value &* 3, ~value, value &+ 7, value &* 11, -value)
    tail = UInt8(truncatingIfNeeded: value)
  }

  var value: Int { words.0 }

  var isWhole: Bool {
    let whole = Row(value)
    return words.0 == whole.words.0 && words.1 == whole.words.1 && words.2 == whole.words.2
      && words.3 == whole.words.3 && words.4 == whole.words.4 && words.5 == whole.words.5
      && tail == whole.tail
  }
}

@Suite(.serialized) struct SharedSnapshotTests {
  private typealias Publisher = SharedSnapshotPublisher<Row>
  private typealias Reader = SharedSnapshotReader<Row>

  private func name(_ label: String) -> String { "test-\(getpid())-\(label)" }

  @Test func `what is published is read, under its name only`() throws {
    let publisher = try Publisher(name: name("one"), Row(1))
    let reader = try Reader(name: name("one"))
    #expect(reader.read().value.value == 1)
    publisher.write(Row(2))
    #expect(reader.read().value.value == 2)
    #expect(reader.read().epoch == 1)
    #expect(reader.publisher == .running(process: getpid()))
    #expect(throws: SharedSnapshotError.absent(name: name("two"))) {
      try Reader(name: name("two"))
    }
  }

  @Test func `a reader outlives the publisher, and can tell that it left`() throws {
    let reader: Reader
    do {
      let publisher = try Publisher(name: name("brief"), Row(1))
      publisher.write(Row(41))
      reader = try Reader(name: name("brief"))
    }
    #expect(reader.read().value.value == 41)
    #expect(reader.publisher == .ended)
    #expect(throws: SharedSnapshotError.absent(name: name("brief"))) {
      try Reader(name: name("brief"))
    }
  }

  @Test func `a name is published once`() throws {
    let publisher = try Publisher(name: name("once"), Row(1))
    #expect(throws: SharedSnapshotError.taken(name: name("once"), process: getpid())) {
      try Publisher(name: name("once"), Row(2))
    }
    #expect(publisher.epoch == 1)
  }

  @Test(arguments: ["", "a/b", "..", ".hidden", "name with spaces", "ä", "../../etc/passwd"])
  func `a name that is none is refused`(name: String) {
    #expect(throws: SharedSnapshotError.badName(name)) { try Publisher(name: name, Row(1)) }
    #expect(throws: SharedSnapshotError.badName(name)) { try Reader(name: name) }
  }

  @Test func `a value of another size is foreign`() throws {
    let publisher = try SharedSnapshotPublisher<Int>(name: name("size"), 5)
    #expect(throws: SharedSnapshotError.foreign(name: name("size"))) {
      try Reader(name: name("size"))
    }
    #expect(publisher.epoch == 1)
  }

  @Test func `something else under the name is foreign, and taken over`() throws {
    let path = "/downbeat-clock-" + name("junk")
    let descriptor = unsafe shm_open(path, O_CREAT | O_RDWR, 0o600)
    let junk = [UInt8](repeating: 0x5A, count: 9000)
    #expect(unsafe write(descriptor, junk, junk.count) == junk.count)
    close(descriptor)
    #expect(throws: SharedSnapshotError.foreign(name: name("junk"))) {
      try Reader(name: name("junk"))
    }
    let publisher = try Publisher(name: name("junk"), Row(9))
    #expect(publisher.epoch == 1)
    #expect(try Reader(name: name("junk")).read().value.value == 9)
  }

  /// Ten million reads where there is time.
  @Test func `reads under a writer are whole and never older`() throws {
    let isLong = ProcessInfo.processInfo.environment["DOWNBEAT_LONG"] == "1"
    let publisher = try Publisher(name: name("race"), Row(0))
    let (last, count) = isLong ? (10_000_000, 10_000_000) : (100_000, 300_000)
    let thread = try RealtimeThread(name: "writer", priority: 1) {
      for value in 1...last { publisher.write(Row(value)) }
    }
    let reader = try Reader(name: name("race"))
    var latest = 0
    var reads = 0
    while reads < count || latest < last {
      let row = reader.read().value
      reads += 1
      guard row.isWhole, row.value >= latest else {
        Issue.record("read \(row) after \(latest)")
        break
      }
      latest = row.value
    }
    thread.join()
    #expect(reader.read().value.value == last)
  }

  @Test func `a publisher killed while it writes leaves a whole value, and another takes over`()
    throws
  {
    let name = name("crash")
    let writer = URL(fileURLWithPath: ToolRun.debugCommand).deletingLastPathComponent()
      .appendingPathComponent("SharedWriter").path
    for round in 1...12 {
      let run = try ToolRun([name, "\(round * 317)"], command: writer)
      #expect(run.wasSignalled && run.status == SIGKILL)
      let reader = try Reader(name: name)
      #expect(reader.publisher == .crashed)
      #expect(reader.read().value.isWhole)
      #expect(reader.read().value.value > 1)
      #expect(reader.read().epoch == UInt64(round))
    }
    let reader = try Reader(name: name)
    let publisher = try Publisher(name: name, Row(-5))
    #expect(publisher.epoch == 13)
    #expect(reader.read().value.value == -5)
    #expect(reader.read().epoch == 13)
    #expect(reader.publisher == .running(process: getpid()))
  }
}
