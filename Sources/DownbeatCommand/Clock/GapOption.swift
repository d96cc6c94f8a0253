// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser

/// Whether a song goes on by itself when a master's clocks are back.
struct GapOption: ParsableArguments {
  @Flag(
    help: """
      After a second or more without a MIDI clock go on with the next one, where the song would be \
      by then. Default: wait for Start, Continue.
      """)
  var resumeAfterGap = false

  /// Checks that the flag goes with what is followed.
  ///
  /// - Throws: where nothing is, or a master says its position itself and is taken up again anyway.
  func check(_ source: SyncSource?) throws {
    guard !resumeAfterGap || source?.kind == .midi else {
      throw ValidationError(
        "--resume-after-gap is for a MIDI clock; a master that says where it is goes on anyway")
    }
  }

  /// A master with the flag taken up.
  func applied(to source: SyncSource) -> SyncSource {
    var source = source
    source.resumesAfterGap = resumeAfterGap
    return source
  }
}
