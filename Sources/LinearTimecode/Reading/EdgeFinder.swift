// SPDX-License-Identifier: Apache-2.0
import MusicalTime

/// Finds where sound changes from high to low and back.
///
/// The middle is that between the highest and the lowest of late. An edge is certain when sound goes
/// an eighth of the swing beyond it, so that noise on a slope makes one edge, and lies where the
/// middle was crossed. Old tapes fall back to the middle after each edge and stay about there: where
/// the crossing is far off, the edge lies where it became certain.
struct EdgeFinder: Sendable {
  /// Samples taken.
  private(set) var sample: Int64 = 0
  private var high: Float = 0
  private var low: Float = 0
  private var isHigh = false
  private var previous: Float = 0
  private var crossing: Int64 = 0
  private var last: Int64 = 0
  /// The part of the swing by which the extremes approach each other in a sample.
  private let decay: Float

  /// Swings below that of −53 dBFS are silence: at −50 dBFS the extremes, which approach each other
  /// between two edges, stay above it.
  private static let leastSwing: Float = 2 * 0.002_239
  /// The part of the swing beyond the middle that makes an edge certain.
  private static let margin: Float = 0.125

  init(sampleRate: SampleRate) {
    // 30 ms: shorter than a change of level is noticed, longer than a bit at a tenth of the speed.
    decay = min(0.25, 1 / (0.03 * Float(sampleRate.hertz)))
  }

  /// Takes a sample.
  ///
  /// - Parameter value: The sample; what is no number counts as 0, what is past ±16 as that.
  /// - Returns: The place of an edge that is certain by now, in units of `LTCPlace`.
  mutating func next(_ value: Float) -> Int64? {
    let value = value.isNaN ? 0 : min(16, max(-16, value))
    let wasSilent = high - low < Self.leastSwing
    let fall = (high - low) * decay
    high = max(value, high - fall)
    low = min(value, low + fall)
    let (middle, swing) = ((high + low) / 2, high - low)
    defer {
      previous = value
      sample += 1
    }
    let (before, now) = (previous - middle, value - middle)
    if wasSilent { isHigh = now < 0 }
    if isHigh ? before >= 0 && now < 0 : before <= 0 && now > 0 {
      crossing = place(before / (before - now))
    }
    let margin = (isHigh ? -swing : swing) * Self.margin
    guard swing >= Self.leastSwing, isHigh ? now < margin : now > margin else { return nil }
    isHigh.toggle()
    let certain = place((margin - before) / (now - before))
    let edge = certain - crossing > (certain - last) / 8 ? certain : crossing
    last = edge
    return edge
  }

  /// A place after the previous sample, by parts of a sample; where the middle has moved meanwhile,
  /// that sample or this.
  private func place(_ part: Float) -> Int64 {
    let part = part > 0 ? min(1, part) : 0
    return (sample - 1) << 16 + Int64(part * Float(LTCPlace.unitsInSample))
  }
}
