// SPDX-License-Identifier: Apache-2.0
package import ArgumentParser
package import CommandOptions

/// How a master is followed, where one kind of it leaves a choice.
package struct MasterOptions: ParsableArguments {
  package init() {}

  @Flag(
    help: """
      If MIDI clocks stop for 1 s or more, resume with the next clock, at the position that the \
      song would have reached at the last tempo. Default: wait for Start or Continue.
      """)
  var resumeAfterGap = false

  @OptionGroup package var link: LinkInterfaceOption

  /// Checks that the flags go with what is followed.
  ///
  /// - Throws: where nothing is, or a flag has nothing to say of it.
  package func check(_ source: SyncSource?) throws {
    guard !resumeAfterGap || source?.kind == .midi else {
      throw ValidationError(
        "--resume-after-gap: applies only to MIDI clock (other masters always resume)")
    }
    try link.check(source)
  }

  /// A master with the flags taken up.
  func applied(to source: SyncSource) -> SyncSource {
    var source = source
    source.resumesAfterGap = resumeAfterGap
    source.interfaces = link.linkInterface
    return source
  }
}
