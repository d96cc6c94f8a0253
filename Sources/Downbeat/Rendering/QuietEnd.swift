// SPDX-License-Identifier: Apache-2.0

/// The end of a rendering whose tail is automatic: samples below −70 dBFS after the song are held
/// back, and left out if nothing louder follows.
///
/// A file ends at its last audible frame, although voices and effects may go on.
struct QuietEnd {
  /// −70 dBFS, as a factor of full scale.
  static let level: Float = 0.000_316_227_77

  /// The frame from which samples may be left out; nil to leave out none.
  private let start: Int64?
  private let channelCount: Int
  private var held: [Float] = []

  /// - Parameters:
  ///   - start: the frame at which the song ends; nil for a tail that is not automatic.
  ///   - channelCount: the channels of the samples, two for each stem: the level is that of the sum
  ///     of all stems.
  init(from start: Int64?, channelCount: Int) {
    self.start = start
    self.channelCount = channelCount
  }

  /// The frames that are held back now.
  var heldFrameCount: Int { held.count / channelCount }

  /// Passes samples on, except those that may be left out.
  ///
  /// - Parameters:
  ///   - samples: interleaved samples.
  ///   - end: the frame after the last of them.
  ///   - take: takes samples in their order; returns whether to go on.
  /// - Returns: false if `take` did.
  /// - Throws: what `take` throws.
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
