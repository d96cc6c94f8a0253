// SPDX-License-Identifier: Apache-2.0
package import ArgumentParser
internal import CommandKit
internal import Downbeat
internal import FileNames
internal import Glibc
package import LV2Units

/// The command `downbeat lv2`, with subcommands that list, show and test LV2 plug-ins.
package struct LV2Command: ParsableCommand {
  package init() {}

  package static let configuration = CommandConfiguration(
    commandName: "lv2",
    abstract: "List, show and test LV2 plug-ins: effects and instruments.",
    discussion: """
      Plug-ins are found in the folders of LV2_PATH if it is set, otherwise in ~/.lv2, \
      /usr/local/lib/lv2 and /usr/lib/lv2. Each new plug-in is first tested in a separate process, \
      so a plug-in that crashes does no harm. A plug-in is named by the end of its URI or by its \
      name; case and the separators between words are ignored.

      EXAMPLES:
        downbeat lv2 list reverb                    list plug-ins for reverb
        downbeat lv2 info mda-ambience              show its parameters
        downbeat lv2 presets mda-epiano
        downbeat lv2 check mda-ambience             test it
        downbeat song.mid --effect 'lv2:mda-ambience mix=0.3'
        downbeat song.mid --instrument lv2:mda-epiano --on 3='reverb mix=0.3'
      """,
    subcommands: [LV2List.self, LV2Info.self, LV2Presets.self, LV2Check.self])

  /// Reports the bundles that seem to contain a plug-in but cannot be read, one per line.
  static func tellBroken(_ problems: [LV2Error]) {
    for case .emptyBundle(let path) in problems where Self.namesPlugin("\(path)/manifest.ttl") {
      Terminal.report("\(LV2Error.emptyBundle(path: path))")
    }
  }

  /// Returns true if a bundle should contain a plug-in.
  ///
  /// Others contain presets, or define LV2 terms.
  private static func namesPlugin(_ path: String) -> Bool {
    let file = path.withSystemPath { unsafe open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
    guard file >= 0 else { return true }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = unsafe read(file, &bytes, bytes.count)
    let text = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    return !["Specification", "Ontology", "Preset"].contains(where: text.contains)
  }

  /// Returns a text with spaces at the end, up to a width in characters, and at least one.
  package static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(1, width - text.count))
  }
}

extension LV2Plugin {
  /// The kind of plug-in in one word: `instrument`, `effect` or `other`.
  package var kind: String { isInstrument ? "instrument" : isEffect ? "effect" : "other" }
}
