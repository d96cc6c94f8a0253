// SPDX-License-Identifier: Apache-2.0
package import AudioFiles
internal import CommandKit

/// A sound file as a command names it: a path, or `-` for standard input.
package struct SoundSource {
  package let path: String

  package init(_ path: String) {
    self.path = path
  }

  /// Opens the file; standard input can be opened only once.
  package func open(_ client: ClientFormat = ClientFormat()) throws(SoundFileError)
    -> SoundFileReader
  {
    path == "-"
      ? try SoundFileReader(
        descriptor: Console.current.inputDescriptor, name: "standard input", client: client)
      : try SoundFileReader(path: path, client: client)
  }
}
