// SPDX-License-Identifier: Apache-2.0

/// The generators of a SoundFont zone, by number.
///
/// Source: SoundFont 2.04, section 8.1.2.
enum Generator {
  /// The number of generators, counted from 0.
  static var count: Int {
    @_noAllocation @_noLocks
    get { 61 }
  }

  /// The amounts of generators that zones do not set.
  ///
  /// Source: SoundFont 2.04, section 8.1.3.
  static let defaults: InlineArray<61, Float> = {
    var amounts = InlineArray<61, Float>(repeating: 0)
    amounts[8] = 13_500
    for delay in [21, 23, 25, 26, 27, 28, 30, 33, 34, 35, 36, 38] { amounts[delay] = -12_000 }
    amounts[56] = 100
    for own in [46, 47, 58] { amounts[own] = -1 }
    return amounts
  }()
}
