// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime

/// The time and the bar of events.
///
/// Each tick is converted once.
struct EventTimes {
  private let context: TimeContext
  private var cursor: TempoMap.Cursor
  private var tick: Int64 = -1
  /// Nanoseconds from the origin, rounded to the nearest; nil after 292 years.
  private(set) var nanoseconds: Int64?
  /// The position as `bar.beat.subbeat`; a hyphen if the division does not count quarter notes.
  private(set) var bar: [UInt8] = []

  init(_ context: TimeContext) {
    self.context = context
    cursor = context.tempoMap.makeCursor()
  }

  /// Moves to a tick.
  mutating func move(to tick: Tick) {
    guard tick.value != self.tick else { return }
    self.tick = tick.value
    bar.removeAll(keepingCapacity: true)
    do {
      nanoseconds = try cursor.mediaTime(at: tick, rounding: .nearest).value.nanoseconds
      let value = try context.value(
        of: .ticks(Ratio(tick.value)), in: .barBeat, rounding: .floor
      ).value
      try value.append(
        as: .barBeat, TimeValue.Style(isShellSafe: true), days: .days, to: &bar)
    } catch {
      // If the tick is out of range, its bar, or also its time, is missing.
      if bar.isEmpty { bar.append(UInt8(ascii: "-")) }
    }
  }
}

/// Functions that append digits to bytes.
enum Digits {
  /// Appends a whole number.
  static func append(_ number: Int64, to out: inout [UInt8]) {
    if number < 0 { out.append(UInt8(ascii: "-")) }
    append(number.magnitude, atLeast: 1, to: &out)
  }

  /// Appends a number with zeros on the left.
  ///
  /// The total is at most 20 digits.
  static func append(_ number: UInt64, atLeast count: Int, to out: inout [UInt8]) {
    var digits = InlineArray<20, UInt8>(repeating: UInt8(ascii: "0"))
    var first = digits.count
    var rest = number
    repeat {
      first -= 1
      digits[first] += UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    } while rest > 0
    first = min(first, digits.count - count)
    for place in first..<digits.count { out.append(digits[place]) }
  }

  /// Appends nanoseconds as seconds with nine decimals.
  static func append(secondsOf nanoseconds: Int64, to out: inout [UInt8]) {
    append(nanoseconds / 1_000_000_000, to: &out)
    out.append(UInt8(ascii: "."))
    append(nanoseconds.magnitude % 1_000_000_000, atLeast: 9, to: &out)
  }

  /// Appends bytes as hexadecimal digits.
  static func append(hexadecimal bytes: some Sequence<UInt8>, to out: inout [UInt8]) {
    for byte in bytes {
      out.append(digit(byte >> 4))
      out.append(digit(byte & 15))
    }
  }

  private static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
  }
}
