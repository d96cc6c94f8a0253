// SPDX-License-Identifier: Apache-2.0

/// The render side of head responses: the spectra of their partitions, each one quantum long.
///
/// A filter consists of the partitions of the left ear, followed by those of the right. A partition
/// is 64 real and 64 imaginary numbers.
///
/// - Note: Real-time safe except for creation and destruction.
@safe
struct HeadField: BitwiseCopyable {
  typealias Samples = UnsafeMutablePointer<Float>

  /// The number of partitions of a response.
  let partCount: Int
  private let azimuthCount: Int
  private let elevationCount: Int
  private let filters: Samples
  private let delays: Samples

  /// The number of floats in a partition.
  static var partSize: Int {
    @_noAllocation @_noLocks
    get { 2 &* AudioFormat.quantum }
  }

  /// The number of floats in a filter for both ears.
  var filterSize: Int {
    @_noAllocation @_noLocks
    get { 2 &* partCount &* Self.partSize }
  }

  /// Computes the spectra, which the owner deallocates.
  init(_ responses: HeadResponses, _ transform: RightAngleTransform) {
    let quantum = AudioFormat.quantum
    azimuthCount = responses.azimuthCount
    elevationCount = responses.elevationCount
    partCount = (responses.tapCount + quantum - 1) / quantum
    let sideCount = responses.delays.count
    unsafe filters = RightAngleTransform.allocate(sideCount * partCount * Self.partSize)
    unsafe delays = .allocate(capacity: sideCount)
    var part = [Float](repeating: 0, count: quantum)
    for side in 0..<sideCount {
      unsafe (delays + side).initialize(to: responses.delays[side])
      for place in 0..<partCount {
        for index in 0..<quantum {
          let tap = place * quantum + index
          let isThere = tap < responses.tapCount
          let sample = isThere ? responses.taps[side * responses.tapCount + tap] : 0
          // The inverse transform multiplies by this number.
          part[index] = sample / Float(quantum)
        }
        unsafe transform.transform(
          part, into: filters + (side * partCount + place) * Self.partSize)
      }
    }
  }

  func deallocate() {
    unsafe filters.deallocate()
    unsafe delays.deallocate()
  }

  /// Finds the responses around a place.
  @_noAllocation @_noLocks
  func find(_ place: SourcePlace) -> HeadMixture {
    let (numbers, shares) = GridCorners(
      azimuth: place.azimuth, elevation: place.elevation, azimuthCount: azimuthCount,
      elevationCount: elevationCount
    ).all
    var heard = (left: Float(0), right: Float(0))
    for corner in 0..<4 {
      unsafe heard.left += shares[corner] * delays[2 &* numbers[corner]]
      unsafe heard.right += shares[corner] * delays[2 &* numbers[corner] &+ 1]
    }
    return HeadMixture(
      first: SIMD4(
        numbers.x &* filterSize, numbers.y &* filterSize, numbers.z &* filterSize,
        numbers.w &* filterSize),
      weights: shares * place.gain, delays: heard)
  }

  /// The filter of a corner of a mixture.
  @inline(__always) @_noAllocation @_noLocks
  func corner(_ corner: Int, of mixture: HeadMixture) -> UnsafePointer<Float> {
    unsafe UnsafePointer(filters + mixture.first[corner])
  }

  /// Mixes the filter of a mixture.
  @_noAllocation @_noLocks
  func mix(_ mixture: HeadMixture, into filter: Samples) {
    var isFirst = true
    for corner in 0..<4 where mixture.weights[corner] != 0 {
      unsafe add(
        self.corner(corner, of: mixture), times: mixture.weights[corner], to: filter,
        isFirst: isFirst)
      isFirst = false
    }
    guard isFirst else { return }
    for number in 0..<filterSize { unsafe filter[number] = 0 }
  }

  @_noAllocation @_noLocks
  private func add(
    _ corner: UnsafePointer<Float>, times weight: Float, to filter: Samples, isFirst: Bool
  ) {
    let source = unsafe SampleLoop.lanes(corner)
    let target = unsafe SampleLoop.lanes(filter)
    let count = filterSize / 8
    if isFirst {
      for lane in 0..<count { unsafe target[lane] = source[lane] * weight }
    } else {
      for lane in 0..<count { unsafe target[lane] += source[lane] * weight }
    }
  }
}
