// SPDX-License-Identifier: Apache-2.0
import MIDIMessages
import MusicalTime
import Testing

@testable import ALSAMIDI

/// The record of a port's sent messages, in any order.
@Suite struct SentNotesTests {
  private let channel = Channel(index: 2)
  private var notes = SentNotes()

  private mutating func strike(_ key: UInt8, at time: Int64) {
    notes.record(.noteOn(channel, Key(key), velocity: 1), due: HostTime(nanoseconds: time))
  }

  private mutating func release(_ key: UInt8, at time: Int64) {
    notes.record(.noteOff(channel, Key(key)), due: HostTime(nanoseconds: time))
  }

  /// The keys that are released.
  private mutating func silence(at time: Int64) -> [UInt8] {
    notes.silence(at: HostTime(nanoseconds: time)).filter { $0.status & 0xF0 == 0x80 }
      .map(\.data1)
  }

  @Test mutating func `a note due earlier and sent later is released`() {
    strike(60, at: 10_000)
    strike(61, at: 1_000)
    strike(62, at: 500)
    release(62, at: 600)
    #expect(silence(at: 2_000) == [61])
  }

  @Test mutating func `events due before a sent event count as sent`() {
    strike(60, at: 1_000)
    notes.settle(before: HostTime(nanoseconds: 2_000))
    strike(61, at: 500)
    strike(63, at: 3_000)
    strike(62, at: 600)
    #expect(silence(at: 2_000) == [60, 61, 62])
  }

  @Test mutating func `a note-off that is cancelled after later events is still needed`() {
    strike(60, at: 1_000)
    release(60, at: 5_000)
    strike(61, at: 7_000)
    notes.cancel(from: HostTime(nanoseconds: 6_000))
    #expect(silence(at: 3_000) == [60])
  }
}
