// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// The impulse responses of both ears for sound from all directions (HRTF), at one sample rate.
///
/// The directions form a grid of azimuths and elevations. The silence at the start of each response
/// is stored separately, as a delay. Between the directions of the grid, delays and responses are
/// interpolated separately, which avoids comb filtering. At a direction of the grid the response is
/// exactly as measured, except for samples more than about 20 frames before the onset.
///
/// `SpatialResponses` reads responses from a SOFA file.
public struct HeadResponses: Hashable, Sendable {
  /// The sample rate.
  public let rate: SampleRate
  /// The number n of azimuths in the grid: the first is in front, and each further one is 360° / n
  /// to the right of the previous one.
  public let azimuthCount: Int
  /// The number n of elevations in the grid, from −90° to 90°, at intervals of 180° / (n − 1).
  public let elevationCount: Int
  /// The length of each response, in frames.
  public let tapCount: Int
  /// The latency in frames that all responses have in addition; 0 unless a response begins within
  /// its first eight frames.
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
  ///   - azimuthCount: the number of azimuths, 4…360; 72 azimuths have intervals of 5°.
  ///   - elevationCount: the number of elevations, 3…181; 19 elevations have intervals of 10°.
  ///   - mostTaps: the maximum length of a response, in frames; nil keeps all. If a response is
  ///     cut, its last eighth fades out.
  ///   - measure: returns the responses of both ears for a direction, given as degrees to the right
  ///     of the front and degrees above. All responses have the same length, 1…16 384 frames. Each
  ///     delay is 0…16 384 frames.
  /// - Throws: errors of `measure`.
  /// - Complexity: O(n) in the number of directions and taps; the default grid with 512 taps needs
  ///   5 MB of memory.
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

  /// Returns the responses for a source in any direction, with the same interpolation as during
  /// rendering.
  ///
  /// - Parameters:
  ///   - azimuth: degrees to the right of the front of the head; any value.
  ///   - elevation: degrees above the horizontal plane, limited to −90…90.
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
