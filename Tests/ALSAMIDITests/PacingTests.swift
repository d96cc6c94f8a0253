// SPDX-License-Identifier: Apache-2.0
import MIDIMessages
import MusicalTime
import Testing

@testable import ALSAMIDI

@Suite struct PacingTests {
  private func at(_ nanoseconds: Int64) -> HostTime { HostTime(nanoseconds: nanoseconds) }

  @Test func `a queue's clock is the smallest offset of two seconds`() {
    var clock = QueueClock()
    let second: Int64 = 1_000_000_000
    /// The true offset is always 1000; a reading shows more, never less.
    func look(at time: Int64, excess: Int64) {
      clock.look(queue: time - 1000 - excess, between: at(time), and: at(time))
    }
    look(at: second, excess: 70)
    #expect(clock.distance == 1070)
    look(at: second + 1, excess: 0)
    look(at: second + 2, excess: 50)
    #expect(clock.distance == 1000)
    #expect(clock.queueTime(at: at(5000)) == 4000)
    #expect(clock.hostTime(atQueue: 4000) == at(5000))
    for step in 1...20 { look(at: second + Int64(step) * 100_000_000, excess: 30) }
    #expect(clock.distance == 1000)
    for step in 21...30 { look(at: second + Int64(step) * 100_000_000, excess: 30) }
    #expect(clock.distance == 1030)
  }

  @Test func `a queue that was stopped is followed at once, and so is one that was not read`() {
    var clock = QueueClock()
    clock.look(queue: 0, between: at(1000), and: at(1000))
    clock.look(queue: 1000, between: at(20_001_000), and: at(20_001_000))
    #expect(clock.distance == 20_000_000)
    clock.look(queue: 8_979_999_000, between: at(9_000_000_000), and: at(9_000_000_000))
    #expect(clock.distance == 20_001_000)
  }

  @Test func `stamps keep the order of their events, at any reading of the queue's clock`() {
    var clock = QueueClock()
    clock.look(queue: 1_000_000_000, between: at(1_000_050_000), and: at(1_000_050_000))
    var stamps = StampLine()
    // A note that waits for a SysEx is stamped before the last piece is passed on.
    let note = stamps.stamp(at(1_600_000_001), at: .zero, by: clock)
    clock.look(queue: 1_100_000_000, between: at(1_100_000_000), and: at(1_100_000_000))
    #expect(stamps.stamp(at(1_600_000_000), at: .zero, by: clock) == note - 1)
    #expect(stamps.stamp(at(1_600_000_002), at: .zero, by: clock) >= note)
    // Events due long before are stamped by the clock alone.
    #expect(stamps.stamp(at(600_000_000), at: .zero, by: clock) == 600_000_000)
  }

  @Test func `due events leave at once, but never before events stamped earlier`() {
    var clock = QueueClock()
    clock.look(queue: 0, between: at(1_000_000_000), and: at(1_000_000_000))
    var stamps = StampLine()
    let late = at(9_000_000_000)
    #expect(stamps.stamp(at(1_100_000_000), at: late, by: clock) == 0)
    let waiting = stamps.stamp(at(1_200_000_000), at: at(1_150_000_000), by: clock)
    #expect(waiting == 200_000_000)
    // It may still wait, however late it is.
    #expect(stamps.stamp(at(1_300_000_000), at: late, by: clock) == 300_000_000)
    stamps.isClear = true
    #expect(stamps.stamp(at(1_400_000_000), at: late, by: clock) == 0)
  }

  @Test func `a thread delayed during a reading does not mistake the queue for a stopped one`() {
    var clock = QueueClock()
    clock.look(queue: 1_000_000, between: at(1_001_000_000), and: at(1_001_000_000))
    clock.look(queue: 2_000_000, between: at(1_002_000_000), and: at(1_022_000_000))
    #expect(clock.distance == 1_000_000_000)
  }

  @Test func `neither cancelled stamps nor a stopped queue delay later events`() {
    var clock = QueueClock()
    clock.look(queue: 0, between: at(1_000_000_000), and: at(1_000_000_000))
    var stamps = StampLine()
    let first = stamps.stamp(at(1_400_000_000), at: .zero, by: clock)
    #expect(first == 400_000_000)
    stamps.forget(from: at(1_200_000_000))
    #expect(stamps.last == at(1_200_000_000))
    #expect(stamps.stamp(at(1_300_000_000), at: .zero, by: clock) == 300_000_000)
    clock.look(queue: 250_000_000, between: at(6_000_000_000), and: at(6_000_000_000))
    #expect(stamps.stamp(at(1_900_000_000), at: .zero, by: clock) < 400_000_000)
  }

  @Test func `a queue's time never leaves the range of a stamp`() {
    let clock = QueueClock()
    #expect(clock.queueTime(at: at(-5)) == 0)
    #expect(clock.queueTime(at: at(.min)) == 0)
    #expect(clock.queueTime(at: at(.max)) == Int64(UInt32.max) * 1_000_000_000)
  }

  @Test func `a long SysEx leaves in pieces at the speed of the cable`() {
    let payload = (0..<1000).map { UInt8($0 % 128) }
    var transfer = SysExTransfer(payload: payload.span, start: at(0), speed: 3125)
    var pieces: [[UInt8]] = []
    var times: [Int64] = []
    while !transfer.isFinished {
      pieces.append(Array(transfer.bytes[transfer.nextPiece]))
      times.append(transfer.nextTime.nanoseconds)
      transfer.advance()
    }
    #expect(times == [0, 81_920_000, 163_840_000, 245_760_000])
    #expect(pieces.map(\.count) == [256, 256, 256, 234])
    #expect(pieces.map { $0.first == 0xF0 } == [true, false, false, false])
    #expect(pieces.map { $0.last == 0xF7 } == [false, false, false, true])
    #expect(pieces.flatMap { $0 } == [0xF0] + payload + [0xF7])
    #expect(transfer.end == at(245_760_000))
    #expect(transfer.sent(at: at(-1)) == 0)
    #expect(transfer.sent(at: at(81_919_999)) == 256)
    #expect(transfer.sent(at: at(81_920_000)) == 512)
    #expect(transfer.sent(at: at(.max)) == 1002)
  }

  @Test func `a SysEx whose pieces are late keeps the speed of the cable`() {
    let payload = [UInt8](repeating: 1, count: 1000)
    var transfer = SysExTransfer(payload: payload.span, time: at(0), start: at(10), speed: 3125)
    for _ in 0..<2 { transfer.advance() }
    transfer.postpone(to: at(100_000_000))
    #expect(transfer.nextTime == at(163_840_010))
    transfer.postpone(to: at(200_000_000))
    #expect(transfer.nextTime == at(200_000_000))
    #expect(transfer.end == at(281_920_000))
    #expect(transfer.time == at(0))
  }

  @Test func `cancelled pieces are passed on again`() {
    let payload = [UInt8](repeating: 1, count: 1000)
    var transfer = SysExTransfer(payload: payload.span, start: at(0), speed: 3125)
    for _ in 0..<4 { transfer.advance() }
    #expect(transfer.isFinished)
    transfer.takeBack(from: at(81_920_001))
    #expect(!transfer.isFinished && transfer.nextTime == at(163_840_000))
    transfer.takeBack(from: at(1_000_000_000))
    #expect(transfer.nextTime == at(163_840_000))
    transfer.takeBack(from: at(0))
    #expect(transfer.handedOn == 0)
  }

  @Test func `events that wait for a SysEx leave, and are cancelled, in the order of their times`()
  {
    var held = HeldEvents()
    let channel = Channel(index: 0)
    let payload = [UInt8](repeating: 1, count: 600)
    for (key, time) in [(1, 10), (2, 30), (3, 20), (4, 30)] as [(UInt8, Int64)] {
      let isTaken = held.add(.noteOn(channel, Key(key), velocity: 1), at: at(time))
      #expect(isTaken)
    }
    let taken = [held.add(sysEx: payload.span, nil, at: at(25))]
    #expect(taken == [true] && held.byteCount == 602)
    held.putBack([
      HeldEvents.Event(time: at(5), content: .message(.noteOn(channel, 9, velocity: 1)))
    ])
    func keys(_ held: HeldEvents) -> [UInt8] {
      var (held, keys): (HeldEvents, [UInt8]) = (held, [])
      while let event = held.first {
        if case .message(let message) = event.content { keys.append(message.data1) }
        held.removeFirst()
      }
      #expect(held.byteCount == 0)
      return keys
    }
    #expect(keys(held) == [9, 1, 3, 2, 4])
    held.cancel(from: at(25))
    #expect(keys(held) == [9, 1, 3])
    #expect(held.byteCount == 0)
  }

  /// A SysEx until 40, then a program at 5, a SysEx at 6 and a program at 7: all are passed to
  /// ALSA, and events due from 20 on are cancelled.
  @Test func `events cancelled after a SysEx are sent again in their original order`() {
    let channel = Channel(index: 0)
    func program(_ number: UInt8, at time: Int64, _ place: Int) -> DelayedMessage {
      DelayedMessage(
        message: .program(channel, number), time: at(time), due: at(41), place: place)
    }
    func sysEx(_ bytes: [UInt8], at time: Int64, _ place: Int) -> SysExTransfer {
      SysExTransfer(
        payload: bytes.span, time: at(time), start: at(41), speed: 3125, place: place)
    }
    var long = SysExTransfer(
      payload: [UInt8](repeating: 1, count: 600).span, start: at(0), speed: 3125, place: 0)
    long.advance()
    let messages = [program(1, at: 5, 1), program(2, at: 7, 3), program(3, at: 30, 4)]
    let events = DelayedMessage.takenBack(messages, [long, sysEx([9, 8], at: 6, 2)], from: at(20))
    #expect(events.map(\.time) == [at(5), at(6), at(7)])
    guard case .sysEx(let bytes, nil) = events[1].content else { return #expect(Bool(false)) }
    #expect(bytes == [9, 8])
    var held = HeldEvents()
    held.putBack(events)
    #expect(held.byteCount == 4)
  }

  @Test(arguments: [nil, .first, .middle, .last] as [SysExPart?])
  func `a cancelled SysEx waits in its original form`(part: SysExPart?) {
    let payload: [UInt8] = [1, 2, 3]
    let transfer = SysExTransfer(payload: payload.span, part: part, start: at(0), speed: 3125)
    #expect(transfer.payload == ContiguousArray(payload))
  }

  /// Only the bytes of long SysEx show what is sent again after a pause.
  @Test(arguments: [(256, 0), (257, 259)])
  func `a waiting SysEx counts as long only if it leaves in pieces`(length: Int, long: Int) {
    var held = HeldEvents()
    let payload = [UInt8](repeating: 1, count: length)
    let taken = [held.add(sysEx: payload.span, nil, at: at(0))]
    #expect(taken == [true] && held.byteCount == length + 2 && held.longByteCount == long)
    held.cancel(from: at(0))
    #expect(held.byteCount == 0 && held.longByteCount == 0)
  }

  @Test func `the events that wait for a SysEx are limited, with room for releases`() {
    var held = HeldEvents()
    let channel = Channel(index: 0)
    while held.add(.noteOn(channel, 60, velocity: 1), at: at(0)) {}
    let isReleased = held.add(.noteOff(channel, 60), at: at(0))
    #expect(isReleased)
    let long = [UInt8](repeating: 1, count: 1 << 20)
    var other = HeldEvents()
    var taken = (0..<2).map { _ in other.add(sysEx: long.span, nil, at: at(0)) }
    other.removeFirst()
    #expect(other.isEmpty)
    taken.append(other.add(sysEx: long.span, nil, at: at(0)))
    #expect(taken == [true, false, true])
  }

  @Test func `a note whose note-off was cancelled is released by silence`() {
    var notes = SentNotes()
    let channel = Channel(index: 0)
    notes.record(.noteOn(channel, Key(60), velocity: 1), due: at(10))
    notes.record(.noteOff(channel, Key(60)), due: at(50))
    notes.record(.noteOn(channel, Key(64), velocity: 1), due: at(60))
    notes.cancel(from: at(40))
    let releases = notes.silence(at: at(100))
    #expect(releases.filter { $0.status == 0x80 } == [.noteOff(channel, Key(60))])
  }

  @Test func `silence releases notes that started before it`() {
    var notes = SentNotes()
    let channel = Channel(index: 2)
    notes.record(.noteOn(channel, Key(60), velocity: 1), due: at(10))
    notes.record(.noteOff(channel, Key(60)), due: at(90))
    notes.record(.noteOn(channel, Key(70), velocity: 1), due: at(95))
    let releases = notes.silence(at: at(50))
    #expect(releases.first == .noteOff(channel, Key(60)))
    #expect(!releases.contains(.noteOff(channel, Key(70))))
    #expect(releases.contains(.control(channel, .allSoundOff, value: 0)))
    #expect(notes.silence(at: at(100)).isEmpty)
  }
}
