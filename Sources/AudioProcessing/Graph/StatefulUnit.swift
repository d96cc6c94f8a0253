// SPDX-License-Identifier: Apache-2.0

/// A unit whose state can be kept as bytes that it alone reads: what Core Audio calls a preset.
///
/// A session restores it from a track's `settings.unitState` before the first quantum.
public protocol StatefulUnit: ProcessingUnit {
  /// The state, for `restore`.
  ///
  /// - Throws: What the unit has to say where there is none to be had.
  func state() throws -> [UInt8]

  /// Brings a state about that `state` gave.
  ///
  /// A graph may hold the unit's kernel already: `step` stays what it was.
  ///
  /// - Throws: What the unit has to say of bytes that it cannot read; it is then as it was.
  func restore(_ state: [UInt8]) throws
}
