// SPDX-License-Identifier: Apache-2.0
import MIDIMessages
import MusicalTime
import TestSupport
import Testing

@testable import ClockService

/// The places that masters name, in the ticks of what is played.
@Suite struct MasterPlaceTests {
  @Test func `a place is the first tick at or after it`() throws {
    let maps = SongMaps(tempoMap: try .constant(500_000), offset: Timecode(frame: 25, rate: .fps25))
    let clocks = MIDIClockMaster(MIDIClockFollower(), maps)
    #expect(try clocks.tick(of: .clock(MIDIClock(count: 7))) == 140)
    let timecode = TimecodeMaster(MTCFollower(), rate: .fps25, maps)
    // 1 s of offset, and 101 quarter frames of 10 ms, of 9.6 ticks each.
    let place = QuarterFrameCount(count: 101, code: .fps25)
    #expect(try timecode.tick(of: .timecode(place)) == 10)
  }

  @Test func `a place that no tick can name is an error, not the beginning`() throws {
    let ppqn = try #require(PPQN(32_767))
    let maps = SongMaps(tempoMap: TempoMap(ppqn: ppqn, tempo: .standard))
    let clocks = MIDIClockMaster(MIDIClockFollower(), maps)
    #expect(throws: TimeError.self) { try clocks.tick(of: .clock(MIDIClock(count: .max))) }
  }
}
