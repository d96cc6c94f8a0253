// SPDX-License-Identifier: Apache-2.0

/// Notices that ticks arrive only at the ends of even frames, and numbers these: a bus that is
/// asked once in a millisecond, a radio's intervals, a kernel's ticks.
struct FrameGrid: BitwiseCopyable, Sendable {
  /// The lengths that there are, in nanoseconds: USB's frames and Bluetooth's intervals.
  ///
  /// The shortest is tried first: what lies on intervals of 15 ms lies on frames of 1 ms too, and
  /// no line goes through these; but a clock of 15 ms on a bus looks like a radio for long.
  private static let lengths: InlineArray<4, Double> = [1e6, 7.5e6, 11.25e6, 15e6]

  private var kind = 0
  private var hits = 0
  /// Arrivals from which the ends of frames are known, up to as many as count.
  private var learnt = 0.0
  /// The end of the frame of the last arrival: a near integer and a small rest, in nanoseconds.
  private(set) var anchor: Int64 = 0
  private(set) var offset = 0.0
  /// By how much frames are longer than they should be, as a part of them.
  private var drift = 0.0

  /// Whether there are frames.
  var isKnown: Bool { hits >= FrameTuning.proof }
  /// The length of a frame in nanoseconds.
  var length: Double { Self.lengths[kind] * (1 + drift) }

  /// Takes an arrival.
  ///
  /// - Returns: How many frames it is after the last one that was at the end of one; nil where it
  ///   is not.
  mutating func add(_ arrival: Int64) -> Double? {
    guard hits > 0 else {
      begin(at: arrival)
      return nil
    }
    let elapsed = Double(arrival - anchor) - offset
    // To the nearest, without a call.
    let frames = Double(Int64(elapsed / length + 0.5))
    let distance = elapsed - frames * length
    guard abs(distance) < FrameTuning.tolerance else {
      refute(at: arrival)
      return nil
    }
    if hits < FrameTuning.mostHits { hits += 1 }
    learn(arrival, distance, elapsed)
    return frames
  }

  /// Moves the ends of frames to where a straight line through the arrivals has them.
  ///
  /// Each of a line's two numbers learns the less the more arrivals there were.
  private mutating func learn(_ arrival: Int64, _ distance: Double, _ elapsed: Double) {
    learnt = min(learnt + 1, FrameTuning.memory)
    let part = 1 / (learnt * (learnt + 1))
    offset = (4 * learnt - 2) * part * distance - distance
    anchor = arrival
    if elapsed > 0 { drift += 6 * part * distance / elapsed }
    drift = min(max(drift, -FrameTuning.mostDrift), FrameTuning.mostDrift)
  }

  /// Takes it that frames of this length do not explain an arrival.
  ///
  /// What was no grid may be another; what was one may have an arrival that was held up.
  mutating func refute(at arrival: Int64) {
    hits -= FrameTuning.stray
    guard !isKnown else { return }
    kind = kind + 1 == Self.lengths.count ? 0 : kind + 1
    begin(at: arrival)
  }

  private mutating func begin(at arrival: Int64) {
    (anchor, offset, drift, hits, learnt) = (arrival, 0, 0, 1, 1)
  }
}
