// SPDX-License-Identifier: Apache-2.0
import MusicalTime

/// Reads bits from edges, and follows the length of a bit.
///
/// A long interval is a zero, and two short ones are a one. Only a long interval shows the start of
/// a bit. A long and a short interval in sequence show the length of a bit, and occur in every sync
/// word.
struct BitReader: Sendable {
  /// The length of a bit, 0 while it is unknown; at first that at normal speed.
  private var length: Int64
  /// The first half of a one.
  private var half: Int64?
  private var last: Interval?
  private let shortest: Int64
  private let longest: Int64

  init(sampleRate: SampleRate) {
    // Ten times 30 frames per second, and a tenth of 23.976, with a margin for wow.
    shortest = Int64(sampleRate.hertz) * LTCPlace.unitsInSample / 26_000
    longest = Int64(sampleRate.hertz) * LTCPlace.unitsInSample / 180
    length = Int64(sampleRate.hertz) * LTCPlace.unitsInSample / (27 * 80)
  }

  /// Processes an edge.
  ///
  /// - Parameter edge: Its position, in units of `LTCPlace`.
  /// - Returns: The bit that ends there; nil if none does.
  mutating func next(_ edge: Int64) -> LTCBit? {
    guard let before = last else {
      last = Interval(edge: edge, length: 0)
      return nil
    }
    let interval = edge - before.edge
    defer { last = Interval(edge: edge, length: interval) }
    switch interval {
    case _ where length == 0: return seed(interval, after: before)
    case length * 3 / 4..<length * 3 / 2: return zero(interval, after: before)
    case length * 5 / 16..<length * 3 / 4: return pair(edge, interval)
    default: return seed(interval, after: before)
    }
  }

  private mutating func zero(_ interval: Int64, after before: Interval) -> LTCBit? {
    guard half == nil else { return seed(interval, after: before) }
    return bit(false, before.edge + interval, interval)
  }

  private mutating func pair(_ edge: Int64, _ interval: Int64) -> LTCBit? {
    guard let first = half else {
      half = interval
      return nil
    }
    half = nil
    return bit(true, edge, first + interval)
  }

  private mutating func bit(_ isOne: Bool, _ edge: Int64, _ interval: Int64) -> LTCBit {
    length += (interval - length) / 4
    return LTCBit(isOne: isOne, isFirst: false, start: edge - interval, end: edge)
  }

  /// Starts again, with the length from two intervals of different lengths.
  private mutating func seed(_ interval: Int64, after before: Interval) -> LTCBit? {
    (length, half) = (0, nil)
    let long = max(interval, before.length)
    guard isDouble(long, of: min(interval, before.length)), (shortest...longest).contains(long)
    else { return nil }
    length = long
    if interval < long { half = interval }
    let end = interval < long ? before.edge : before.edge + interval
    return LTCBit(isOne: false, isFirst: true, start: end - long, end: end)
  }

  private func isDouble(_ long: Int64, of short: Int64) -> Bool {
    short > 0 && long > short * 3 / 2 && long < short * 11 / 4
  }
}

/// The time from one edge to the next.
private struct Interval: Sendable {
  /// The position of its end.
  let edge: Int64
  let length: Int64
}

/// A bit with its position in the sound.
struct LTCBit: Sendable {
  let isOne: Bool
  /// True if the previous bit is missing.
  let isFirst: Bool
  /// In units of `LTCPlace`.
  let start: Int64
  let end: Int64
}
