// SPDX-License-Identifier: Apache-2.0
package import ArgumentParser
internal import CommandKit
internal import Downbeat
internal import FileNames

/// Completions for soundfonts.
extension CompletionKind {
  /// Soundfonts: those of the folder that is being typed, and those that are installed.
  package static var fonts: CompletionKind {
    .custom { _, _, prefix in
      let folder = prefix.lastIndex(of: "/").map { String(prefix[...$0]) } ?? ""
      let here = SoundFontDiscovery.files(in: folder.isEmpty ? "." : folder) ?? []
      let names =
        here.map { folder + SoundFontDiscovery.name(of: $0) }
        + FontSearch.discovery.fonts().map(SoundFontDiscovery.name)
      // The parser writes them as UTF-8; the shell completes the others.
      return names.filter { !FileName.hasLooseBytes($0) }
    }
  }
}
