// SPDX-License-Identifier: Apache-2.0
import Foundation
import Realtime
import TestSupport
import Testing

/// Six words that must always be equal: a mixed value would show.
private struct Row: SharedValue {
  var words: (Int, Int, Int, Int, Int, Int)
  var tail: UInt8

  init(_ value: Int) {
    words = (value, value &* 3, ~value, value &+ 7, value &* 11, -value)
    tail = UInt8(truncatingIfNeeded: value)
  }

  var isSound: Bool { true }

  var value: Int { words.0 }

  var isWhole: Bool {
    let whole = Row(value)
    return words.0 == whole.words.0 && words.1 == whole.words.1 && words.2 == whole.words.2
      && words.3 == whole.words.3 && words.4 == whole.words.4 && words.5 == whole.words.5
      && tail == whole.tail
  }
}

private struct Word: SharedValue {
  var value: UInt64
  /// 13 is invalid.
  var isSound: Bool { value != 13 }
}

@Suite(.serialized) struct SharedSnapshotTests {
  private typealias Publisher = SharedSnapshotPublisher<Row>
  private typealias Reader = SharedSnapshotReader<Row>

  private func name(_ label: String) -> String { "test-\(getpid())-\(label)" }

  /// The path of a name's memory; the folder exists after the first publication.
  private func file(_ label: String) throws -> String {
    _ = try Publisher(name: name("folder"), Row(1))
    let user = geteuid()
    let variables = ProcessInfo.processInfo.environment
    let folders =
      [variables["XDG_RUNTIME_DIR"], "/run/user/\(user)"].compactMap { $0 }.map { $0 + "/downbeat" }
      + ["/dev/shm/downbeat-\(user)"]
    let folder = try #require(folders.first { FileManager.default.fileExists(atPath: $0) })
    return "\(folder)/clock-\(name(label))"
  }

  @Test func `truncated memory makes a read fail until the next write`() throws {
    let publisher = try Publisher(name: name("cut"), Row(1))
    let reader = try Reader(name: name("cut"))
    let path = try file("cut")
    for length in [0, 8, 64, 100] {
      #expect(unsafe truncate(path, length) == 0)
      #expect(throws: SharedSnapshotError.foreign(name: name("cut"))) { try reader.read() }
      publisher.write(Row(length))
      #expect(try reader.read().value.value == length)
    }
  }

  @Test func `a header with an impossible slot, and invalid values, are refused`() throws {
    let publisher = try SharedSnapshotPublisher(name: name("poison"), Word(value: 5))
    let reader = try SharedSnapshotReader<Word>(name: name("poison"))
    let descriptor = unsafe open(try file("poison"), O_WRONLY)
    defer { close(descriptor) }
    for latest in [0, 99, UInt64.max] {
      var word = latest
      #expect(unsafe pwrite(descriptor, &word, 8, 16) == 8)
      #expect(throws: SharedSnapshotError.foreign(name: name("poison"))) { try reader.read() }
    }
    publisher.write(Word(value: 13))
    #expect(throws: SharedSnapshotError.foreign(name: name("poison"))) { try reader.read() }
    publisher.write(Word(value: 14))
    #expect(try reader.read().value.value == 14)
  }

  @Test func `only regular files of the user are opened, without waiting`() throws {
    let path = try file("kind")
    let foreign = SharedSnapshotError.foreign(name: name("kind"))
    let kinds: [() -> Int32] = [
      { unsafe mkfifo(path, 0o600) }, { unsafe mkdir(path, 0o700) },
      { unsafe symlink("/etc/passwd", path) },
    ]
    for make in kinds {
      #expect(make() == 0)
      #expect(throws: foreign) { try Reader(name: name("kind")) }
      #expect(throws: foreign) { try Publisher(name: name("kind"), Row(1)) }
      #expect(unsafe remove(path) == 0)
    }
  }

  @Test(.enabled(if: geteuid() == 0, "only root can give a file away"))
  func `a file of another user is not written to`() throws {
    let path = try file("kind")
    #expect(FileManager.default.createFile(atPath: path, contents: Data(count: 4096)))
    #expect(unsafe chown(path, 1000, 1000) == 0)
    #expect(throws: SharedSnapshotError.noPermission(name: name("kind"))) {
      try Publisher(name: name("kind"), Row(1))
    }
    #expect(unsafe remove(path) == 0)
  }

  @Test func `a published value is read, only under its name`() throws {
    let publisher = try Publisher(name: name("one"), Row(1))
    let reader = try Reader(name: name("one"))
    #expect(try reader.read().value.value == 1)
    publisher.write(Row(2))
    #expect(try reader.read().value.value == 2)
    #expect(try reader.read().epoch == 1)
    #expect(reader.publisher == .running(process: getpid()))
    #expect(throws: SharedSnapshotError.absent(name: name("two"))) {
      try Reader(name: name("two"))
    }
  }

  @Test func `a reader outlives the publisher, and detects its end`() throws {
    let reader: Reader
    do {
      let publisher = try Publisher(name: name("brief"), Row(1))
      publisher.write(Row(41))
      reader = try Reader(name: name("brief"))
    }
    #expect(try reader.read().value.value == 41)
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
  func `an invalid name is refused`(name: String) {
    #expect(throws: SharedSnapshotError.badName(name)) { try Publisher(name: name, Row(1)) }
    #expect(throws: SharedSnapshotError.badName(name)) { try Reader(name: name) }
  }

  @Test func `a value of another size is foreign`() throws {
    let publisher = try SharedSnapshotPublisher(name: name("size"), Word(value: 5))
    #expect(throws: SharedSnapshotError.foreign(name: name("size"))) {
      try Reader(name: name("size"))
    }
    #expect(publisher.epoch == 1)
  }

  @Test func `other data under the name is foreign, and replaced`() throws {
    let descriptor = unsafe open(try file("junk"), O_CREAT | O_RDWR, 0o600)
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

  /// Ten million reads in long tests.
  @Test func `reads during writing are complete and never older`() throws {
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
      let row = try reader.read().value
      reads += 1
      guard row.isWhole, row.value >= latest else {
        Issue.record("read \(row) after \(latest)")
        break
      }
      latest = row.value
    }
    thread.join()
    #expect(try reader.read().value.value == last)
  }

  @Test func `a publisher killed while writing leaves a complete value, and another takes over`()
    throws
  {
    let name = name("crash")
    let writer = ToolRun.program("TestProbe")
    for round in 1...12 {
      let run = try ToolRun(["writer", name, "\(round * 317)"], command: writer)
      #expect(run.wasSignalled && run.status == SIGKILL)
      let reader = try Reader(name: name)
      #expect(reader.publisher == .crashed)
      #expect(try reader.read().value.isWhole)
      #expect(try reader.read().value.value > 1)
      #expect(try reader.read().epoch == UInt64(round))
    }
    let reader = try Reader(name: name)
    let publisher = try Publisher(name: name, Row(-5))
    #expect(publisher.epoch == 13)
    #expect(try reader.read().value.value == -5)
    #expect(try reader.read().epoch == 13)
    #expect(reader.publisher == .running(process: getpid()))
  }
}
