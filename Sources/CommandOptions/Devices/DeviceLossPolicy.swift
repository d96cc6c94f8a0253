// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser

/// What becomes of the music when its sound device is lost, as `--on-device-loss` names it.
package enum DeviceLossPolicy: String, ExpressibleByArgument, CaseIterable {
  /// It stands until the device is back.
  case wait
  /// It goes on with another device, or with its own where that is back first.
  case move
  /// It stands, on another device where there is one, until somebody lets it go on.
  case pause
  /// It ends.
  case stop

  /// Whether another device takes the place of a lost one.
  package var moves: Bool { self == .move || self == .pause }
}
