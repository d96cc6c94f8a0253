// SPDX-License-Identifier: Apache-2.0
import CommandKit
import Glibc
import Realtime
import TestSupport
import Testing

@Suite struct RunLoopTests {
  /// A stream that drops all bytes.
  private struct SilentStream: ConsoleStream {
    func write(_ bytes: UnsafeRawBufferPointer) {}
  }

  /// A loop body that reads one byte per turn from a pipe, up to a count.
  private struct Reader: RunLoopBody {
    let descriptor: Int32
    let count: Int
    var bytes: [UInt8] = []
    var turns = 0
    var wait: Int64?

    var descriptors: [Int32] { [descriptor] }
    var deadline: Int64? { wait.map { DeadlineWait.now + $0 } }

    mutating func turn() throws -> Bool {
      turns += 1
      var byte: UInt8 = 0
      if DescriptorPoll.poll(descriptor, for: POLLIN, within: 0) > 0,
        unsafe read(descriptor, &byte, 1) == 1
      {
        bytes.append(byte)
      }
      return bytes.count < count
    }
  }

  /// Runs a closure with both ends of a pipe.
  private func withPipe(_ body: (_ read: Int32, _ write: Int32) throws -> Void) throws {
    var ends: [Int32] = [0, 0]
    try #require(unsafe pipe(&ends) == 0)
    defer { ends.forEach { close($0) } }
    try body(ends[0], ends[1])
  }

  private func loop() throws -> RunLoop {
    // The signals of the process are not changed.
    let console = Console(output: SilentStream(), messages: SilentStream(), variables: [:])
    return try Console.$current.withValue(console) { try RunLoop(SignalWatch()) }
  }

  @Test func `a turn follows each readable byte, and the body ends the loop`() throws {
    let loop = try loop()
    try withPipe { input, output in
      let bytes: [UInt8] = [1, 2, 3]
      #expect(unsafe write(output, bytes, bytes.count) == bytes.count)
      var body = Reader(descriptor: input, count: 3)
      let number = try loop.run(&body)
      #expect(number == nil)
      #expect(body.bytes == bytes && body.turns == 3)
    }
  }

  @Test func `a turn follows each deadline`() throws {
    let loop = try loop()
    try withPipe { input, output in
      var body = Reader(descriptor: input, count: 1, wait: 1_000_000)
      let start = DeadlineWait.now
      let thread = try RealtimeThread(name: "writer", priority: 1) {
        DeadlineWait.sleep(until: start + 20_000_000)
        _ = unsafe write(output, [7], 1)
      }
      let number = try loop.run(&body)
      #expect(number == nil)
      thread.join()
      #expect(body.bytes == [7] && body.turns > 1 && DeadlineWait.now >= start + 20_000_000)
    }
  }

  @Test func `a wait ends at its deadline or by a descriptor`() throws {
    let loop = try loop()
    try withPipe { input, output in
      guard case .deadline = loop.wait(until: DeadlineWait.now - 1) else {
        Issue.record("not the deadline")
        return
      }
      _ = unsafe write(output, [1], 1)
      guard case .event = loop.wait(until: nil, readable: [input]) else {
        Issue.record("not the descriptor")
        return
      }
    }
  }
}
