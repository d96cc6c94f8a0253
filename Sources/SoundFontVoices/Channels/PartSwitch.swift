// SPDX-License-Identifier: Apache-2.0

/// A kind of message that a part can accept or ignore.
///
/// The order is that of GS 40 1x 03…12, followed by bank select (40 1x 23 and 24).
package enum PartSwitch: UInt32, BitwiseCopyable, Sendable {
  case bend, pressure, program, controllers, keyPressure, notes, registered, nonRegistered
  case modulation, volume, pan, expression, hold, portamento, sostenuto, soft
  case bank, fineBank
}
