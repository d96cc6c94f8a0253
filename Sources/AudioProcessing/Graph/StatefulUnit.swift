// SPDX-License-Identifier: Apache-2.0

/// A unit whose state can be saved as bytes that only the unit can read.
///
/// Core Audio calls this a preset.
///
/// A session restores the state from a track's `settings.unitState` before the first quantum.
public protocol StatefulUnit: ProcessingUnit {
  /// Returns the state as bytes, from which `restore` can restore it.
  ///
  /// - Throws: an error of the unit if the state is not available.
  func state() throws -> [UInt8]

  /// Restores a state that `state` returned.
  ///
  /// A graph may already use the unit's kernel, so `step` must not change.
  ///
  /// - Throws: an error of the unit if it cannot read the bytes; the state of the unit is then
  ///   unchanged.
  func restore(_ state: [UInt8]) throws
}
