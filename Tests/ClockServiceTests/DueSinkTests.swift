// SPDX-License-Identifier: Apache-2.0
import ClockService
import MIDIMessages
import MusicalTime
import Synchronization
import TestSupport
import Testing

/// Events that are delivered when they are due.
@Suite struct DueSinkTests {
  private func send(_ buffer: HostEventBuffer, to sink: DueSink) -> Int {
    sink.send(buffer.events.span, payloads: buffer.payloads.span)
  }

  @Test func `each event is delivered when due, with its exact time, and none that was cancelled`()
    async throws
  {
    let told = Mutex<[(DueEvent, HostTime)]>([])
    let sink = try DueSink { event in told.withLock { $0.append((event, .now)) } }
    let (stream, start) = (sink.events, HostTime.now)
    var buffer = HostEventBuffer()
    // The last is due after the end of the wait, however busy the machine.
    for (index, delay) in [30, 10, 20, 3_600_000].enumerated() {
      let message = Message.noteOn(1, Key(UInt8(index)), velocity: 9)
      buffer.append(
        HostEvent(time: start + .milliseconds(delay), payload: .message(message), track: 3))
    }
    let bytes: [UInt8] = [1, 2, 3]
    buffer.append(sysEx: bytes.span, time: start + .milliseconds(40), track: .max)
    #expect(send(buffer, to: sink) == 5)
    sink.cancel(from: start + .milliseconds(50))
    var streamed: [DueEvent] = []
    for await event in stream {
      streamed.append(event)
      if case .sysEx = event.content { break }
    }
    sink.end()
    let all = told.withLock { $0 }
    #expect(all.map(\.0) == streamed)
    #expect(all.map { $0.0.time - start } == [10, 20, 30, 40].map { .milliseconds($0) })
    #expect(all.allSatisfy { $0.1 >= $0.0.time })
    #expect(all.map(\.0.track) == [3, 3, 3, nil])
    #expect(all.last?.0.content == .sysEx([1, 2, 3]))
  }

  @Test func `events that are not due at the end are dropped`() throws {
    let count = Atomic(0)
    let sink = try DueSink(priority: nil) { _ in }
    var buffer = HostEventBuffer()
    buffer.append(
      HostEvent(time: .now + .seconds(3600), payload: .message(.noteOn(1, 60, velocity: 9))))
    #expect(send(buffer, to: sink) == 1)
    sink.end()
    sink.end()
    #expect(count.load(ordering: .relaxed) == 0)
  }
}
