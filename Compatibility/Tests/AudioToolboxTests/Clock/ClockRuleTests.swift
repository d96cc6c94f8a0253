// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import Testing

/// Rules of clocks that do not follow a master.
@Suite struct ClockRuleTests {
  @Test func `A clock is created without flags, is stopped, and runs by host time`() {
    var none = OpaquePointer(bitPattern: 8)
    #expect(CAClockNew(1, &none) == -50)
    #expect(none == nil)
    let clock = TestClock()
    var timebase: UInt32 = 0
    #expect(CoreAudioClockTests.get(clock.handle, .internalTimebase, &timebase) == 0)
    #expect(timebase == CAClockTimebase.hostTime.rawValue)
    #expect(clock.set(.timebaseSource, [UInt32(1)]) == kCAClock_InvalidTimebaseSourceError)
    #expect(clock.set(.syncSource, [UInt32(1)]) == kCAClock_InvalidSyncSourceError)
    #expect(clock.start == 0 && clock.rate == 1)
  }

  @Test func `Every property has a size and can be set`() {
    let clock = TestClock()
    let sizes: [(CAClockPropertyID, UInt32)] = [
      (.internalTimebase, 4), (.timebaseSource, 4), (.syncMode, 4), (.syncSource, 4),
      (.smpteFormat, 4), (.smpteOffset, 8), (.midiClockDestinations, 0), (.mtcDestinations, 0),
      (.mtcFreewheelTime, 8), (.tempoMap, 16), (.meterTrack, 16),
      (.name, UInt32(MemoryLayout<UInt>.size)), (.sendMIDISPP, 4),
    ]
    for (property, expected) in sizes {
      var size: UInt32 = 99
      var isWritable: DarwinBoolean = false
      #expect(CAClockGetPropertyInfo(clock.handle, property, &size, &isWritable) == 0)
      #expect(size == expected && isWritable.boolValue)
      #expect(
        clock.set(property, [UInt8](repeating: 0, count: 3)) == kCAClock_InvalidPropertySizeError
          || property == .timebaseSource)
    }
  }

  @Test func `A tempo that is set manually applies from its position to the stop`() async {
    let clock = TestClock()
    #expect(CAClockSetCurrentTempo(clock.handle, 240, nil) == kCAClock_CannotSetTimeError)
    #expect(CAClockStart(clock.handle) == 0)
    await clock.log.wait(for: .started)
    let before = clock.media(mach_absolute_time(), .seconds)
    #expect(CAClockSetCurrentTempo(clock.handle, 240, nil) == 0)
    var (tempo, since) = (0.0, CAClockTime())
    #expect(CAClockGetCurrentTempo(clock.handle, &tempo, &since) == 0)
    #expect(abs(tempo - 240) < 0.001 && since.format == .seconds)
    // From its position on, time passes twice as fast as in the tempo map.
    #expect(since.time.seconds > before)
    let host = CoreAudioClockTests.translate(clock.handle, since, .hostTime).1.time.hostTime
    #expect(abs(clock.media(host + 1_000_000_000, .seconds) - since.time.seconds - 2) < 1e-4)
    let now = mach_absolute_time()
    let passed = clock.media(now + 3_000_000_000, .beats) - clock.media(now + 1_000_000_000, .beats)
    #expect(abs(passed - 8) < 0.001)
    #expect(CAClockStop(clock.handle) == 0)
    #expect(CAClockGetCurrentTempo(clock.handle, &tempo, &since) == 0)
    #expect(tempo == 120 && since.time.seconds == 0)
  }

  @Test func `Beats, seconds and time codes express the same position`() {
    let clock = TestClock()
    #expect(clock.set(.smpteOffset, [60.0]) == 0)
    let place = CAClockTime(format: .beats, reserved: 0, time: .init(beats: 9))
    func translate(_ time: CAClockTime, _ format: CAClockTimeFormat) -> CAClockTime {
      let (status, answer) = CoreAudioClockTests.translate(clock.handle, time, format)
      #expect(status == 0 && answer.format == format && answer.reserved == 0)
      return answer
    }
    #expect(abs(translate(place, .seconds).time.seconds - 4.5) < 1e-9)
    #expect(abs(translate(place, .smpteSeconds).time.seconds - 64.5) < 1e-9)
    let label = translate(place, .smpteTime)
    #expect(label.time.smpte.mMinutes == 1 && label.time.smpte.mSeconds == 4)
    #expect(label.time.smpte.mFrames == 12 && label.time.smpte.mFlags == .valid)
    #expect(abs(translate(label, .beats).time.beats - 9) < 0.01)
    let (status, _) = CoreAudioClockTests.translate(clock.handle, place, .samples)
    #expect(status == kCAClock_InvalidUnitError)
  }

  @Test func `Absolute seconds are host time in seconds`() {
    let clock = TestClock()
    let before = Double(mach_absolute_time()) / 1e9
    var now = CAClockTime()
    #expect(CAClockGetCurrentTime(clock.handle, .absoluteSeconds, &now) == 0)
    let after = Double(mach_absolute_time()) / 1e9
    #expect((before...after).contains(now.time.seconds))
    #expect(CAClockGetCurrentTime(clock.handle, .hostTime, &now) == 0)
    #expect(Double(now.time.hostTime) / 1e9 >= before)
  }

  @Test func `The time code of a running clock has the flag for running`() async {
    let clock = TestClock()
    #expect(CAClockStart(clock.handle) == 0)
    await clock.log.wait(for: .started)
    var label = CAClockTime()
    #expect(CAClockGetCurrentTime(clock.handle, .smpteTime, &label) == 0)
    #expect(label.time.smpte.mFlags == [.valid, .running])
    // The sync mode and the start position change only while the clock is stopped.
    #expect(
      clock.set(.syncMode, [CAClockSyncMode.mtcTransport.rawValue])
        == kCAClock_InvalidSyncModeError)
    #expect(CAClockStop(clock.handle) == 0)
    await clock.log.wait(for: .stopped)
    let place = clock.beats
    #expect(place > 0 && abs(clock.start - place) < 0.001)
  }
}
