// SPDX-License-Identifier: Apache-2.0

/// The four grid directions around a direction, with their weights.
///
/// - Note: Real-time safe.
struct GridCorners: BitwiseCopyable {
  private let lowerLeft: Int
  private let lowerRight: Int
  private let upperLeft: Int
  private let upperRight: Int
  private let toRight: Float
  private let toUpper: Float

  /// Finds a direction, in degrees, in a grid.
  @_noAllocation @_noLocks
  init(azimuth: Double, elevation: Double, azimuthCount: Int, elevationCount: Int) {
    let turns = azimuth / 360
    let across = (turns - Double(SampleMath.floor(turns))) * Double(azimuthCount)
    // Rounding may result in one past the last, which is the first again.
    let left = min(azimuthCount &- 1, Int(across))
    let right = left &+ 1 == azimuthCount ? 0 : left &+ 1
    toRight = Self.settled(across - Double(left))
    let height = min(1, max(0, (elevation + 90) / 180)) * Double(elevationCount &- 1)
    let row = min(elevationCount &- 2, Int(height))
    toUpper = Self.settled(height - Double(row))
    lowerLeft = row &* azimuthCount &+ left
    lowerRight = row &* azimuthCount &+ right
    upperLeft = lowerLeft &+ azimuthCount
    upperRight = lowerRight &+ azimuthCount
  }

  /// Rounds a weight to 0 or 1 if only a rounding error separates them.
  @_noAllocation @_noLocks
  private static func settled(_ share: Double) -> Float {
    if share < 1e-6 { return 0 }
    return share > 1 - 1e-6 ? 1 : Float(share)
  }

  /// The index and the weight of each corner; the weights add up to 1.
  var all: (SIMD4<Int>, SIMD4<Float>) {
    @_noAllocation @_noLocks
    get {
      let lower = 1 - toUpper
      let left = 1 - toRight
      return (
        SIMD4(lowerLeft, lowerRight, upperLeft, upperRight),
        SIMD4(lower * left, lower * toRight, toUpper * left, toUpper * toRight)
      )
    }
  }

  /// Calls a closure for each corner whose weight is not 0.
  func forEach(_ body: (_ direction: Int, _ weight: Float) -> Void) {
    let (numbers, weights) = all
    for place in 0..<4 where weights[place] != 0 { body(numbers[place], weights[place]) }
  }
}
