// SPDX-License-Identifier: Apache-2.0
package import ArgumentParser
package import CommandOptions

/// The options for following certain kinds of sync source.
package struct MasterOptions: ParsableArguments {
  package init() {}

  @Flag(
    help: """
      If MIDI clocks stop for 1 s or more, resume with the next clock, at the position that the \
      song would have reached at the last tempo. Default: wait for Start or Continue.
      """)
  var resumeAfterGap = false

  @OptionGroup package var link: LinkInterfaceOption

  /// Checks that the options fit the sync source.
  ///
  /// - Throws: `ValidationError` if an option needs another kind of source.
  package func check(_ source: SyncSource?) throws {
    guard !resumeAfterGap || source?.kind == .midi else {
      throw ValidationError(
        "--resume-after-gap: applies only to MIDI clock (other masters always resume)")
    }
    try link.check(source)
  }

  /// The sync source with the options applied.
  func applied(to source: SyncSource) -> SyncSource {
    var source = source
    source.resumesAfterGap = resumeAfterGap
    source.interfaces = link.linkInterface
    return source
  }
}
