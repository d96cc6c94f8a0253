// SPDX-License-Identifier: Apache-2.0
import MusicalTime

/// Finds the edges at which sound changes from high to low and back.
///
/// The middle is halfway between the recent extremes. An edge is certain when the sound is an
/// eighth of the swing beyond the middle, so that noise on a slope makes only one edge. Its
/// position is the crossing of the middle. Old tapes return to the middle after each edge and stay
/// near it: if the crossing was much earlier, the edge has the position at which it became certain.
struct EdgeFinder: Sendable {
  /// The number of samples processed.
  private(set) var sample: Int64 = 0
  private var high: Float = 0
  private var low: Float = 0
  private var isHigh = false
  private var previous: Float = 0
  private var crossing: Int64 = 0
  private var last: Int64 = 0
  /// The fraction of the swing by which the extremes approach each other per sample.
  private let decay: Float

  /// Swings below that of −53 dBFS are silence.
  ///
  /// At −50 dBFS the extremes, which approach each other between two edges, remain above it.
  private static let leastSwing: Float = 2 * 0.002_239
  /// The fraction of the swing beyond the middle that makes an edge certain.
  private static let margin: Float = 0.125

  init(sampleRate: SampleRate) {
    // 30 ms: shorter than a noticeable change of level, longer than a bit at a tenth of the speed.
    decay = min(0.25, 1 / (0.03 * Float(sampleRate.hertz)))
  }

  /// Processes a sample.
  ///
  /// - Parameter value: The sample; NaN counts as 0, and values are limited to ±16.
  /// - Returns: The position of an edge that is now certain, in units of `LTCPlace`.
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

  /// A position after the previous sample, in fractions of a sample; if the middle has moved in the
  /// meantime, the previous or the present sample.
  private func place(_ part: Float) -> Int64 {
    let part = part > 0 ? min(1, part) : 0
    return (sample - 1) << 16 + Int64(part * Float(LTCPlace.unitsInSample))
  }
}
