// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// A sinc function under a Kaiser window, for band-limited interpolation.
///
/// It has 512 values for each zero crossing, with linear interpolation, which is exact to −106 dB.
/// The window keeps the stop band below −100 dB.
///
/// - Note: Real-time safe except for creation and destruction.
@safe
struct SincTable: ~Copyable {
  /// The number of zero crossings on each side.
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
    let sinc = place == 0 ? 1 : sin(.pi * place) / (.pi * place)
    return sinc * KaiserWindow.value(place / Double(crossings), beta: 10.5)
  }

  /// The value at a distance from the centre, in zero crossings; 0 beyond the last.
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
