// SPDX-License-Identifier: Apache-2.0
import MusicalTime

/// The 80 bits of a frame of linear time code, in the order in which they are sent.
///
/// Numbers are sent with the lowest bit first: bit `n` of the standard is bit `n` of `content`, and
/// bit `64 + n` is bit `n` of the sync word.
///
/// Source: SMPTE ST 12-1, linear timecode.
public struct LTCBits: Hashable, BitwiseCopyable, Sendable {
  /// Bits 0…63: the label, the user bits and the flags.
  public let content: UInt64

  /// Bits 64…79 of every frame, sent as `0011 1111 1111 1101`.
  public static let syncWord: UInt16 = 0xBFFC

  /// The sync word in reverse: `1011 1111 1111 1100`.
  static let reversedSyncWord: UInt16 = 0x3FFD

  /// Creates the bits of a frame from its first 64 bits; the sync word follows.
  ///
  /// - Parameter content: Bits 0…63; any value.
  public init(content: UInt64) {
    self.content = content
  }

  /// Creates the bits of a frame.
  ///
  /// - Parameters:
  ///   - frame: The frame. If a number is too large for its field, only its low bits are used.
  ///   - countsTo25: True for 25 frames per second, at which three flags are at other positions.
  public init(_ frame: LTCFrame, countsTo25: Bool) {
    let flags = FlagPlaces(countsTo25: countsTo25)
    var bits: UInt64 = 0
    for (field, place) in zip([frame.frames, frame.seconds, frame.minutes, frame.hours], 0...) {
      bits |= UInt64(field % 10) << (16 * place)
      bits |= UInt64(field / 10) << (16 * place + 8) & Self.tensMask(place)
    }
    for group in 0..<8 {
      bits |= UInt64(frame.userBits >> (4 * group) & 15) << (8 * group + 4)
    }
    if frame.isDrop { bits |= 1 << 10 }
    if frame.isColorLocked { bits |= 1 << 11 }
    for (place, bit) in zip(flags.groups, 0...) where frame.binaryGroupFlags >> bit & 1 == 1 {
      bits |= 1 << place
    }
    // The sync word has thirteen ones.
    if bits.nonzeroBitCount.isMultiple(of: 2) { bits |= 1 << flags.polarity }
    content = bits
  }

  /// Returns the frame that the bits contain, or nil if a field is not a decimal number or out of
  /// range.
  ///
  /// - Parameter countsTo25: True for 25 frames per second, at which three flags are at other
  ///   positions.
  /// - Returns: The frame. Frame numbers of 0…29 are accepted, even if the rate has fewer.
  public func frame(countsTo25: Bool) -> LTCFrame? {
    guard let frames = number(0, below: 30), let seconds = number(1, below: 60),
      let minutes = number(2, below: 60), let hours = number(3, below: 24)
    else { return nil }
    var frame = LTCFrame(
      label: TimecodeLabel(hours: hours, minutes: minutes, seconds: seconds, frames: frames),
      isDrop: self[10], userBits: userBits)
    frame.isColorLocked = self[11]
    for (place, bit) in zip(FlagPlaces(countsTo25: countsTo25).groups, 0...) where self[place] {
      frame.binaryGroupFlags |= 1 << bit
    }
    return frame
  }

  /// True if the number of ones is even, as the polarity bit ensures in an undamaged frame.
  ///
  /// Some generators do not set the polarity bit.
  public var hasEvenParity: Bool { !content.nonzeroBitCount.isMultiple(of: 2) }

  /// The ten bytes of the frame, as in `04 00 03 … FC BF`.
  ///
  /// The first bit sent is the lowest bit of the first byte.
  public var bytes: [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: content >> (8 * $0)) }
      + [UInt8(truncatingIfNeeded: Self.syncWord), UInt8(Self.syncWord >> 8)]
  }

  /// A bit of the 80.
  ///
  /// - Parameter place: Its number, 0…79.
  subscript(place: Int) -> Bool {
    place < 64 ? content >> place & 1 == 1 : Self.syncWord >> (place - 64) & 1 == 1
  }

  private var userBits: UInt32 {
    (0..<8).reduce(0) { $0 | UInt32(truncatingIfNeeded: content >> (8 * $1 + 4) & 15) << (4 * $1) }
  }

  /// A two-digit number: frames, seconds, minutes or hours.
  private func number(_ place: Int, below end: UInt8) -> UInt8? {
    let units = UInt8(truncatingIfNeeded: content >> (16 * place) & 15)
    let tens = UInt8(truncatingIfNeeded: (content & Self.tensMask(place)) >> (16 * place + 8))
    let value = 10 * tens + units
    return units < 10 && value < end ? value : nil
  }

  /// Tens have two bits in frames and hours, and three in seconds and minutes.
  private static func tensMask(_ place: Int) -> UInt64 {
    (place == 1 || place == 2 ? 7 : 3) << (16 * place + 8)
  }
}

/// The positions of the flags that depend on the rate.
private struct FlagPlaces {
  /// The position of the bit that makes the number of ones even.
  let polarity: Int
  /// The positions of binary group flags 0, 1 and 2.
  let groups: [Int]

  init(countsTo25: Bool) {
    polarity = countsTo25 ? 59 : 27
    groups = countsTo25 ? [27, 58, 43] : [43, 58, 59]
  }
}
