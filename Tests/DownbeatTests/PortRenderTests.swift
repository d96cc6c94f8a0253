// SPDX-License-Identifier: Apache-2.0
import Downbeat
import Foundation
import MIDIMessages
import MusicSequences
import MusicalTime
import SoundFontInstruments
import TestSupport
import Testing

/// Songs with several ports, each with sixteen channels.
@Suite struct PortRenderTests {
  private typealias Events = [(delta: Int, bytes: [UInt8])]

  private let scratch: ScratchFolder
  private let settings: SessionSettings

  init() throws {
    scratch = try ScratchFolder()
    let font = try scratch.write("tiny.sf2", TinySoundFont.bytes)
    settings = SessionSettings(soundFont: font, hasReverb: false, hasChorus: false)
  }

  /// Notes on all sixteen channels of a port, one after another, which overlap those of other
  /// ports.
  private static func track(port: UInt8) -> (name: String, events: Events) {
    var events: Events = [(0, [0xFF, 0x21, 1, port])]
    for channel in UInt8(0)..<16 {
      let key = 40 + 3 * channel / 2 + port % 16
      events.append((Int(port) * 7, [0xB0 | channel, 7, 40 + 5 * channel]))
      events.append((0, [0x90 | channel, key, UInt8(min(127, 60 + 4 * Int(port)))]))
      events.append((90, [0x80 | channel, key, 64]))
    }
    return ("", events)
  }

  private static func song(_ ports: [UInt8]) throws -> MusicSequence {
    try SMFReader().read(SongBytes.file(tracks: ports.map { track(port: $0) })).sequences[0]
  }

  private func samples(_ song: MusicSequence) throws -> [Float] {
    let renderer = try SongRenderer(song, settings: settings)
    // The separate parts would be quiet sooner than the mix.
    renderer.tail = .seconds(1)
    var samples: [Float] = []
    try renderer.render(limiting: false) { part, _ in
      for index in part.indices { samples.append(part[index]) }
      return true
    }
    return samples
  }

  @Test func `a song of 64 channels sounds as its four parts mixed`() throws {
    let whole = try samples(Self.song([0, 1, 2, 3]))
    var sum = [Float](repeating: 0, count: whole.count)
    for port in UInt8(0)..<4 {
      for (index, sample) in try samples(Self.song([port])).enumerated() where index < sum.count {
        sum[index] += sample
      }
    }
    // The difference is only in the order in which samples are added.
    let furthest = zip(whole, sum).reduce(Float(0)) { max($0, abs($1.0 - $1.1)) }
    #expect(furthest < 1e-5)
    #expect(whole.contains { abs($0) > 0.01 })
  }

  @Test func `one channel of each port has a stem`() throws {
    var stems = settings
    stems.hasChannelStrips = true
    let renderer = try StemRenderer(Self.song([0, 1]), by: .channel, settings: stems)
    let sources = renderer.stems.map(\.source)
    #expect(sources.count == 32)
    #expect(sources.first == .channel(1, port: 1) && sources.last == .channel(16, port: 2))
  }

  @Test func `the seventeenth port is not played`() throws {
    let whole = try samples(Self.song(Array(0..<17)))
    let played = try samples(Self.song(Array(0..<16)))
    let count = min(whole.count, played.count)
    #expect(whole[..<count] == played[..<count])
  }
}
