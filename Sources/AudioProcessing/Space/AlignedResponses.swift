// SPDX-License-Identifier: Apache-2.0

/// Responses whose onsets are aligned to one frame, each with the delay that was removed.
struct AlignedResponses {
  /// The frames of each response.
  let tapCount: Int
  /// The additional latency of all responses, in frames.
  let latency: Int
  /// The responses of each direction, left and right.
  private(set) var taps: [Float] = []
  /// The delay of each response in frames, at least `FractionTable.reach`.
  private(set) var delays: [Float] = []

  /// Aligns measured responses.
  init(_ measured: [EarResponses], mostTaps: Int) {
    let sides = measured.flatMap { ears in
      let onsets = ears.onsets
      return [
        (samples: ears.left, onset: onsets.left, delay: ears.leftDelay),
        (samples: ears.right, onset: onsets.right, delay: ears.rightDelay),
      ]
    }
    // Keep the frames before an onset as far as all responses have them.
    let earliest = sides.map(\.onset).min() ?? 0
    let kept = min(24, max(0, earliest - FractionTable.reach))
    let first = sides.map { Double($0.onset - kept) + $0.delay }.min() ?? 0
    latency = max(0, Int((Double(FractionTable.reach) - first).rounded(.up)))
    let length = (sides.first?.samples.count ?? 1) - (earliest - kept)
    tapCount = max(1, min(length, mostTaps))
    taps.reserveCapacity(sides.count * tapCount)
    for side in sides {
      let cut = side.onset - kept
      delays.append(Float(Double(cut + latency) + side.delay))
      for tap in 0..<tapCount {
        let isThere = cut + tap < side.samples.count
        taps.append(isThere ? side.samples[cut + tap] * fade(tap, of: length) : 0)
      }
    }
  }

  /// The gain of the fade at the end of a truncated response.
  private func fade(_ tap: Int, of length: Int) -> Float {
    let faded = max(1, tapCount / 8)
    let left = tapCount - tap
    guard tapCount < length, left < faded else { return 1 }
    return Float(0.5 - 0.5 * SampleMath.cosine(.pi * Double(left) / Double(faded)))
  }
}
