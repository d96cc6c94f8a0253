// SPDX-License-Identifier: Apache-2.0
import CoreMedia
import Testing

/// Times as Core Media's documentation defines them, and as programs on Apple's systems see them.
@Suite struct CMTimeTests {
  /// A time field by field.
  private static func fields(_ time: CMTime) -> [Int64] {
    [time.value, Int64(time.timescale), Int64(time.flags.rawValue), time.epoch]
  }

  private static func time(
    _ value: Int64, _ timescale: Int32, isRounded: Bool = false, epoch: Int64 = 0
  ) -> [Int64] {
    [value, Int64(timescale), isRounded ? 3 : 1, epoch]
  }

  @Test func `A time has the fields, offsets and size of the C struct`() {
    #expect(MemoryLayout<CMTime>.size == 24 && MemoryLayout<CMTime>.stride == 24)
    #expect(MemoryLayout<CMTime>.alignment == 4)
    #expect(MemoryLayout<CMTime>.offset(of: \.value) == 0)
    #expect(MemoryLayout<CMTime>.offset(of: \.timescale) == 8)
    #expect(MemoryLayout<CMTime>.offset(of: \.flags) == 12)
    #expect(MemoryLayout<CMTime>.offset(of: \.epoch) == 16)
    #expect(MemoryLayout<CMTimeRange>.size == 48 && MemoryLayout<CMTimeMapping>.size == 96)
    #expect(kCMTimeMaxTimescale == 0x7FFF_FFFF)
    let flags: [(CMTimeFlags, UInt32)] = [
      (.valid, 1), (.hasBeenRounded, 2), (.positiveInfinity, 4), (.negativeInfinity, 8),
      (.indefinite, 16), (.impliedValueFlagsMask, 28),
    ]
    for (flag, bits) in flags { #expect(flag.rawValue == bits) }
    let methods: [CMTimeRoundingMethod] = [
      .roundHalfAwayFromZero, .roundTowardZero, .roundAwayFromZero, .quickTime,
      .roundTowardPositiveInfinity, .roundTowardNegativeInfinity,
    ]
    #expect(methods.map(\.rawValue) == Array(1...6))
    #expect(CMTimeRoundingMethod.default == .roundHalfAwayFromZero)
  }

  @Test func `Constants have the fields of Apple's`() {
    #expect(Self.fields(.invalid) == [0, 0, 0, 0])
    #expect(Self.fields(CMTime()) == [0, 0, 0, 0])
    #expect(Self.fields(.zero) == [0, 1, 1, 0])
    #expect(Self.fields(.positiveInfinity) == [0, 0, 5, 0])
    #expect(Self.fields(.negativeInfinity) == [0, 0, 9, 0])
    #expect(Self.fields(.indefinite) == [0, 0, 17, 0])
    #expect(kCMTimeZero == .zero && kCMTimeInvalid == .invalid && kCMTimeIndefinite == .indefinite)
    #expect(kCMTimePositiveInfinity == .positiveInfinity)
    #expect(kCMTimeNegativeInfinity == .negativeInfinity)
  }

  @Test func `The kind of a time depends on its flags alone`() {
    let time = CMTime(value: 1, timescale: 10)
    #expect(time.isValid && time.isNumeric && !time.hasBeenRounded)
    #expect(!CMTime.invalid.isValid && !CMTime.invalid.isNumeric)
    #expect(CMTime.positiveInfinity.isValid && !CMTime.positiveInfinity.isNumeric)
    #expect(CMTime.positiveInfinity.isPositiveInfinity)
    #expect(CMTime.negativeInfinity.isNegativeInfinity && CMTime.indefinite.isIndefinite)
    let infinite = CMTime(value: 5, timescale: 7, flags: [.valid, .positiveInfinity], epoch: 3)
    #expect(infinite.isPositiveInfinity && infinite == .positiveInfinity)
    // Without the flag that makes it valid no other flag counts.
    let none = CMTime(value: 5, timescale: 7, flags: [.indefinite, .hasBeenRounded], epoch: 0)
    #expect(!none.isIndefinite && !none.hasBeenRounded && none == .invalid)
    #expect(CMTIME_IS_VALID(time) && CMTIME_IS_INVALID(none) && CMTIME_IS_NUMERIC(time))
    #expect(CMTIME_IS_INDEFINITE(.indefinite) && CMTIME_IS_POSITIVEINFINITY(infinite))
    #expect(CMTIME_IS_NEGATIVEINFINITY(.negativeInfinity) && !CMTIME_HAS_BEEN_ROUNDED(time))
  }

  @Test func `Times are made of values, epochs and seconds`() {
    #expect(Self.fields(CMTimeMake(value: 3, timescale: 2)) == Self.time(3, 2))
    #expect(
      Self.fields(CMTimeMakeWithEpoch(value: 3, timescale: 2, epoch: 7))
        == Self.time(3, 2, epoch: 7))
    #expect(Self.fields(CMTimeMake(value: 3, timescale: 0)) == [0, 0, 0, 0])
    #expect(Self.fields(CMTimeMake(value: 3, timescale: -1)) == [0, 0, 0, 0])
    #expect(Self.fields(CMTime(seconds: 1.25, preferredTimescale: 4)) == Self.time(5, 4))
    #expect(Self.fields(CMTime(seconds: -1.25, preferredTimescale: 4)) == Self.time(-5, 4))
    // Seconds are cut off, not rounded to the nearest.
    #expect(
      Self.fields(CMTime(seconds: 0.6, preferredTimescale: 1)) == Self.time(0, 1, isRounded: true))
    #expect(
      Self.fields(CMTime(seconds: -1.99, preferredTimescale: 10))
        == Self.time(-19, 10, isRounded: true))
    #expect(
      Self.fields(CMTime(seconds: .nan, preferredTimescale: 600))
        == Self.time(0, 600, isRounded: true))
    #expect(CMTime(seconds: .infinity, preferredTimescale: 600) == .positiveInfinity)
    #expect(CMTime(seconds: -.infinity, preferredTimescale: 600) == .negativeInfinity)
    #expect(!CMTime(seconds: 1, preferredTimescale: 0).isValid)
  }

  @Test func `The timescale is halved while seconds are too many for it`() {
    // 10¹⁸ s at 10 units are 10¹⁹, above 2⁶³; at 5 units they fit.
    let time = CMTime(seconds: 1e18, preferredTimescale: 10)
    #expect(Self.fields(time) == Self.time(5_000_000_000_000_000_000, 5))
    let large = CMTime(seconds: 1e18, preferredTimescale: 600)
    #expect(Self.fields(large) == Self.time(9_000_000_000_000_000_000, 9))
    #expect(CMTime(seconds: 1e19, preferredTimescale: 600) == .positiveInfinity)
    #expect(CMTime(seconds: -1e19, preferredTimescale: 600) == .negativeInfinity)
  }

  @Test func `Seconds are the quotient, whatever the epoch`() {
    #expect(CMTimeGetSeconds(CMTimeMakeWithEpoch(value: 1, timescale: 3, epoch: 9)) == 1.0 / 3)
    #expect(CMTime.invalid.seconds.isNaN && CMTime.indefinite.seconds.isNaN)
    #expect(CMTime.positiveInfinity.seconds == .infinity)
    #expect(CMTime.negativeInfinity.seconds == -.infinity)
  }

  @Test func `Dictionaries and texts`() {
    let time = CMTimeMakeWithEpoch(value: 9, timescale: 30, epoch: 2)
    let dictionary = CMTimeCopyAsDictionary(time, allocator: kCFAllocatorDefault)
    #expect(Self.fields(CMTimeMakeFromDictionary(dictionary)) == Self.fields(time))
    #expect(dictionary.map { Self.fields(CMTime($0)) } == Self.fields(time))
    #expect(dictionary?["timescale"] as? Int == 30)
    #expect(!CMTimeMakeFromDictionary(nil).isValid)
    #expect(!CMTimeMakeFromDictionary(["value": 1] as CFDictionary).isValid)
    let texts: [(CMTime, String)] = [
      (CMTime(value: 1, timescale: 2), "{1/2 = 0.500}"),
      (CMTime(seconds: 0.25, preferredTimescale: 3), "{0/3 = 0.000, rounded}"),
      (.invalid, "{INVALID}"), (.indefinite, "{INDEFINITE}"), (.positiveInfinity, "{+INFINITY}"),
      (.negativeInfinity, "{-INFINITY}"),
    ]
    for (time, text) in texts {
      #expect(CMTimeCopyDescription(allocator: nil, time: time)?.description == text)
    }
  }

  @Test func `Host time is converted to a time in nanoseconds and back`() {
    #expect(Self.fields(CMClockMakeHostTimeFromSystemUnits(5)) == Self.time(5, 1_000_000_000))
    #expect(CMClockConvertHostTimeToSystemUnits(CMTime(value: 3, timescale: 2)) == 1_500_000_000)
    #expect(CMClockConvertHostTimeToSystemUnits(CMTime(value: 2, timescale: 3)) == 666_666_666)
    #expect(CMClockConvertHostTimeToSystemUnits(.positiveInfinity) == 0)
    #expect(CMClockConvertHostTimeToSystemUnits(.invalid) == 0)
    #expect(CMClockConvertHostTimeToSystemUnits(CMTime(value: -1, timescale: 1)) == 0)
  }
}
