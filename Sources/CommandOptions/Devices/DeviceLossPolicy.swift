// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser

/// The value of `--on-device-loss`: the action if the sound device disappears.
package enum DeviceLossPolicy: String, ExpressibleByArgument, CaseIterable {
  /// Playback waits until the device returns.
  case wait
  /// Playback continues on another device, or on its own if that returns first.
  case move
  /// Playback pauses, on another device if possible, until the user resumes it.
  case pause
  /// Playback ends.
  case stop

  /// True if another device replaces a lost one.
  package var moves: Bool { self == .move || self == .pause }
}
