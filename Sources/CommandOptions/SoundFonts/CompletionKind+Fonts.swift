// SPDX-License-Identifier: Apache-2.0
package import ArgumentParser
internal import CommandKit
internal import Downbeat
internal import FileNames

/// Completions for soundfonts.
extension CompletionKind {
  /// Soundfonts: those in the folder that is being typed, and installed ones.
  package static var fonts: CompletionKind {
    .custom { _, _, prefix in
      let folder = prefix.lastIndex(of: "/").map { String(prefix[...$0]) } ?? ""
      let here = SoundFontDiscovery.files(in: folder.isEmpty ? "." : folder) ?? []
      let names =
        here.map { folder + SoundFontDiscovery.name(of: $0) }
        + FontSearch.discovery.fonts().map(SoundFontDiscovery.name)
      // Names that are not UTF-8 are left to the shell, because the parser would write them as
      // UTF-8.
      return names.filter { !FileName.hasLooseBytes($0) }
    }
  }
}
