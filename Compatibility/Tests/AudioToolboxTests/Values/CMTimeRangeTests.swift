// SPDX-License-Identifier: Apache-2.0
import CoreMedia
import Testing

/// Ranges of time and moves between them.
@Suite struct CMTimeRangeTests {
  private static func at(_ value: Int64, _ timescale: Int32 = 1, _ epoch: Int64 = 0) -> CMTime {
    CMTimeMakeWithEpoch(value: value, timescale: timescale, epoch: epoch)
  }

  private static func range(_ start: Int64, _ duration: Int64) -> CMTimeRange {
    CMTimeRange(start: at(start), duration: at(duration))
  }

  @Test func `Ranges are valid, empty or indefinite`() {
    #expect(CMTimeRange.zero.isValid && CMTimeRange.zero.isEmpty)
    #expect(!CMTimeRange.invalid.isValid && !CMTimeRange().isValid)
    #expect(!Self.range(0, -1).isValid)
    #expect(!CMTimeRange(start: .zero, duration: Self.at(1, 1, 1)).isValid)
    #expect(CMTimeRangeMake(start: .zero, duration: Self.at(1, 1, 1)) == .invalid)
    #expect(CMTimeRange(start: .indefinite, duration: Self.at(1)).isIndefinite)
    #expect(CMTimeRange(start: .zero, duration: .positiveInfinity).isValid)
    #expect(CMTIMERANGE_IS_VALID(.zero) && CMTIMERANGE_IS_EMPTY(.zero))
    #expect(CMTIMERANGE_IS_INVALID(.invalid) && !CMTIMERANGE_IS_INDEFINITE(.zero))
    #expect(kCMTimeRangeZero == .zero && kCMTimeRangeInvalid == .invalid)
  }

  @Test func `Ranges are made of two times`() {
    let range = CMTimeRange(start: Self.at(1, 2), end: Self.at(2, 3))
    #expect(range.duration == Self.at(1, 6) && range.end == Self.at(2, 3))
    #expect(CMTimeRangeFromTimeToTime(start: Self.at(3), end: Self.at(1)) == .invalid)
    #expect(CMTimeRange(start: Self.at(1), end: Self.at(2, 1, 1)) == .invalid)
    let late = CMTimeRange(start: Self.at(1, 1, 4), end: Self.at(3, 1, 4))
    #expect(late.isValid && late.duration == Self.at(2) && late.end == Self.at(3, 1, 4))
    #expect(CMTimeRange(start: .zero, end: .positiveInfinity).duration == .positiveInfinity)
  }

  @Test func `The end is outside of a range`() {
    let range = Self.range(2, 4)
    #expect(range.containsTime(Self.at(2)) && range.containsTime(Self.at(5)))
    #expect(!range.containsTime(range.end) && !range.containsTime(Self.at(3, 2)))
    #expect(!range.containsTime(Self.at(3, 1, 1)) && !range.containsTime(.indefinite))
    #expect(range.containsTimeRange(Self.range(2, 4)) && !range.containsTimeRange(Self.range(3, 4)))
    #expect(!range.containsTimeRange(.zero) && !CMTimeRange.zero.containsTimeRange(.zero))
    #expect(!range.containsTimeRange(CMTimeRange(start: range.end, duration: .zero)))
    #expect(!CMTimeRange.invalid.containsTime(.zero))
    let endless = CMTimeRange(start: Self.at(2), duration: .positiveInfinity)
    #expect(endless.containsTime(Self.at(.max)) && endless.containsTimeRange(range))
  }

  @Test func `Unions and intersections`() {
    let (left, right, far) = (Self.range(0, 2), Self.range(1, 3), Self.range(8, 1))
    #expect(left.intersection(right) == Self.range(1, 1))
    #expect(left.union(right) == Self.range(0, 4) && left.union(far) == Self.range(0, 9))
    #expect(left.intersection(far) == .zero)
    #expect(left.intersection(Self.range(2, 1)) == .zero)
    let other = CMTimeRange(start: Self.at(0, 1, 1), duration: Self.at(2))
    #expect(!left.union(other).isValid && !left.intersection(other).isValid)
    #expect(!left.union(.invalid).isValid)
    #expect(CMTimeRangeEqual(Self.range(1, 2), CMTimeRange(start: Self.at(2, 2), end: Self.at(3))))
  }

  @Test func `Times are moved from a range to another in proportion`() {
    let (source, target) = (Self.range(1, 2), Self.range(10, 4))
    func mapped(_ time: CMTime) -> CMTime {
      CMTimeMapTimeFromRangeToRange(time, fromRange: source, toRange: target)
    }
    #expect(mapped(source.start) == target.start && mapped(source.end) == target.end)
    #expect(mapped(Self.at(2)) == Self.at(12) && mapped(Self.at(0)) == Self.at(8))
    #expect(!mapped(Self.at(2, 1, 1)).isValid && !mapped(.indefinite).isValid)
    #expect(
      CMTimeMapDurationFromRangeToRange(Self.at(1), fromRange: source, toRange: target)
        == Self.at(2))
    #expect(
      !CMTimeMapDurationFromRangeToRange(Self.at(1, 1, 1), fromRange: source, toRange: target)
        .isValid)
    #expect(
      !CMTimeMapTimeFromRangeToRange(.zero, fromRange: .zero, toRange: target).isValid)
    // In proportion 7/11 to 2/5, rounded to nanoseconds.
    let rounded = CMTimeMapDurationFromRangeToRange(
      Self.at(1, 3), fromRange: CMTimeRange(start: Self.at(1, 7), duration: Self.at(2, 5)),
      toRange: CMTimeRange(start: Self.at(3, 13), duration: Self.at(7, 11)))
    #expect(rounded.value == 530_303_030 && rounded.timescale == 1_000_000_000)
    #expect(rounded.hasBeenRounded)
    // Ranges of one duration: exact in any units.
    let same = CMTimeMapTimeFromRangeToRange(
      Self.at(1, 44_100), fromRange: Self.range(0, 2), toRange: Self.range(5, 2))
    #expect(same == Self.at(220_501, 44_100) && !same.hasBeenRounded)
  }

  @Test func `Endless ranges move times by the difference of their starts`() {
    let source = CMTimeRange(start: Self.at(1), duration: .positiveInfinity)
    let target = CMTimeRange(start: Self.at(10), duration: .positiveInfinity)
    #expect(
      CMTimeMapTimeFromRangeToRange(Self.at(5), fromRange: source, toRange: target) == Self.at(14))
    #expect(
      CMTimeMapDurationFromRangeToRange(Self.at(3, 2), fromRange: source, toRange: target)
        == Self.at(3, 2))
    #expect(
      !CMTimeMapTimeFromRangeToRange(Self.at(5), fromRange: source, toRange: Self.range(0, 1))
        .isValid)
  }

  @Test func `Times are clamped and folded into a range`() {
    let range = CMTimeRange(start: Self.at(1, 3), duration: Self.at(2, 5))
    #expect(CMTimeClampToRange(.zero, range: range) == range.start)
    #expect(CMTimeClampToRange(Self.at(2), range: range) == range.end)
    #expect(CMTimeClampToRange(Self.at(1, 2), range: range) == Self.at(1, 2))
    #expect(!CMTimeClampToRange(.zero, range: .zero).isValid)
    #expect(!CMTimeClampToRange(.invalid, range: range).isValid)
    let folded = CMTimeFoldIntoRange(.zero, foldRange: range)
    #expect(folded.value == 6 && folded.timescale == 15)
    let negative = CMTimeFoldIntoRange(Self.at(-7, 11), foldRange: range)
    #expect(negative.value == 93 && negative.timescale == 165)
    #expect(CMTimeFoldIntoRange(Self.at(7, 3), foldRange: range) == Self.at(1, 3))
    #expect(CMTimeFoldIntoRange(Self.at(1, 2), foldRange: range) == Self.at(1, 2))
    #expect(CMTimeFoldIntoRange(Self.at(25), foldRange: Self.range(0, 10)) == Self.at(5))
    #expect(!CMTimeFoldIntoRange(.invalid, foldRange: range).isValid)
    #expect(!CMTimeFoldIntoRange(.zero, foldRange: .zero).isValid)
  }

  @Test func `Mappings, dictionaries and texts`() {
    let mapping = CMTimeMappingMake(source: Self.range(1, 2), target: Self.range(10, 4))
    #expect(mapping.isValid && !mapping.isEmpty)
    let empty = CMTimeMappingMakeEmpty(target: Self.range(10, 4))
    #expect(CMTIMEMAPPING_IS_VALID(empty) && CMTIMEMAPPING_IS_EMPTY(empty))
    #expect(!CMTimeMapping.invalid.isValid && CMTIMEMAPPING_IS_INVALID(kCMTimeMappingInvalid))
    let wrong = CMTimeRange(start: .zero, duration: Self.at(1, 1, 1))
    #expect(!CMTimeMappingMake(source: wrong, target: Self.range(0, 1)).isValid)
    let dictionary = CMTimeRangeCopyAsDictionary(Self.range(1, 2), allocator: nil)
    #expect(dictionary.map(CMTimeRangeMakeFromDictionary) == Self.range(1, 2))
    let both = CMTimeMappingCopyAsDictionary(mapping, allocator: nil)
    #expect(both.map(CMTimeMappingMakeFromDictionary)?.target == Self.range(10, 4))
    #expect(
      CMTimeRangeCopyDescription(allocator: nil, range: Self.range(1, 2))?.description
        == "{{1/1 = 1.000}, {2/1 = 2.000}}")
    #expect(Set([Self.range(1, 2), CMTimeRange(start: Self.at(2, 2), end: Self.at(3))]).count == 1)
  }
}
