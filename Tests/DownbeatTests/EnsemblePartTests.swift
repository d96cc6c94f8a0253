// SPDX-License-Identifier: Apache-2.0
import MIDIMessages
import MusicalTime
import TestSupport
import Testing

@testable import Downbeat

/// The distribution of the available voices among the instruments of a song.
@Suite struct EnsemblePartTests {
  private typealias Entry = (seconds: Double, bytes: [UInt8])

  // The compiler needs minutes for these as tuples of numbers.
  /// A message at a time in seconds.
  private static func at(_ seconds: Double, _ bytes: UInt8...) -> Entry { (seconds, bytes) }

  private static func events(_ entries: [Entry]) -> EventBuffer {
    var buffer = EventBuffer()
    for (seconds, bytes) in entries {
      let message = Message(
        status: bytes[0], data1: bytes[1], data2: bytes.count > 2 ? bytes[2] : 0)
      buffer.append(
        TimedEvent(
          time: ReferenceTime(nanoseconds: Int64(seconds * 1e9)), payload: .message(message)))
    }
    return buffer
  }

  private static func crest(_ lists: [Entry]...) -> Int {
    var crest = NoteCrest()
    let buffer = events(lists.flatMap(\.self))
    for index in buffer.events.indices {
      guard case .message(let message) = buffer.events[index].payload else { continue }
      crest.take(message, at: buffer.events[index].time.nanoseconds)
    }
    return crest.notes
  }

  @Test func `notes count while they are held, and while they fade out`() {
    let pair: [Entry] = [Self.at(0, 0x90, 60, 100), Self.at(1, 0x80, 60, 0)]
    #expect(Self.crest(pair) == 1)
    #expect(Self.crest(pair, [Self.at(1.2, 0x90, 62, 100)]) == 2)
    #expect(Self.crest(pair, [Self.at(1.5, 0x90, 62, 100)]) == 1)
    // A velocity of 0 ends a note. If a key is struck again, the first note fades out.
    #expect(
      Self.crest([Self.at(0, 0x90, 60, 100), Self.at(1, 0x90, 60, 0), Self.at(2, 0x90, 60, 9)]) == 1
    )
    #expect(
      Self.crest([Self.at(0, 0x90, 60, 100), Self.at(1, 0x90, 60, 90), Self.at(2, 0x90, 61, 90)])
        == 2)
    #expect(Self.crest([Self.at(0, 0x80, 60, 0), Self.at(0, 0x80, 60, 0)]) == 0)
  }

  @Test func `a pedal holds the notes of its channel until it is let go`() {
    let held: [Entry] = [
      Self.at(0, 0xB0, 64, 127), Self.at(0, 0x90, 60, 100), Self.at(1, 0x80, 60, 0),
      Self.at(2, 0x90, 61, 100),
      Self.at(3, 0x80, 61, 0), Self.at(4, 0x90, 62, 100),
    ]
    #expect(Self.crest(held) == 3)
    #expect(Self.crest(held, [Self.at(5, 0xB0, 64, 0), Self.at(6, 0x90, 63, 100)]) == 3)
    #expect(Self.crest([Self.at(0, 0xB1, 64, 127)], Array(held.dropFirst())) == 1)
  }

  /// Ten notes at once on one channel, thirty on another.
  private static var chord: EventBuffer {
    let few: [Entry] = (UInt8(40)..<50).map { at(0, 0x90, $0, 100) }
    let many: [Entry] = (UInt8(40)..<70).map { at(1, 0x91, $0, 100) }
    return events(few + many)
  }

  @Test(arguments: [1, 2, 16, 17, 64, 511, 512, 4096])
  func `the voices of all parts add up to what is asked for`(polyphony: Int) {
    let parts = (0..<2).map { EnsemblePart(channels: 1 << UInt16($0)) }
    let voices = EnsemblePart.voices(polyphony, of: parts, in: Self.chord)
    #expect(voices.reduce(0, +) == max(polyphony, 2))
    #expect(voices.allSatisfy { $0 >= min(8, max(1, polyphony / 2)) })
    #expect(voices[0] <= voices[1])
  }

  @Test func `each part gets voices by the most notes that it has at once`() {
    let parts = (0..<2).map { EnsemblePart(channels: 1 << UInt16($0)) }
    #expect(EnsemblePart.voices(416, of: parts, in: Self.chord) == [108, 308])
    #expect(EnsemblePart.voices(416, of: [parts[0]], in: Self.chord) == [416])
    #expect(EnsemblePart.voices(416, of: [], in: Self.chord) == [])
  }
}
