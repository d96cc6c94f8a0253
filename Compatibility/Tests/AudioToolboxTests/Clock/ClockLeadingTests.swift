// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import CoreMIDI
import TestSupport
import Testing

/// The bytes that clocks send, and their times.
///
/// A clock that wakes late leaves out the messages that it has missed: it sends Stop, its new
/// position and Continue. The expected results allow for this at any time.
@Suite struct ClockLeadingTests {
  /// Starts a clock, waits until enough packets have arrived, inspects them, and stops the clock.
  ///
  /// - Returns: the packets up to the Stop.
  @discardableResult
  private func run(
    _ clock: TestClock, _ studio: MIDIStudio, until isEnough: ([MIDIInbox.Packet]) -> Bool,
    looking look: ([MIDIInbox.Packet]) -> Void = { _ in }
  ) async -> [MIDIInbox.Packet] {
    #expect(CAClockStart(clock.handle) == 0)
    #expect(await wait { isEnough(studio.arrived.all) })
    look(studio.arrived.all)
    #expect(CAClockStop(clock.handle) == 0)
    await wait { Self.isStopped(studio.arrived.all) }
    return studio.arrived.all
  }

  private static func count(_ kind: UInt8, in packets: [MIDIInbox.Packet]) -> Int {
    packets.count { $0.bytes[0] == kind }
  }

  /// True if the last of Start, Continue and Stop is Stop, or if the packets contain none of them.
  private static func isStopped(_ packets: [MIDIInbox.Packet]) -> Bool {
    packets.last { (0xFA...0xFC).contains($0.bytes[0]) }.map { $0.bytes == [0xFC] } ?? true
  }

  /// True if clock messages are sent only between a Start or Continue and a Stop.
  private static func areFollowed(_ packets: [MIDIInbox.Packet]) -> Bool {
    var runs = false
    for packet in packets {
      switch packet.bytes[0] {
      case 0xFA, 0xFB: runs = true
      case 0xFC: runs = false
      case 0xF8 where !runs: return false
      default: break
      }
    }
    return !runs
  }

  private static func distance(of value: Double, toMultipleOf unit: Double) -> Double {
    abs(value - (value / unit).rounded() * unit)
  }

  private func locate(_ clock: TestClock, beats: Double) {
    var time = CAClockTime(format: .beats, reserved: 0, time: .init(beats: beats))
    #expect(CAClockSetCurrentTime(clock.handle, &time) == 0)
  }

  @Test func `From 0 a clock sends Start, 1 ms later 24 clocks per beat, and Stop`() async {
    let (studio, clock) = (MIDIStudio("lead"), TestClock())
    #expect(clock.set(.midiClockDestinations, [studio.destination]) == 0)
    #expect(clock.set(.tempoMap, [CATempoMapEntry(beats: 0, tempoBPM: 100)]) == 0)
    let all = await run(clock, studio, until: { Self.count(0xF8, in: $0) >= 24 })
    #expect(all.first?.bytes == [0xFA] && Self.areFollowed(all))
    let clocks = all.filter { $0.bytes == [0xF8] }.map(\.time)
    #expect(clocks[0] - all[0].time >= 1_000_000)
    // On a busy machine a clock may be left out, but the others are on the grid.
    for time in clocks {
      #expect(Self.distance(of: Double(time - clocks[0]), toMultipleOf: 25_000_000) < 1000)
    }
  }

  @Test(arguments: [true, false])
  func `From another position it sends Continue, after the song position if that is enabled`(
    isWanted: Bool
  ) async {
    let (studio, clock) = (MIDIStudio("lead"), TestClock())
    #expect(clock.set(.sendMIDISPP, [UInt32(isWanted ? 1 : 0)]) == 0)
    #expect(clock.set(.midiClockDestinations, [studio.destination]) == 0)
    locate(clock, beats: 40)
    let all = await run(clock, studio, until: { Self.count(0xF8, in: $0) >= 6 })
    // 160 sixteenths are 32 and 128: the position of the start, which is sent first.
    let start: [[UInt8]] = isWanted ? [[0xF2, 32, 1], [0xFB]] : [[0xFB]]
    #expect(all.prefix(start.count).map(\.bytes) == start)
    #expect(isWanted || Self.count(0xF2, in: all) == 0)
    #expect(Self.count(0xFA, in: all) == 0 && Self.areFollowed(all))
  }

  static let codes: [(CAClockSMPTEFormat, UInt8, UInt8)] = [
    (.type24, 0, 24), (.type25, 1, 25), (.type30Drop, 2, 30), (.type30, 3, 30),
  ]

  /// The complete cycles of eight quarter frames: in order, and a quarter of a frame apart.
  private static func cycles(
    in packets: [MIDIInbox.Packet], frame: Double
  ) -> [ArraySlice<MIDIInbox.Packet>] {
    let pieces = packets.filter { $0.bytes[0] == 0xF1 }
    return pieces.indices.dropLast(7).map { pieces[$0..<$0 + 8] }.filter { cycle in
      cycle.enumerated().allSatisfy { index, piece in
        let passed = Double(Int64(piece.time) - Int64(cycle[cycle.startIndex].time))
        return piece.bytes[1] >> 4 == index && abs(passed - Double(index) * frame / 4) < 1000
      }
    }
  }

  @Test(arguments: codes)
  func `Quarter frames contain the time code of the frame in which the first is sent`(
    format: CAClockSMPTEFormat, code: UInt8, base: UInt8
  ) async {
    let (studio, clock) = (MIDIStudio("code"), TestClock())
    #expect(clock.set(.smpteFormat, [format.rawValue]) == 0)
    #expect(clock.set(.smpteOffset, [3600.0]) == 0)
    #expect(clock.set(.mtcDestinations, [studio.destination]) == 0)
    let frame = 1e9 / Double(base)
    await run(clock, studio, until: { Self.cycles(in: $0, frame: frame).count >= 2 }) { packets in
      for cycle in Self.cycles(in: packets, frame: frame) {
        let time = CAClockTime(
          format: .hostTime, reserved: 0, time: .init(hostTime: cycle[cycle.startIndex].time))
        let (status, answer) = CoreAudioClockTests.translate(clock.handle, time, .smpteTime)
        #expect(status == 0)
        let label = answer.time.smpte
        let fields = [label.mHours, label.mMinutes, label.mSeconds, label.mFrames].map {
          UInt8($0)
        }
        #expect(
          cycle.map { $0.bytes[1] } == ClockFollowingTests.quarterFrames(fields, code: code))
      }
      let pieces = packets.filter { $0.bytes[0] == 0xF1 }
      for piece in pieces {
        let passed = Double(Int64(piece.time) - Int64(pieces[0].time))
        #expect(Self.distance(of: passed, toMultipleOf: frame / 4) < 1000)
      }
    }
  }

  @Test func `Formats above 30 frames per second cannot be sent as time code`() {
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

  @Test func `Several destinations receive the same messages`() async {
    let (first, second, clock) = (MIDIStudio("one"), MIDIStudio("two"), TestClock())
    #expect(clock.set(.midiClockDestinations, [first.destination, second.destination]) == 0)
    let one = await run(clock, first, until: { Self.count(0xF8, in: $0) >= 6 })
    let two = await second.arrived.wait(for: one.count).prefix(one.count)
    #expect(one.map(\.bytes) == two.map(\.bytes) && one.map(\.time) == two.map(\.time))
  }
}
