// SPDX-License-Identifier: Apache-2.0
import MIDIMessages
import MusicalTime
import TestSupport
import Testing

@testable import ClockService

/// The positions of masters, in ticks of the song.
@Suite struct MasterPlaceTests {
  @Test func `a position is the first tick at or after it`() throws {
    var song = TimeContext(tempoMap: try .constant(500_000), meterMap: .common)
    song.smpteOffset = Timecode(frame: 25, rate: .fps25)
    let clocks = MIDIClockMaster(MIDIClockFollower(), song)
    #expect(try clocks.tick(of: .clock(MIDIClock(count: 7))) == 140)
    let timecode = TimecodeMaster(MTCFollower(), rate: .fps25, song)
    // 1 s of offset, and 101 quarter frames of 10 ms, of 9.6 ticks each.
    let place = QuarterFrameCount(count: 101, code: .fps25)
    #expect(try timecode.tick(of: .timecode(place)) == 10)
  }

  @Test func `a position beyond the ticks is an error, not the start`() throws {
    let ppqn = try #require(PPQN(32_767))
    let song = TimeContext(tempoMap: TempoMap(ppqn: ppqn, tempo: .standard), meterMap: .common)
    let clocks = MIDIClockMaster(MIDIClockFollower(), song)
    #expect(throws: TimeError.self) { try clocks.tick(of: .clock(MIDIClock(count: .max))) }
  }
}
