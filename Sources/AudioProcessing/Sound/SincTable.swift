// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// A sine divided by its argument, under a Kaiser window: what band-limited sound is made of.
///
/// Between its 512 values for each crossing of zero it is taken as straight: right to −106 dB.
/// The window's shape keeps what is beyond the transition below −100 dB.
///
/// - Note: Real-time safe but for creation and destruction.
@safe
struct SincTable: ~Copyable {
  /// The crossings of zero on each side of the middle.
  static var crossings: Int {
    @_noAllocation @_noLocks
    get { 32 }
  }

  private static var resolution: Int {
    @_noAllocation @_noLocks
    get { 512 }
  }

  private let values: UnsafeMutablePointer<Float>

  init() {
    let count = Self.crossings * Self.resolution
    unsafe values = .allocate(capacity: count + 2)
    for index in 0..<count + 2 {
      let place = Double(index) / Double(Self.resolution)
      unsafe (values + index).initialize(to: Float(Self.value(place)))
    }
  }

  deinit {
    unsafe values.deallocate()
  }

  private static func value(_ place: Double) -> Double {
    let part = place / Double(crossings)
    guard part < 1 else { return 0 }
    let sinc = place == 0 ? 1 : sin(.pi * place) / (.pi * place)
    let beta = 10.5
    return sinc * bessel(beta * (1 - part * part).squareRoot()) / bessel(beta)
  }

  /// The modified Bessel function of the first kind and order 0, by its series.
  private static func bessel(_ argument: Double) -> Double {
    var term = 1.0
    var sum = 1.0
    var index = 1.0
    while term > sum * 1e-18 {
      term *= (argument / (2 * index)) * (argument / (2 * index))
      sum += term
      index += 1
    }
    return sum
  }

  /// The value at a distance from the middle, in crossings; 0 beyond the last.
  @_noAllocation @_noLocks
  func value(at distance: Float) -> Float {
    let place = abs(distance) * Float(Self.resolution)
    guard place < Float(Self.crossings &* Self.resolution) else { return 0 }
    let index = Int(place)
    let part = place - Float(index)
    let first = unsafe values[index]
    return unsafe first + (values[index &+ 1] - first) * part
  }
}
