// SPDX-License-Identifier: Apache-2.0

/// The lists of modulators that regions have; most have the same.
///
/// A list stays where it is as long as this lives.
@safe
final class ModulatorLists {
  /// A font's for all notes, and two zones' own, which most notes have none of.
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

  /// How many there are.
  var count: Int { unsafe lists.count }

  /// The modulators of a note.
  ///
  /// Those of every note, those of an instrument in their place, those of a preset added; those that
  /// never move anything are left out.
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
