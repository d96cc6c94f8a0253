// SPDX-License-Identifier: Apache-2.0
package import ArgumentParser
internal import CommandKit
package import CommandOptions
internal import PlayerControl

/// The options of `edit` for a file that contains the song and its sounds.
package struct EmbedOptions: ParsableArguments {
  package init() {}

  @Flag(help: "Write an RMID file: the song and the sounds that it plays.")
  package var embed = false

  @Option(
    name: [.short, .long],
    help: ArgumentHelp(
      "Soundfont of --embed, as in `play`; repeatable. Default: the sounds that `play` uses.",
      valueName: "file"), completion: .fonts,
    transform: { try FontChoice(parsing: $0) })
  package var soundfont: [FontChoice] = []

  @OptionGroup package var banks: BankModeOption
  @OptionGroup package var samples: VorbisOptions

  package func validate() throws {
    guard !embed else { return }
    guard soundfont.isEmpty else {
      throw ValidationError("--soundfont: a MIDI file contains no sounds (add --embed)")
    }
    guard !samples.isWanted else {
      throw ValidationError("--vorbis: a MIDI file contains no sounds (add --embed)")
    }
  }

  /// Checks the name of the output.
  ///
  /// - Parameter output: The value of `-o`.
  /// - Throws: `ValidationError` if the name has the extension of another kind of file.
  package func check(_ output: String) throws {
    let name = output.lowercased()
    let isWrapped = [".rmi", ".rmid", ".sfmi"].contains { name.hasSuffix($0) }
    guard embed, !isWrapped, output != "-" else { return }
    let stem = output.lastIndex(of: ".").map { output[..<$0] } ?? output[...]
    throw ValidationError("\(output): --embed writes an RMID file (try -o \(stem).rmi)")
  }
}
