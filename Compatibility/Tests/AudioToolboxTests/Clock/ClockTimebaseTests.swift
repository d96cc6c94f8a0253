// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import CoreAudio
import Testing

/// Clocks that count the samples of a device or an output unit.
///
/// Other tests play on the same devices at the same time, so these tests use a unit that never
/// plays.
@Suite struct ClockTimebaseTests {
  private static func null() throws -> AudioDeviceID {
    var address = AudioObjectPropertyAddress(
      mSelector: kAudioHardwarePropertyTranslateUIDToDevice,
      mScope: kAudioObjectPropertyScopeGlobal, mElement: kAudioObjectPropertyElementMain)
    var (uid, device, size) = ("null" as CFString, AudioDeviceID(0), UInt32(4))
    let status = withUnsafePointer(to: &uid) {
      AudioObjectGetPropertyData(
        AudioObjectID(kAudioObjectSystemObject), &address, UInt32(MemoryLayout<CFString>.size),
        UnsafeRawPointer($0), &size, &device)
    }
    #expect(status == 0)
    return device
  }

  /// A clock whose output unit is not set yet: 44,100 samples are one second of the host clock.
  private static func clock() -> TestClock {
    let clock = TestClock()
    #expect(clock.set(.internalTimebase, [CAClockTimebase.audioOutputUnit.rawValue]) == 0)
    return clock
  }

  private static func translate(
    _ clock: TestClock, _ time: CAClockTime, _ format: CAClockTimeFormat
  ) -> CAClockTime {
    let (status, answer) = CoreAudioClockTests.translate(clock.handle, time, format)
    #expect(status == 0 && answer.format == format)
    return answer
  }

  private static func samples(_ count: Double) -> CAClockTime {
    CAClockTime(format: .samples, reserved: 0, time: .init(samples: count))
  }

  @Test func `A device is the source of its samples`() throws {
    let clock = TestClock()
    #expect(clock.set(.internalTimebase, [CAClockTimebase.audioDevice.rawValue]) == 0)
    var (timebase, source) = (UInt32(0), AudioDeviceID(9))
    #expect(CoreAudioClockTests.get(clock.handle, .timebaseSource, &source) == 0)
    #expect(source == kAudioObjectUnknown)
    let device = try Self.null()
    #expect(clock.set(.timebaseSource, [device]) == 0)
    #expect(CoreAudioClockTests.get(clock.handle, .internalTimebase, &timebase) == 0)
    #expect(CoreAudioClockTests.get(clock.handle, .timebaseSource, &source) == 0)
    #expect(timebase == CAClockTimebase.audioDevice.rawValue && source == device)
    var now = CAClockTime()
    #expect(CAClockGetCurrentTime(clock.handle, .samples, &now) == 0)
    #expect(now.format == .samples)
    #expect(clock.set(.timebaseSource, [UInt32(63)]) == kCAClock_InvalidTimebaseSourceError)
    #expect(clock.set(.timebaseSource, [kAudioObjectUnknown]) == 0)
    #expect(CoreAudioClockTests.get(clock.handle, .timebaseSource, &source) == 0)
    #expect(source == kAudioObjectUnknown && clock.set(.timebaseSource, [device]) == 0)
    #expect(clock.set(.timebaseSource, [UInt64(63)]) == kCAClock_InvalidPropertySizeError)
    #expect(clock.set(.internalTimebase, [UInt32(1)]) == kCAClock_InvalidTimebaseError)
    #expect(CoreAudioClockTests.get(clock.handle, .timebaseSource, &source) == 0)
    #expect(source == device)
  }

  @Test func `Samples follow host time while the clock is stopped`() throws {
    let clock = Self.clock()
    let first = Self.translate(clock, Self.samples(0), .hostTime).time.hostTime
    let later = Self.translate(clock, Self.samples(441_000), .hostTime).time.hostTime
    #expect(later - first == 10_000_000_000 && first <= mach_absolute_time())
    let seconds = Self.translate(clock, Self.samples(44_100), .absoluteSeconds).time.seconds
    #expect(abs(seconds - Double(first) / 1e9 - 1) < 1e-6)
    var now = CAClockTime()
    #expect(CAClockGetCurrentTime(clock.handle, .samples, &now) == 0)
    #expect(now.time.samples > 0)
  }

  @Test func `A running clock relates samples, beats and host time`() async throws {
    let clock = Self.clock()
    let (status, _) = CoreAudioClockTests.translate(clock.handle, Self.samples(0), .beats)
    #expect(status == kCAClock_InvalidUnitError)
    #expect(CAClockStart(clock.handle) == 0)
    await clock.log.wait(for: .started)
    var start = CAClockTime()
    #expect(CAClockGetStartTime(clock.handle, .samples, &start) == 0)
    for beat in [0.5, 1, 17.25] {
      let sample = start.time.samples + 22_050 * beat
      #expect(abs(Self.translate(clock, Self.samples(sample), .beats).time.beats - beat) < 1e-6)
      let beats = CAClockTime(format: .beats, reserved: 0, time: .init(beats: beat))
      #expect(abs(Self.translate(clock, beats, .samples).time.samples - sample) < 0.001)
      let host = Self.translate(clock, beats, .hostTime)
      #expect(abs(Self.translate(clock, host, .samples).time.samples - sample) < 0.001)
      #expect(abs(Self.translate(clock, host, .beats).time.beats - beat) < 1e-6)
    }
    #expect(CAClockStop(clock.handle) == 0)
  }

  @Test func `Invalid sources and times are refused`() throws {
    let clock = Self.clock()
    for count in [Double.nan, .infinity, -1e300, 0x1p60] {
      for format: CAClockTimeFormat in [.hostTime, .samples] {
        let (status, _) = CoreAudioClockTests.translate(clock.handle, Self.samples(count), format)
        #expect(status == kCAClock_InvalidTimeFormatError)
      }
    }
    for unit in [UInt(0), 4096, UInt(bitPattern: clock.handle)] {
      #expect(clock.set(.timebaseSource, [unit]) == kCAClock_InvalidTimebaseSourceError)
    }
    #expect(clock.set(.internalTimebase, [CAClockTimebase.hostTime.rawValue]) == 0)
    var now = CAClockTime()
    #expect(CAClockGetCurrentTime(clock.handle, .samples, &now) == kCAClock_InvalidUnitError)
  }
}
