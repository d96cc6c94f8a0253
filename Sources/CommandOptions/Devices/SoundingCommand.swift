// SPDX-License-Identifier: Apache-2.0
package import ArgumentParser

/// A command that opens a sound device.
package protocol SoundingCommand: ParsableCommand {
  /// Sends requests to sound servers, before connecting to one.
  ///
  /// Requests are environment variables, so it must be called before another thread reads the
  /// environment.
  func askServers()
}
