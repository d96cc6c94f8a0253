// SPDX-License-Identifier: Apache-2.0
import MIDIMessages
import MusicSequences
import MusicalTime
import TestSupport
import Testing

@Suite struct GameScoreTests {
  private static let mus: [UInt8] = {
    let score: [UInt8] = [
      0x40, 0, 30,  // program 31 on channel 1
      0x90, 0x80 | 60, 100, 70,  // note 60 at velocity 100, then 70 ticks
      0x10, 62,  // note 62 at the same velocity
      0xA0, 64, 0x81, 0x0C,  // bend, then 140 ticks
      0x00, 60, 0x80, 62, 35,  // both end; 35 ticks
      0x9F, 36, 1,  // percussion; 1 tick
      0x0F, 36, 0x60,  // ends; the score is over
    ]
    return [0x4D, 0x55, 0x53, 0x1A, UInt8(score.count), 0, 16, 0] + [2, 0, 0, 0, 0, 0, 0, 0] + score
  }()

  @Test func `a MUS score gives its notes at 140 ticks a second`() throws {
    let file = try SMFReader(strict: true).read(Self.mus)
    #expect(file.container == .mus)
    let summary = try SequenceSummary(file)
    #expect(summary.noteOns == 3)
    #expect(summary.length == Ratio(246, over: 140))
    let events = Array(file.sequences[0].tracks[0].events)
    let one = Channel(index: 0)
    #expect(events[0] == TrackEvent(.message(.program(one, 30)), at: 0))
    #expect(events[1] == TrackEvent(.note(Note(one, Key(60), velocity: 100, duration: 210)), at: 0))
    #expect(
      events[2] == TrackEvent(.note(Note(one, Key(62), velocity: 100, duration: 140)), at: 70))
    #expect(events[3] == TrackEvent(.message(.bend(one, 64 << 6)), at: 70))
    guard case .note(let drum) = events[4].content else {
      Issue.record("no drum")
      return
    }
    #expect(drum.channel == .percussion)
  }

  private static func chunk(_ name: String, _ bytes: [UInt8]) -> [UInt8] {
    let length = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: bytes.count >> $0) }
    return Array(name.utf8) + length + bytes + (bytes.count % 2 == 1 ? [0] : [])
  }

  private static func xmi(_ events: [UInt8]...) -> [UInt8] {
    let info = chunk("FORM", Array("XDIR".utf8) + chunk("INFO", [UInt8(events.count), 0]))
    let forms = events.flatMap { chunk("FORM", Array("XMID".utf8) + chunk("EVNT", $0)) }
    return info + chunk("CAT ", Array("XMID".utf8) + forms)
  }

  private static let events: [UInt8] = [
    0xFF, 0x51, 3, 1, 0, 0,  // a tempo, which XMI ignores
    0xC1, 5, 0x91, 60, 90, 0x81, 0x00,  // 128 ticks long
    0x7F, 0x7F, 2,  // 256 ticks later
    0x91, 61, 90, 10, 20, 0xFF, 0x2F, 0,
  ]

  @Test func `an XMI sequence gives its notes at 120 ticks a second`() throws {
    let file = try SMFReader(strict: true).read(Self.xmi(Self.events))
    #expect(file.container == .xmi)
    let summary = try SequenceSummary(file)
    #expect(summary.tempoEvents == 0)
    #expect(summary.length == Ratio(276, over: 120))
    let one = Channel(index: 1)
    #expect(
      Array(file.sequences[0].tracks[0].events) == [
        TrackEvent(.message(.program(one, 5)), at: 0),
        TrackEvent(.note(Note(one, Key(60), velocity: 90, duration: 128)), at: 0),
        TrackEvent(.note(Note(one, Key(61), velocity: 90, duration: 10)), at: 256),
      ])
  }

  @Test func `an XMI file of several sequences gives one for each`() throws {
    let file = try SMFReader(strict: true).read(Self.xmi(Self.events, Self.events))
    #expect(file.sequences.count == 2)
    #expect(file.sequences.allSatisfy { $0.format == .pattern })
    let written = try SMFReader(strict: true).read(try SMFWriter().write(file))
    #expect(written.trackCount == 2)
  }

  @Test func `cut anywhere, a score of a game is read as far as it goes`() throws {
    for whole in [Self.mus, Self.xmi(Self.events, Self.events)] {
      for count in 0..<whole.count {
        do {
          let file = try SMFReader().read(Array(whole[..<count]))
          #expect(try SequenceSummary(file).noteOns <= 4)
        } catch {
          #expect(!"\(error)".isEmpty)
        }
      }
    }
  }

  @Test func `a randomly damaged game score is read or refused with an error`() {
    var generator = SplitMix(seed: 5)
    for _ in 0..<4000 {
      var bytes = Bool.random(using: &generator) ? Self.mus : Self.xmi(Self.events)
      for _ in 0..<3 {
        let place = Int.random(in: 0..<bytes.count, using: &generator)
        bytes[place] = UInt8.random(in: 0...255, using: &generator)
      }
      do {
        let file = try SMFReader().read(bytes)
        #expect(file.sequences.allSatisfy { $0.tracks[0].count <= bytes.count })
      } catch {
        #expect(!"\(error)".isEmpty)
      }
    }
  }
}
