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
    let sinc = place == 0 ? 1 : sin(.pi * place) / (.pi * place)
    return sinc * KaiserWindow.value(place / Double(crossings), beta: 10.5)
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
