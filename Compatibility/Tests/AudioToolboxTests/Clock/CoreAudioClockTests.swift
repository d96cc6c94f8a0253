// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import CoreMIDI
import Foundation
import TestSupport
import Testing

/// Clocks as programs for Apple's systems use them.
@Suite struct CoreAudioClockTests {
  static func clock() -> CAClockRef? {
    var clock: CAClockRef?
    #expect(CAClockNew(0, &clock) == 0)
    return clock
  }

  static func seconds(_ value: Double) -> CAClockTime {
    CAClockTime(format: .seconds, reserved: 0, time: .init(seconds: value))
  }

  static func set<Value>(
    _ clock: CAClockRef?, _ property: CAClockPropertyID, _ values: [Value]
  ) -> OSStatus {
    values.withUnsafeBytes { CAClockSetProperty(clock, property, UInt32($0.count), $0.baseAddress) }
  }

  static func get<Value>(
    _ clock: CAClockRef?, _ property: CAClockPropertyID, _ value: inout Value
  ) -> OSStatus {
    withUnsafeMutableBytes(of: &value) { bytes in
      var size = UInt32(bytes.count)
      return CAClockGetProperty(clock, property, &size, bytes.baseAddress)
    }
  }

  static func translate(
    _ clock: CAClockRef?, _ time: CAClockTime, _ format: CAClockTimeFormat
  ) -> (OSStatus, CAClockTime) {
    var time = time
    var answer = CAClockTime()
    let status = CAClockTranslateTime(clock, &time, format, &answer)
    return (status, answer)
  }

  @Test func `A new clock is stopped at 0, with 120 BPM and a play rate of 1`() {
    let clock = Self.clock()
    defer { CAClockDispose(clock) }
    var time = CAClockTime()
    #expect(CAClockGetCurrentTime(clock, .beats, &time) == 0)
    #expect(time.time.beats == 0)
    var rate = 0.0
    #expect(CAClockGetPlayRate(clock, &rate) == 0)
    #expect(rate == 1)
    var tempo = 0.0
    #expect(CAClockGetCurrentTempo(clock, &tempo, &time) == 0)
    #expect(tempo == 120)
    var mode: UInt32 = 0
    #expect(Self.get(clock, .syncMode, &mode) == 0)
    #expect(mode == CAClockSyncMode.internal.rawValue)
    var freewheel = 0.0
    #expect(Self.get(clock, .mtcFreewheelTime, &freewheel) == 0)
    #expect(freewheel == 1)
  }

  @Test func `At a play rate of 0.5, half as much media time passes`() async throws {
    let (clock, log) = (Self.clock(), ClockLog())
    defer { CAClockDispose(clock) }
    CAClockAddListener(clock, ClockLog.listener, log.data)
    #expect(CAClockSetPlayRate(clock, 0.5) == 0)
    #expect(CAClockStart(clock) == 0)
    await log.wait(for: .started)
    // Between two host times, half as many seconds of media time pass, and one beat per second.
    let now = mach_absolute_time()
    func media(_ host: UInt64, _ format: CAClockTimeFormat) -> Double {
      let time = CAClockTime(format: .hostTime, reserved: 0, time: .init(hostTime: host))
      let (status, answer) = Self.translate(clock, time, format)
      #expect(status == 0)
      return answer.time.seconds
    }
    let distance: UInt64 = 10_000_000_000
    let passed = media(now + distance, .seconds) - media(now, .seconds)
    #expect(abs(passed - 5) < 1e-8)
    let beats = media(now + distance, .beats) - media(now, .beats)
    #expect(abs(beats - 10) < 1e-7)
    // Conversion back to host time.
    let (status, host) = Self.translate(clock, Self.seconds(media(now, .seconds)), .hostTime)
    #expect(status == 0)
    #expect(abs(Int64(host.time.hostTime) - Int64(now)) <= 1000)
    #expect(CAClockStop(clock) == 0)
    #expect(Self.translate(clock, Self.seconds(1), .hostTime).0 == kCAClock_InvalidUnitError)
  }

  @Test func `The start position is set in beats, seconds and time code, before a start`() {
    let clock = Self.clock()
    defer { CAClockDispose(clock) }
    var time = CAClockTime(format: .beats, reserved: 0, time: .init(beats: 4.5))
    #expect(CAClockSetCurrentTime(clock, &time) == 0)
    var now = CAClockTime()
    #expect(CAClockGetCurrentTime(clock, .seconds, &now) == 0)
    #expect(abs(now.time.seconds - 2.25) < 1e-9)
    #expect(CAClockGetStartTime(clock, .beats, &now) == 0)
    #expect(abs(now.time.beats - 4.5) < 1e-9)
    var label = SMPTETime()
    (label.mSeconds, label.mFrames) = (3, 5)
    time = CAClockTime(format: .smpteTime, reserved: 0, time: .init(smpte: label))
    #expect(CAClockSetCurrentTime(clock, &time) == 0)
    // 3.2 s at 25 frames per second and 120 BPM.
    #expect(CAClockGetCurrentTime(clock, .beats, &now) == 0)
    #expect(abs(now.time.beats - 6.4) < 1e-6)
    time.format = .hostTime
    #expect(CAClockSetCurrentTime(clock, &time) == kCAClock_InvalidTimeFormatError)
    #expect(CAClockStart(clock) == 0)
    time = Self.seconds(1)
    #expect(CAClockSetCurrentTime(clock, &time) == kCAClock_CannotSetTimeError)
    #expect(CAClockStart(clock) == 0)
    #expect(CAClockStop(clock) == 0)
    #expect(CAClockGetCurrentTime(clock, .samples, &now) == kCAClock_InvalidUnitError)
  }

  @Test func `Tempo map and meters determine beats, seconds and bars`() {
    let clock = Self.clock()
    defer { CAClockDispose(clock) }
    let tempi = [
      CATempoMapEntry(beats: 2, tempoBPM: 60), CATempoMapEntry(beats: 0, tempoBPM: 90),
    ]
    #expect(Self.set(clock, .tempoMap, tempi) == 0)
    let beat = CAClockTime(format: .beats, reserved: 0, time: .init(beats: 4))
    let (status, answer) = Self.translate(clock, beat, .seconds)
    #expect(status == 0)
    #expect(abs(answer.time.seconds - (2 * 60.0 / 90 + 2)) < 1e-7)
    let meters = [
      CAMeterTrackEntry(beats: 0, meterNumer: 4, meterDenom: 4),
      CAMeterTrackEntry(beats: 8, meterNumer: 6, meterDenom: 8),
    ]
    #expect(Self.set(clock, .meterTrack, meters) == 0)
    func place(_ beats: Double) -> [Int] {
      var place = CABarBeatTime()
      #expect(CAClockBeatsToBarBeatTime(clock, beats, 480, &place) == 0)
      var back = 0.0
      #expect(CAClockBarBeatTimeToBeats(clock, &place, &back) == 0)
      #expect(abs(back - beats) < 1e-9)
      return [Int(place.bar), Int(place.beat), Int(place.subbeat), Int(place.subbeatDivisor)]
    }
    #expect(place(0) == [1, 1, 0, 480])
    #expect(place(4.5) == [2, 1, 240, 480])
    #expect(place(8) == [3, 1, 0, 480])
    #expect(place(8.5) == [3, 2, 0, 480])
    #expect(place(11) == [4, 1, 0, 480])
    #expect(place(-1) == [0, 4, 0, 480])
    var bad = CABarBeatTime()
    var beats = 0.0
    #expect(CAClockBeatsToBarBeatTime(clock, 1, 0, &bad) == -50)
    #expect(CAClockBarBeatTimeToBeats(clock, &bad, &beats) == -50)
    #expect(Self.set(clock, .tempoMap, [CATempoMapEntry(beats: 0, tempoBPM: 0)]) == -50)
    #expect(Self.set(clock, .tempoMap, [CATempoMapEntry(beats: 0, tempoBPM: .nan)]) == -50)
    #expect(
      Self.set(clock, .meterTrack, [CAMeterTrackEntry(beats: 0, meterNumer: 4, meterDenom: 3)])
        == -50)
    #expect(Self.set(clock, .tempoMap, [UInt8(1)]) == kCAClock_InvalidPropertySizeError)
  }

  static let labels: [(CAClockSMPTEFormat, [Int16], Double)] = [
    (.type25, [0, 1, 0, 2], 60.08), (.type30, [0, 1, 0, 2], 60 + 2 / 30.0),
    (.type2997, [0, 1, 0, 2], 60.126733333), (.type2997Drop, [0, 1, 0, 2], 60.06),
    (.type30Drop, [0, 1, 0, 2], 60), (.type5994Drop, [0, 1, 0, 4], 60.06),
    (.type2398, [0, 1, 0, 2], 60.143416667), (.type2997Drop, [0, 10, 0, 0], 599.9994),
    (.type2997Drop, [1, 0, 0, 0], 3599.9964), (.type24, [1, 0, 0, 0], 3600),
    (.type2997Drop, [23, 59, 59, 29], 86399.880233333),
    (.type50, [1, 0, 0, 0], 3600), (.type60, [0, 0, 1, 30], 1.5),
    (.type5994, [1, 0, 0, 0], 3603.6), (.type60Drop, [0, 1, 0, 4], 60),
  ]

  @Test func `Time codes of all formats are as in SMPTE's table`() {
    let clock = Self.clock()
    defer { CAClockDispose(clock) }
    for (format, fields, seconds) in Self.labels {
      #expect(Self.set(clock, .smpteFormat, [format.rawValue]) == 0)
      var label = SMPTETime()
      (label.mHours, label.mMinutes, label.mSeconds, label.mFrames) =
        (fields[0], fields[1], fields[2], fields[3])
      var answer = 0.0
      #expect(CAClockSMPTETimeToSeconds(clock, &label, &answer) == 0)
      #expect(abs(answer - seconds) < 1e-6, "\(format.rawValue) \(fields)")
      var back = SMPTETime()
      #expect(CAClockSecondsToSMPTETime(clock, answer, 80, &back) == 0)
      #expect([back.mHours, back.mMinutes, back.mSeconds, back.mFrames] == fields)
      #expect(back.mSubframes == 0 && back.mSubframeDivisor == 80)
      #expect(back.mType == format && back.mFlags == .valid)
    }
    #expect(Self.set(clock, .smpteFormat, [UInt32(12)]) == kCAClock_InvalidSMPTEFormatError)
  }

  @Test func `Time codes that do not exist are refused, and the offset is added`() {
    let clock = Self.clock()
    defer { CAClockDispose(clock) }
    #expect(Self.set(clock, .smpteFormat, [CAClockSMPTEFormat.type2997Drop.rawValue]) == 0)
    var label = SMPTETime()
    label.mMinutes = 1
    var seconds = 0.0
    #expect(CAClockSMPTETimeToSeconds(clock, &label, &seconds) == kCAClock_InvalidTimeFormatError)
    label.mMinutes = -1
    #expect(CAClockSMPTETimeToSeconds(clock, &label, &seconds) == kCAClock_InvalidTimeFormatError)
    #expect(Self.set(clock, .smpteFormat, [CAClockSMPTEFormat.type25.rawValue]) == 0)
    #expect(Self.set(clock, .smpteOffset, [3600.0]) == 0)
    #expect(CAClockSecondsToSMPTETime(clock, 0.04, 1, &label) == 0)
    #expect([label.mHours, label.mMinutes, label.mSeconds, label.mFrames] == [1, 0, 0, 1])
    let (_, answer) = Self.translate(clock, Self.seconds(1), .smpteSeconds)
    #expect(answer.time.seconds == 3601)
    #expect(CAClockSecondsToSMPTETime(clock, -3600.04, 1, &label) == 0)
    #expect([label.mHours, label.mMinutes, label.mSeconds, label.mFrames] == [23, 59, 59, 24])
  }

  @Test func `Listeners receive start, stop and changes until they are removed`() async {
    let (log, other) = (ClockLog(), ClockLog())
    let clock = Self.clock()
    // The same function with other data is another listener.
    #expect(CAClockAddListener(clock, ClockLog.listener, log.data) == 0)
    #expect(CAClockAddListener(clock, ClockLog.listener, other.data) == 0)
    var time = Self.seconds(2)
    CAClockSetCurrentTime(clock, &time)
    CAClockStart(clock)
    CAClockStop(clock)
    await log.wait(for: .stopped)
    await other.wait(for: .stopped)
    #expect(CAClockRemoveListener(clock, ClockLog.listener, other.data) == 0)
    #expect(Self.set(clock, .smpteOffset, [1.0]) == 0)
    CAClockArm(clock)
    CAClockDisarm(clock)
    let all: [CAClockMessage] = [
      .startTimeSet, .started, .stopped, .propertyChanged, .armed, .disarmed,
    ]
    for message in all { await log.wait(for: message) }
    #expect(other.count(.propertyChanged) == 0)
    #expect(log.parameters == 0)
    #expect(CAClockRemoveListener(clock, ClockLog.listener, log.data) == 0)
    #expect(CAClockRemoveListener(clock, ClockLog.listener, log.data) == -50)
    CAClockDispose(clock)
  }

  @Test func `A clock of 120 BPM that follows 100 BPM has a play rate of 5/6`() async throws {
    let clock = Self.clock()
    defer { CAClockDispose(clock) }
    // On a busy machine the clock continues for this time.
    #expect(Self.set(clock, .mtcFreewheelTime, [600.0]) == 0)
    #expect(Self.set(clock, .syncMode, [CAClockSyncMode.midiClockTransport.rawValue]) == 0)
    #expect(CAClockStart(clock) == kCAClock_InvalidSyncModeError)
    #expect(CAClockArm(clock) == 0)
    let interval: UInt64 = 25_000_000
    let start = mach_absolute_time() - 72 * interval
    MIDIStudio.with([(start - 10_000_000, [0xF2, 64, 0]), (start - 5_000_000, [0xFB])]) {
      #expect(CAClockParseMIDI(clock, $0) == 0)
    }
    MIDIStudio.with((0...72).map { (start + UInt64($0) * interval, [0xF8]) }) {
      #expect(CAClockParseMIDI(clock, $0) == 0)
    }
    var rate = 0.0
    await wait {
      #expect(CAClockGetPlayRate(clock, &rate) == 0)
      return abs(rate - 5.0 / 6) < 0.01
    }
    #expect(abs(rate - 5.0 / 6) < 0.01)
    let last = CAClockTime(
      format: .hostTime, reserved: 0, time: .init(hostTime: start + 72 * interval))
    let (status, place) = Self.translate(clock, last, .beats)
    #expect(status == 0)
    #expect(abs(place.time.beats - 19) < 0.1)
    var tempo = 0.0
    #expect(CAClockGetCurrentTempo(clock, &tempo, nil) == 0)
    #expect(tempo == 120)
    #expect(CAClockSetPlayRate(clock, 2) == kCAClock_InvalidPlayRateError)
    MIDIStudio.with([(0, [0xFC])]) { #expect(CAClockParseMIDI(clock, $0) == 0) }
  }

  @Test func `One clock follows another through a source`() async throws {
    let studio = MIDIStudio("chain")
    let (leader, follower) = (Self.clock(), Self.clock())
    defer { CAClockDispose(leader); CAClockDispose(follower) }
    #expect(Self.set(leader, .midiClockDestinations, [studio.source]) == 0)
    #expect(Self.set(follower, .mtcFreewheelTime, [600.0]) == 0)
    #expect(Self.set(follower, .syncMode, [CAClockSyncMode.midiClockTransport.rawValue]) == 0)
    #expect(Self.set(follower, .syncSource, [studio.source]) == 0)
    #expect(
      Self.set(follower, .syncSource, [studio.destination]) == kCAClock_InvalidSyncSourceError)
    CAClockArm(follower)
    CAClockStart(leader)
    // While a late leader sends its new position, the follower is stopped.
    let isFollowed = await wait {
      let now = CAClockTime(
        format: .hostTime, reserved: 0, time: .init(hostTime: mach_absolute_time()))
      let (_, ahead) = Self.translate(leader, now, .beats)
      let (status, behind) = Self.translate(follower, now, .beats)
      return status == 0 && behind.time.beats >= 1.5
        && abs(ahead.time.beats - behind.time.beats) < 0.02
    }
    #expect(isFollowed)
    CAClockStop(leader)
  }

  @Test func `Invalid handles, sizes and properties give error codes`() throws {
    let clock = Self.clock()
    CAClockDispose(clock)
    var time = CAClockTime()
    for wrong in [nil, OpaquePointer(bitPattern: 16), clock] {
      #expect(CAClockStart(wrong) == -50)
      #expect(CAClockDispose(wrong) == -50)
      #expect(CAClockGetCurrentTime(wrong, .beats, &time) == -50)
      #expect(CAClockArm(wrong) == -50)
    }
    let other = Self.clock()
    defer { CAClockDispose(other) }
    var size: UInt32 = 0
    let unknown = try #require(CAClockPropertyID(rawValue: 1))
    #expect(
      CAClockGetPropertyInfo(other, unknown, &size, nil)
        == kCAClock_UnknownPropertyError)
    #expect(CAClockGetPropertyInfo(other, .tempoMap, &size, nil) == 0)
    #expect(size == 16)
    size = 15
    #expect(CAClockGetProperty(other, .tempoMap, &size, &time) == kCAClock_InvalidPropertySizeError)
    #expect(Self.set(other, .syncMode, [UInt32(5)]) == kCAClock_InvalidSyncModeError)
    #expect(
      Self.set(other, .internalTimebase, [UInt32(5)])
        == kCAClock_InvalidTimebaseError)
    #expect(Self.set(other, .smpteOffset, [Double.nan]) == kCAClock_InvalidSMPTEOffsetError)
    #expect(CAClockSetPlayRate(other, 0) == kCAClock_InvalidPlayRateError)
    #expect(CAClockSetPlayRate(other, -1) == kCAClock_InvalidPlayRateError)
    #expect(CAClockSetPlayRate(other, .nan) == kCAClock_InvalidPlayRateError)
    #expect(CAClockSetCurrentTempo(other, 100, nil) == kCAClock_CannotSetTimeError)
    var named: UInt = 0
    let name = NSString(string: "my clock")
    #expect(Self.set(other, .name, [Unmanaged.passUnretained(name).toOpaque()]) == 0)
    #expect(Self.get(other, .name, &named) == 0)
    let borrowed = UnsafeRawPointer(bitPattern: named).map {
      Unmanaged<NSString>.fromOpaque($0).takeUnretainedValue()
    }
    #expect(borrowed.map { "\($0)" } == "my clock")
  }
}
