// SPDX-License-Identifier: Apache-2.0
import MIDIMessages
import MIDIPorts
import Testing

@testable import ALSAMIDI

/// The messages that a guardian would send, from a port's notes in shared memory.
@safe @Suite final class SharedNotesTests {
  private let memory = UnsafeMutableRawBufferPointer.allocate(
    byteCount: 2 * SharedNotes.byteCount, alignment: 16)
  private let notes: SharedNotes
  private let channel = Channel(index: 2)

  init() throws {
    unsafe memory.initializeMemory(as: UInt8.self, repeating: 0)
    notes = try #require(unsafe SharedNotes(memory, port: 1))
  }

  deinit {
    unsafe memory.deallocate()
  }

  private func send(_ message: Message) {
    notes.promise(message)
    notes.settle(message)
  }

  private func silence(_ keys: UInt8...) -> [Message] {
    keys.map { .noteOff(channel, Key($0)) }
      + [.sustain, .sostenuto, .soft, .hold2].map { .control(channel, $0, value: 0) }
      + [.bend(channel, 8192)]
      + [.allNotesOff, .allSoundOff].map { .control(channel, $0, value: 0) }
  }

  @Test func `sounding and queued notes are released, once for each note-on`() {
    send(.noteOn(channel, Key(60), velocity: 1))
    send(.noteOn(channel, Key(60), velocity: 1))
    notes.promise(.noteOn(channel, Key(62), velocity: 1))
    #expect(notes.releases == silence(60, 60, 62))
  }

  @Test func `released notes and unused channels need no release`() {
    send(.noteOn(channel, Key(60), velocity: 1))
    send(.control(channel, .sustain, value: 127))
    send(.bend(channel, 0))
    send(.noteOff(channel, Key(60)))
    send(.control(channel, .sustain, value: 0))
    send(.bend(channel, 8192))
    send(.control(Channel(index: 4), Controller(7), value: 100))
    #expect(notes.releases.isEmpty)
  }

  @Test func `a note whose note-off has not left must be released`() {
    send(.noteOn(channel, Key(60), velocity: 1))
    notes.promise(.noteOff(channel, Key(60)))
    #expect(notes.releases == silence(60))
  }

  @Test func `a pedal that is released and pressed again must be released`() {
    send(.control(channel, .soft, value: 64))
    notes.promise(.control(channel, .soft, value: 0))
    notes.promise(.control(channel, .soft, value: 127))
    notes.settle(.control(channel, .soft, value: 0))
    #expect(notes.releases == silence())
    notes.settle(.control(channel, .soft, value: 127))
    #expect(notes.releases == silence())
    send(.control(channel, .soft, value: 3))
    #expect(notes.releases.isEmpty)
  }

  @Test func `a withdrawn note needs no release, a sent one does`() {
    send(.noteOn(channel, Key(60), velocity: 1))
    notes.promise(.noteOn(channel, Key(60), velocity: 1))
    notes.promise(.noteOff(channel, Key(60)))
    notes.withdraw(.noteOn(channel, Key(60), velocity: 1))
    notes.withdraw(.noteOff(channel, Key(60)))
    #expect(notes.releases == silence(60))
  }

  @Test func `cancelling removes queued notes, silence removes all`() {
    send(.noteOn(channel, Key(60), velocity: 1))
    notes.promise(.noteOn(channel, Key(61), velocity: 1))
    notes.forgetComing()
    #expect(notes.releases == silence(60))
    notes.clear()
    #expect(notes.releases.isEmpty)
  }

  @Test func `ports do not see each other, and one beyond the limit is not recorded`() throws {
    send(.noteOn(channel, Key(60), velocity: 1))
    #expect(try #require(unsafe SharedNotes(memory, port: 0)).releases.isEmpty)
    #expect(unsafe SharedNotes(memory, port: 2) == nil)
  }

  @Test func `messages to a guardian pass through a byte stream`() {
    let connection = EndpointConnection(
      source: EndpointAddress(client: 128, port: 1),
      destination: EndpointAddress(client: 14, port: 0))
    for fact in [GuardianFact.client(130), .connected(connection), .joined(connection)] {
      #expect(GuardianFact(fact.bytes[...]) == fact)
    }
    #expect(GuardianFact([9, 0, 0, 0, 0]) == nil)
  }
}
