// SPDX-License-Identifier: Apache-2.0
package import ArgumentParser
internal import Downbeat

/// The option for the encoding of a song's texts.
package struct TextOptions: ParsableArguments {
  package init() {}

  @Option(
    help: ArgumentHelp(
      "Encoding of the song's texts, by its name in iconv --list. Default: detected.",
      valueName: "name"))
  package var encoding: String?

  package func validate() throws {
    do throws(Failure) {
      _ = try decoder()
    } catch {
      throw ValidationError(error.description)
    }
  }

  /// Uses the named encoding for all texts of this process.
  package func apply() throws(Failure) { NamedEncoding.use(try decoder()) }

  /// The decoder of the named encoding; nil to guess.
  private func decoder() throws(Failure) -> TextDecoder? {
    guard let encoding else { return nil }
    guard let decoder = TextDecoder(named: encoding) else {
      throw FlagText("--encoding", encoding)
        .failure("unknown encoding (iconv --list shows the names)")
    }
    return decoder
  }
}
