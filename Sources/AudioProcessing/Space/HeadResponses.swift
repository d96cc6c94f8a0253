// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// The responses of a head and its ears for sound from all directions (HRTF), at the sample rate of
/// a graph.
///
/// Directions are on a grid. The silence before each response is stored as a delay. Between four
/// directions, delays and responses are therefore interpolated separately, without comb filtering.
/// At a direction of the grid the response is exactly as measured, except for samples more than
/// about 20 frames before the onset.
///
/// `SpatialResponses` reads responses from a SOFA file.
public struct HeadResponses: Hashable, Sendable {
  /// The sample rate.
  public let rate: SampleRate
  /// The number of azimuths: the first is in front, each next one is 360° / n further to the right.
  public let azimuthCount: Int
  /// The number of elevations from −90° to 90°, at intervals of 180° / (n − 1).
  public let elevationCount: Int
  /// The length of each response, in frames.
  public let tapCount: Int
  /// The additional latency of all responses in frames; 0 unless a response begins in the first
  /// eight frames.
  public let latency: Int
  /// The responses of each direction, left and right, in the order of azimuths; elevations from
  /// below.
  let taps: [Float]
  /// The delay of each response, in frames.
  let delays: [Float]

  /// Creates responses by measuring each direction of a grid.
  ///
  /// - Parameters:
  ///   - rate: the sample rate.
  ///   - azimuthCount: the number of azimuths, 4…360; 72 are at intervals of 5°.
  ///   - elevationCount: the number of elevations, 3…181; 19 are at intervals of 10°.
  ///   - mostTaps: the maximum length of a response, in frames; nil keeps all. If a response is
  ///     cut, its last eighth fades out.
  ///   - measure: returns the responses of both ears for a direction, in degrees to the right and
  ///     above. All responses have the same length, 1…16 384 frames. Each delay is 0…16 384 frames.
  /// - Throws: errors of `measure`.
  /// - Complexity: O(n) in the directions and taps, with 5 MB for the default grid and 512 taps.
  public init<Failure: Error>(
    rate: SampleRate, azimuthCount: Int = 72, elevationCount: Int = 19, mostTaps: Int? = nil,
    measure: (_ azimuth: Double, _ elevation: Double) throws(Failure) -> EarResponses
  ) throws(Failure) {
    precondition((4...360).contains(azimuthCount), "a grid has 4 to 360 azimuths")
    precondition((3...181).contains(elevationCount), "a grid has 3 to 181 elevations")
    var measured: [EarResponses] = []
    for row in 0..<elevationCount {
      let elevation = -90 + 180 * Double(row) / Double(elevationCount - 1)
      for column in 0..<azimuthCount {
        measured.append(try measure(360 * Double(column) / Double(azimuthCount), elevation))
      }
    }
    self.rate = rate
    self.azimuthCount = azimuthCount
    self.elevationCount = elevationCount
    let length = measured[0].left.count
    precondition(
      (1...16_384).contains(length)
        && measured.allSatisfy { $0.left.count == length && $0.right.count == length },
      "responses must have equal lengths of 1 to 16384 frames")
    precondition(
      measured.allSatisfy {
        (0...16_384).contains($0.leftDelay) && (0...16_384).contains($0.rightDelay)
      }, "a delay must be 0 to 16384 frames")
    let aligned = AlignedResponses(measured, mostTaps: mostTaps ?? length)
    tapCount = aligned.tapCount
    latency = aligned.latency
    taps = aligned.taps
    delays = aligned.delays
  }

  /// Returns the responses for a source in a direction, interpolated as the renderer does.
  ///
  /// - Parameters:
  ///   - azimuth: degrees to the right of the front of the head; any value.
  ///   - elevation: degrees above, limited to −90…90.
  /// - Returns: responses of `tapCount` frames, and their delays.
  /// - Complexity: O(n) in the taps.
  public func ears(azimuth: Double, elevation: Double) -> EarResponses {
    let corners = GridCorners(
      azimuth: azimuth, elevation: elevation, azimuthCount: azimuthCount,
      elevationCount: elevationCount)
    var sides: [(taps: [Float], delay: Double)] = []
    for ear in 0..<2 {
      var sum = [Float](repeating: 0, count: tapCount)
      var delay: Float = 0
      corners.forEach { direction, weight in
        let first = (2 * direction + ear) * tapCount
        for tap in 0..<tapCount { sum[tap] += weight * taps[first + tap] }
        delay += weight * delays[2 * direction + ear]
      }
      sides.append((sum, Double(delay)))
    }
    return EarResponses(
      left: sides[0].taps, right: sides[1].taps, leftDelay: sides[0].delay,
      rightDelay: sides[1].delay)
  }
}
