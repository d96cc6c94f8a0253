// SPDX-License-Identifier: Apache-2.0

/// The lists of modulators of regions; most regions share a list.
///
/// The address of a list does not change during the life of this object.
@safe
final class ModulatorLists {
  /// The font's default modulators, and those of the two zones, which are usually empty.
  private struct Parts: Hashable {
    let standard: [Modulator]
    let instrument: [Modulator]
    let preset: [Modulator]
  }

  private var lists: [Parts: (start: UnsafeMutablePointer<Modulator>, count: Int)] = unsafe [:]

  deinit {
    unsafe lists.values.forEach { unsafe $0.start.deallocate() }
  }

  /// The number of modulators in all lists.
  private(set) var total = 0

  /// The number of lists.
  var count: Int { unsafe lists.count }

  /// The modulators of a note.
  ///
  /// Instrument modulators replace the default ones, and preset modulators are added. Modulators
  /// without an effect are removed.
  ///
  /// Source: SoundFont 2.04, section 9.5.
  func list(
    standard: [Modulator], instrument: [Modulator], preset: [Modulator]
  ) -> (start: UnsafePointer<Modulator>, count: Int) {
    let parts = Parts(standard: standard, instrument: instrument, preset: preset)
    if let list = unsafe lists[parts] {
      return unsafe (UnsafePointer(list.start), list.count)
    }
    var modulators = standard
    modulators.replace(with: instrument)
    modulators.add(preset)
    modulators.removeAll(where: \.isIdle)
    let start = UnsafeMutablePointer<Modulator>.allocate(capacity: max(1, modulators.count))
    for (index, modulator) in modulators.enumerated() {
      unsafe (start + index).initialize(to: modulator)
    }
    unsafe lists[parts] = unsafe (start, modulators.count)
    total += modulators.count
    return unsafe (UnsafePointer(start), modulators.count)
  }
}
