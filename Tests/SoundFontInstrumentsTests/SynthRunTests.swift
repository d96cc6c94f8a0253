// SPDX-License-Identifier: Apache-2.0
import AudioProcessing
import MIDIMessages
import MusicalTime
import SoundFontInstruments
import TestSupport
import Testing

@Suite(.bothEngines) struct SynthRunTests {
  private static let quanta = 600

  /// Two seconds of notes and controllers on three channels, some at the same frame, some close to
  /// the middle of a quantum, and a rest long enough for runs of any length.
  private func messages() -> [(frame: Int64, message: Message)] {
    var random = SplitMix(seed: 12)
    var messages: [(frame: Int64, message: Message)] = []
    for _ in 0..<120 {
      let frame = Int64(random.next() % 30_000)
      let channel = Channel(index: UInt8(random.next() % 3))
      let key = Key(UInt8(40 + random.next() % 40))
      messages.append((frame, .noteOn(channel, key, velocity: 100)))
      messages.append((frame + 32 + Int64(random.next() % 4000), .noteOff(channel, key)))
      messages.append((frame, .control(channel, Controller(91), value: 100)))
    }
    return messages.enumerated()
      .sorted { ($0.element.frame, $0.offset) < ($1.element.frame, $1.offset) }
      .map(\.element)
  }

  /// All samples of all buses, and the instrument's state at the requested places.
  private func rendered(
    inRuns: Bool, lengths: [Int]
  ) throws -> (samples: [Float], states: [String]) {
    let rig = try InstrumentRig(effects: true)
    rig.send(messages())
    let source = AheadUnit(rig.instrument, capacity: Self.quanta)
    var place = 0
    var states: [String] = []
    for length in lengths {
      source.renderAhead(startFrame: Int64(place * 64), count: length, inRuns: inRuns) {}
      place += length
      states.append("\(rig.instrument.activeVoiceCount) \(rig.instrument.isSilent)")
    }
    var samples: [Float] = []
    for quantum in 0..<place {
      for index in source.outputChannelCounts.indices {
        let bus = source.bus(index, quantum: quantum)
        for channel in 0..<2 { for frame in 0..<64 { samples.append(bus[channel, frame]) } }
      }
    }
    return (samples, states)
  }

  @Test(arguments: [[7, 33, 1, 80, 2], [64], [200, 400]])
  func `quanta rendered in one call equal those rendered one by one`(pattern: [Int]) throws {
    var lengths: [Int] = []
    while lengths.reduce(0, +) < Self.quanta {
      let rest = Self.quanta - lengths.reduce(0, +)
      lengths.append(min(pattern[lengths.count % pattern.count], rest))
    }
    let single = try rendered(inRuns: false, lengths: lengths)
    let runs = try rendered(inRuns: true, lengths: lengths)
    #expect(single.samples.contains { abs($0) > 0.01 })
    #expect(runs.samples == single.samples)
    #expect(runs.states == single.states)
  }

  @Test func `silence ends sound that was rendered ahead`() throws {
    let rig = try InstrumentRig()
    rig.send([(0, .noteOn(Channel(index: 0), Key(69), velocity: 127))])
    let source = AheadUnit(rig.instrument, capacity: 32)
    source.renderAhead(startFrame: 0, count: 16, inRuns: true) {}
    rig.instrument.silence()
    source.renderAhead(startFrame: 1024, count: 16, inRuns: true) {}
    #expect((0..<64).contains { abs(source.bus(0, quantum: 15)[0, $0]) > 0.01 })
    #expect((0..<64).allSatisfy { source.bus(0, quantum: 16)[0, $0] == 0 })
    #expect(rig.instrument.isSilent)
  }
}
