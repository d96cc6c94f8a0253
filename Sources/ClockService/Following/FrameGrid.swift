// SPDX-License-Identifier: Apache-2.0

/// Notices that ticks arrive only at the ends of even frames, and numbers these: a bus that is
/// asked once in a millisecond, a radio's intervals, a kernel's ticks.
struct FrameGrid: BitwiseCopyable, Sendable {
  /// The lengths that there are, in nanoseconds: Bluetooth's intervals and USB's frames.
  private static let lengths: InlineArray<4, Double> = [15e6, 11.25e6, 7.5e6, 1e6]
  /// How far from the end of its frame an arrival may be, in nanoseconds.
  private static let tolerance = 0.12e6
  /// So many arrivals in a row at the ends of frames show that there are frames; as many are
  /// forgotten when few are not.
  private static let proof = 24
  private static let most = 64
  private static let stray = 12
  /// How fast the grid learns where it is, and by what its frames are longer than they should be.
  private static let learning = 0.05
  private static let driftLearning = 0.0006

  private var kind = 0
  private var hits = 0
  /// The end of the frame of the last arrival: a near integer and a small rest, in nanoseconds.
  private(set) var anchor: Int64 = 0
  private(set) var offset = 0.0
  /// By how much frames are longer than they should be, as a part of them.
  private var drift = 0.0

  /// Whether there are frames.
  var isKnown: Bool { hits >= Self.proof }
  /// The length of a frame in nanoseconds.
  var length: Double { Self.lengths[kind] * (1 + drift) }

  /// Takes an arrival.
  ///
  /// - Returns: How many frames it is after the last one that was at the end of one; nil where it
  ///   is not.
  mutating func add(_ arrival: Int64) -> Double? {
    let elapsed = Double(arrival - anchor) - offset
    // To the nearest, without a call.
    let frames = Double(Int64(elapsed / length + 0.5))
    let distance = elapsed - frames * length
    guard abs(distance) < Self.tolerance else {
      miss(arrival)
      return nil
    }
    if hits < Self.most { hits += 1 }
    let gain = max(Self.learning, 1 / Double(hits))
    offset = gain * distance - distance
    anchor = arrival
    if elapsed > 0 { drift += Self.driftLearning * distance / elapsed }
    drift = min(max(drift, -5e-4), 5e-4)
    return frames
  }

  /// What was no grid may be another; what was one may have an arrival that was held up.
  private mutating func miss(_ arrival: Int64) {
    hits -= Self.stray
    guard hits < Self.proof else { return }
    kind = kind + 1 == Self.lengths.count ? 0 : kind + 1
    (anchor, offset, drift, hits) = (arrival, 0, 0, 1)
  }
}
