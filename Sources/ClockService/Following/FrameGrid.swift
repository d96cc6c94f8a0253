// SPDX-License-Identifier: Apache-2.0

/// Detects ticks that only arrive at the ends of even frames, and numbers the frames: on a bus that
/// is polled every millisecond, at the intervals of a radio, or at the ticks of a kernel.
struct FrameGrid: BitwiseCopyable, Sendable {
  /// The possible lengths in nanoseconds: frames of USB and intervals of Bluetooth.
  ///
  /// The shortest is tried first. Ticks at intervals of 15 ms are also at frames of 1 ms, but not
  /// consistent with any line through these. Conversely, a clock of 15 ms on a bus looks like a
  /// radio for a long time.
  private static let lengths: InlineArray<4, Double> = [1e6, 7.5e6, 11.25e6, 15e6]

  private var kind = 0
  private var hits = 0
  /// The number of arrivals from which the ends of frames are known, up to `FrameTuning.memory`.
  private var learnt = 0.0
  /// The end of the frame of the last arrival: an integer nearby and a small rest, in nanoseconds.
  private(set) var anchor: Int64 = 0
  private(set) var offset = 0.0
  /// The fraction by which frames are longer than nominal.
  private var drift = 0.0

  /// True if frames were detected.
  var isKnown: Bool { hits >= FrameTuning.proof }
  /// The length of a frame in nanoseconds.
  var length: Double { Self.lengths[kind] * (1 + drift) }

  /// Adds an arrival.
  ///
  /// - Returns: The number of frames since the last arrival at the end of a frame; nil if this one
  ///   is not at the end of a frame.
  mutating func add(_ arrival: Int64) -> Double? {
    guard hits > 0 else {
      begin(at: arrival)
      return nil
    }
    let elapsed = Double(arrival - anchor) - offset
    // Rounds to the nearest, without a call.
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

  /// Moves the ends of frames to a straight line through the arrivals.
  ///
  /// Each of the line's two parameters changes less with more arrivals.
  private mutating func learn(_ arrival: Int64, _ distance: Double, _ elapsed: Double) {
    learnt = min(learnt + 1, FrameTuning.memory)
    let part = 1 / (learnt * (learnt + 1))
    offset = (4 * learnt - 2) * part * distance - distance
    anchor = arrival
    if elapsed > 0 { drift += 6 * part * distance / elapsed }
    drift = min(max(drift, -FrameTuning.mostDrift), FrameTuning.mostDrift)
  }

  /// Notes that frames of this length do not explain an arrival.
  ///
  /// If frames were not detected yet, another length is tried. If they were, the arrival may be
  /// late.
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
