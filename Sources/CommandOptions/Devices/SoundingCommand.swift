// SPDX-License-Identifier: Apache-2.0
package import ArgumentParser

/// A command that opens a device of sound.
package protocol SoundingCommand: ParsableCommand {
  /// Asks sound servers for what is wished of them, before any is reached.
  ///
  /// They are told by the environment, which no other thread reads yet.
  func askServers()
}
