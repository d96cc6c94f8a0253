// SPDX-License-Identifier: Apache-2.0

/// The render side of a head's responses: the spectra of their parts, a quantum long each.
///
/// A filter is the parts of the left ear and those of the right behind; a part is 64 real and 64
/// imaginary numbers.
///
/// - Note: Real-time safe but for creation and destruction.
@safe
struct HeadField: BitwiseCopyable {
  typealias Samples = UnsafeMutablePointer<Float>

  /// The parts of a response.
  let partCount: Int
  private let azimuthCount: Int
  private let elevationCount: Int
  private let filters: Samples
  private let delays: Samples

  /// The numbers of a part.
  static var partSize: Int {
    @_noAllocation @_noLocks
    get { 2 &* AudioFormat.quantum }
  }

  /// The numbers of a filter of both ears.
  var filterSize: Int {
    @_noAllocation @_noLocks
    get { 2 &* partCount &* Self.partSize }
  }

  /// Makes the spectra, which the owner deallocates.
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
          // The way back is as many times as loud.
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

  /// Writes the filter of a place, and gives the delays of both ears in frames.
  @_noAllocation @_noLocks
  func take(_ place: SourcePlace, into filter: Samples) -> (left: Float, right: Float) {
    let (numbers, shares) = GridCorners(
      azimuth: place.azimuth, elevation: place.elevation, azimuthCount: azimuthCount,
      elevationCount: elevationCount
    ).all
    var heard = (left: Float(0), right: Float(0))
    var isFirst = true
    for corner in 0..<4 where shares[corner] != 0 {
      let number = numbers[corner]
      unsafe heard.left += shares[corner] * delays[2 &* number]
      unsafe heard.right += shares[corner] * delays[2 &* number &+ 1]
      let weight = shares[corner] * place.gain
      unsafe add(number, times: weight, to: filter, isFirst: isFirst)
      isFirst = false
    }
    return heard
  }

  @_noAllocation @_noLocks
  private func add(_ number: Int, times weight: Float, to filter: Samples, isFirst: Bool) {
    let source = unsafe SampleLoop.lanes(filters + number &* filterSize)
    let target = unsafe SampleLoop.lanes(filter)
    let count = filterSize / 8
    if isFirst {
      for lane in 0..<count { unsafe target[lane] = source[lane] * weight }
    } else {
      for lane in 0..<count { unsafe target[lane] += source[lane] * weight }
    }
  }
}
