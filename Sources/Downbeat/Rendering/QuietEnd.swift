// SPDX-License-Identifier: Apache-2.0

/// Ends a rendering with an automatic tail: samples below −70 dBFS after the song are held back,
/// and removed if nothing louder follows.
///
/// A file ends at its last audible frame, although voices and effects may continue.
struct QuietEnd {
  /// −70 dBFS, as a factor of full scale.
  static let level: Float = 0.000_316_227_77

  /// The frame from which samples may be removed; nil to keep all.
  private let start: Int64?
  private let channelCount: Int
  private var held: [Float] = []

  /// - Parameters:
  ///
  ///   - start: The frame at which the song ends; nil if the tail is not automatic.
  ///   - channelCount: The channels of the samples, two for each stem; the level is that of the sum
  ///     of all stems.
  init(from start: Int64?, channelCount: Int) {
    self.start = start
    self.channelCount = channelCount
  }

  /// The number of frames that are held back.
  var heldFrameCount: Int { held.count / channelCount }

  /// Passes samples on, except those that may be removed.
  ///
  /// - Parameters:
  ///   - samples: Interleaved samples.
  ///   - end: The frame after the last sample.
  ///   - take: Receives the samples in order; returns false to stop.
  /// - Returns: False if `take` returned false.
  /// - Throws: The errors of `take`.
  mutating func pass(
    _ samples: Span<Float>, upTo end: Int64, _ take: (Span<Float>) throws -> Bool
  ) throws -> Bool {
    let count = loudCount(of: samples, upTo: end)
    guard count > 0 else {
      hold(samples, from: 0)
      return true
    }
    var goesOn = held.isEmpty ? true : try take(held.span)
    held.removeAll(keepingCapacity: true)
    if goesOn { goesOn = try take(samples.extracting(0..<count)) }
    hold(samples, from: count)
    return goesOn
  }

  private mutating func hold(_ samples: Span<Float>, from first: Int) {
    for index in first..<samples.count { held.append(samples[index]) }
  }

  /// The number of samples up to the last frame that is passed on.
  private func loudCount(of samples: Span<Float>, upTo end: Int64) -> Int {
    guard let start else { return samples.count }
    let frames = samples.count / channelCount
    let needed = Int(min(max(start - (end - Int64(frames)), 0), Int64(frames)))
    var count = frames
    while count > needed, isQuiet(samples, frame: count - 1) { count -= 1 }
    return count * channelCount
  }

  private func isQuiet(_ samples: Span<Float>, frame: Int) -> Bool {
    var sum = SIMD2<Float>(0, 0)
    for channel in 0..<channelCount { sum[channel & 1] += samples[frame * channelCount + channel] }
    return abs(sum.x) < Self.level && abs(sum.y) < Self.level
  }
}
