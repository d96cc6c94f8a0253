// SPDX-License-Identifier: Apache-2.0
public import MusicalTime

/// What a head and its ears make of sound from every direction (HRTF), at the rate of a graph.
///
/// Directions lie on a grid. Of each response the silence before it is kept as a delay, so that what
/// lies between four directions can be taken from all four without a comb: delays and responses each in
/// proportion. At a direction of the grid a source is heard exactly as it was measured, but for what
/// lies more than about twenty frames before the onset.
///
/// `SpatialResponses` reads one from a SOFA file.
public struct HeadResponses: Hashable, Sendable {
  /// Frames a second.
  public let rate: SampleRate
  /// The directions around the head, the first ahead, each 360° / n further to the right.
  public let azimuthCount: Int
  /// The heights, from −90° to 90°, each 180° / (n − 1) above the last.
  public let elevationCount: Int
  /// The frames of each response.
  public let tapCount: Int
  /// How much later than measured all is heard, in frames: 0 unless a response begins in the first
  /// eight.
  public let latency: Int
  /// The responses of a direction, left and right, then of the next to the right; heights from below.
  let taps: [Float]
  /// The frames after which each of them begins.
  let delays: [Float]

  /// Measures every direction of a grid.
  ///
  /// - Parameters:
  ///   - rate: frames a second.
  ///   - azimuthCount: the directions around the head, 4…360; 72 lie 5° apart.
  ///   - elevationCount: the heights, 3…181; 19 lie 10° apart.
  ///   - mostTaps: the most frames to keep of a response; nil keeps all. Where it is cut, the last
  ///     eighth fades away.
  ///   - measure: what both ears hear in a direction, in degrees to the right and above; each
  ///     response has the same length, 1…16 384 frames, and each delay is 0…16 384 frames.
  /// - Throws: what `measure` throws.
  /// - Complexity: O(n) in the directions and taps: 5 MB for the default grid and 512 taps.
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

  /// What is heard of a source in a direction, as the renderer has it.
  ///
  /// - Parameters:
  ///   - azimuth: degrees to the right of where the head looks; any number of turns.
  ///   - elevation: degrees above, held within −90…90.
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
