// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import CoreMIDI
import TestSupport
import Testing

/// What clocks send: the bytes, and the times on them.
@Suite struct ClockLeadingTests {
  /// Runs a clock until its destination has had so many packets of a kind; all until its stop.
  private func run(
    _ clock: TestClock, _ studio: MIDIStudio, until kind: UInt8, count: Int
  ) async -> [MIDIInbox.Packet] {
    #expect(CAClockStart(clock.handle) == 0)
    await wait { studio.arrived.count(of: kind) >= count }
    #expect(CAClockStop(clock.handle) == 0)
    if kind == 0xF8 { await wait { studio.arrived.count(of: 0xFC) > 0 } }
    return studio.arrived.all
  }

  private static func distance(of value: Double, toMultipleOf unit: Double) -> Double {
    abs(value - (value / unit).rounded() * unit)
  }

  private func locate(_ clock: TestClock, beats: Double) {
    var time = CAClockTime(format: .beats, reserved: 0, time: .init(beats: beats))
    #expect(CAClockSetCurrentTime(clock.handle, &time) == 0)
  }

  @Test func `From 0 a clock sends Start, 24 clocks a beat a millisecond after it, and Stop`() async
  {
    let (studio, clock) = (MIDIStudio("lead"), TestClock())
    #expect(clock.set(.midiClockDestinations, [studio.destination]) == 0)
    #expect(clock.set(.tempoMap, [CATempoMapEntry(beats: 0, tempoBPM: 100)]) == 0)
    let all = await run(clock, studio, until: 0xF8, count: 24)
    let bytes = all.map { $0.bytes[0] }
    #expect(bytes.first == 0xFA && bytes.last == 0xFC)
    let clocks = all.filter { $0.bytes == [0xF8] }.map(\.time)
    #expect(clocks[0] - all[0].time >= 1_000_000)
    // On a machine that comes late a clock may be left out, but none is anywhere else.
    for time in clocks {
      #expect(Self.distance(of: Double(time - clocks[0]), toMultipleOf: 25_000_000) < 1000)
    }
  }

  @Test(arguments: [true, false])
  func `From elsewhere it sends a song position, where that is wanted, and Continue`(
    isWanted: Bool
  ) async {
    let (studio, clock) = (MIDIStudio("lead"), TestClock())
    #expect(clock.set(.sendMIDISPP, [UInt32(isWanted ? 1 : 0)]) == 0)
    #expect(clock.set(.midiClockDestinations, [studio.destination]) == 0)
    locate(clock, beats: 40)
    let all = await run(clock, studio, until: 0xF8, count: 6).map(\.bytes)
    // 160 sixteenths are 32 and 128.
    let positions = all.filter { $0[0] == 0xF2 }
    #expect(isWanted ? positions.last == [0xF2, 32, 1] : positions.isEmpty)
    #expect(all.contains([0xFB]) && !all.contains([0xFA]))
    #expect(all.last == [0xFC])
  }

  static let codes: [(CAClockSMPTEFormat, UInt8, UInt8)] = [
    (.type24, 0, 24), (.type25, 1, 25), (.type30Drop, 2, 30), (.type30, 3, 30),
  ]

  @Test(arguments: codes)
  func `Quarter frames spell the label of the frame in which the first is sent`(
    format: CAClockSMPTEFormat, code: UInt8, base: UInt8
  ) async throws {
    let (studio, clock) = (MIDIStudio("code"), TestClock())
    #expect(clock.set(.smpteFormat, [format.rawValue]) == 0)
    #expect(clock.set(.smpteOffset, [3600.0]) == 0)
    #expect(clock.set(.mtcDestinations, [studio.destination]) == 0)
    let all = await run(clock, studio, until: 0xF1, count: 17)
    let frames = all.filter { $0.bytes[0] == 0xF1 }
    let first = try #require(frames.firstIndex { $0.bytes[1] >> 4 == 0 })
    var label = SMPTETime()
    #expect(CAClockSecondsToSMPTETime(clock.handle, 0, 1, &label) == 0)
    let expected = [label.mHours, label.mMinutes, label.mSeconds, label.mFrames].map {
      UInt8($0)
    }
    // The first cycle that is whole begins at the offset, or two frames on.
    let spelled = frames[first..<first + 8].map { $0.bytes[1] }
    let next = [expected[0], expected[1], expected[2], expected[3] + 2]
    #expect(
      [expected, next].map { ClockFollowingTests.quarterFrames($0, code: code) }.contains(spelled))
    for frame in frames {
      let passed = Double(frame.time - frames[0].time)
      #expect(Self.distance(of: passed, toMultipleOf: 1e9 / Double(base) / 4) < 1000)
    }
  }

  @Test func `Formats above 30 frames have no time code`() {
    let (studio, clock) = (MIDIStudio("code"), TestClock())
    for format in [CAClockSMPTEFormat.type50, .type60, .type5994, .type5994Drop, .type60Drop] {
      #expect(clock.set(.mtcDestinations, [MIDIEndpointRef]()) == 0)
      #expect(clock.set(.smpteFormat, [format.rawValue]) == 0)
      #expect(
        clock.set(.mtcDestinations, [studio.destination]) == kCAClock_InvalidSMPTEFormatError)
      #expect(
        clock.set(.syncMode, [CAClockSyncMode.mtcTransport.rawValue])
          == kCAClock_InvalidSMPTEFormatError)
    }
  }

  @Test func `Several destinations hear the same`() async {
    let (first, second, clock) = (MIDIStudio("one"), MIDIStudio("two"), TestClock())
    #expect(clock.set(.midiClockDestinations, [first.destination, second.destination]) == 0)
    let one = await run(clock, first, until: 0xF8, count: 6)
    let two = await second.arrived.wait(for: one.count)
    #expect(one.map(\.bytes) == two.map(\.bytes) && one.map(\.time) == two.map(\.time))
  }
}
