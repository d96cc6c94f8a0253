// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser

/// `downbeat sound`: everything about sound files.
struct Sound: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Inspects and converts sound files.",
    subcommands: [SoundInfo.self, SoundConvert.self, SoundFormats.self])
}
