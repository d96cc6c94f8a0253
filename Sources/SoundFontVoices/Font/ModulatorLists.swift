// SPDX-License-Identifier: Apache-2.0

/// The lists of modulators that regions have; most have the same.
///
/// A list stays where it is as long as this lives.
@safe
final class ModulatorLists {
  private var lists: [[Modulator]: UnsafeMutablePointer<Modulator>] = unsafe [:]

  deinit {
    unsafe lists.values.forEach { unsafe $0.deallocate() }
  }

  /// How many there are.
  var count: Int { unsafe lists.count }

  /// The modulators of a note: the standard's, those of an instrument in their place, those of a
  /// preset added. Those that never move anything are left out.
  ///
  /// Source: SoundFont 2.04, section 9.5.
  func list(
    instrument: [Modulator], preset: [Modulator]
  ) -> (start: UnsafePointer<Modulator>, count: Int) {
    var modulators = Modulator.standard
    modulators.replace(with: instrument)
    modulators.add(preset)
    modulators.removeAll(where: \.isIdle)
    if let list = unsafe lists[modulators] {
      return unsafe (UnsafePointer(list), modulators.count)
    }
    let list = UnsafeMutablePointer<Modulator>.allocate(capacity: max(1, modulators.count))
    for (index, modulator) in modulators.enumerated() {
      unsafe (list + index).initialize(to: modulator)
    }
    unsafe lists[modulators] = list
    return unsafe (UnsafePointer(list), modulators.count)
  }
}
