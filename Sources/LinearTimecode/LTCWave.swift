// SPDX-License-Identifier: Apache-2.0
import MusicalTime

/// The waveform of linear time code: a level that changes its sign at each edge, in a straight
/// ramp.
///
/// Every bit begins with an edge, and a one has another in its middle (biphase mark). Positions are
/// in 160ths of a sample, in which all edges of a frame of whole samples are exact.
struct LTCWave: Sendable {
  /// The edges that have not passed, the first in `edges[past]`.
  private var edges: [Int64] = []
  private var past = 0
  /// The level after the edge `past`.
  private var isHigh = true
  private var sample: Int64 = 0
  /// Half the length of a ramp.
  private let half: Int64

  static let unitsInSample: Int64 = 160

  init(sampleRate: SampleRate) {
    // 40 µs from 10 to 90 % are 50 µs from end to end.
    half = max(Self.unitsInSample, Int64(sampleRate.hertz) / 125) / 2
    edges.reserveCapacity(512)
  }

  /// True if the next sample needs edges that are not known.
  var needsFrame: Bool { past + 2 >= edges.count }

  /// Appends the edges of a frame.
  ///
  /// - Parameters:
  ///   - bits: The bits of the frame.
  ///   - isReversed: True if the last bit is sent first.
  ///   - start: The first sample of the frame.
  ///   - end: The first sample of the next frame.
  mutating func append(
    _ bits: LTCBits, isReversed: Bool, from start: SampleTime, to end: SampleTime
  ) {
    edges.removeFirst(past)
    past = 0
    let halfBit = end.frames - start.frames
    var place = start.frames * Self.unitsInSample
    for bit in 0..<80 {
      edges.append(place)
      if bits[isReversed ? 79 - bit : bit] { edges.append(place + halfBit) }
      place += 2 * halfBit
    }
  }

  /// The next sample, −1…1.
  mutating func next() -> Float {
    let place = sample * Self.unitsInSample
    sample += 1
    while place >= edges[past] + half && !needsFrame {
      past += 1
      isHigh.toggle()
    }
    // Two ramps overlap if a bit has few samples.
    let level = ramp(place - edges[past]) - ramp(place - edges[past + 1]) - half
    return (isHigh ? 1 : -1) * Float(level) / Float(half)
  }

  private func ramp(_ distance: Int64) -> Int64 { min(half, max(-half, distance)) }
}
