// SPDX-License-Identifier: Apache-2.0
internal import CommandKit
internal import JSONText
internal import PlayerControl

/// The problems during playback: underruns, notes without a voice, and voices that ended early.
package struct SoundTrouble {
  /// The number of underruns.
  package var xruns = 0
  /// Advice against underruns.
  package var remedy = ""
  /// The number of notes that were not played because all voices were in use.
  package var refusedNotes = 0
  /// The number of voices that ended early because rendering took too long.
  package var shedVoices = 0

  /// The engine that played.
  package var engine = EngineChoice.downbeat

  /// Creates a summary.
  package init(
    xruns: Int = 0, remedy: String = "", refusedNotes: Int = 0, shedVoices: Int = 0,
    engine: EngineChoice = EngineChoice.downbeat
  ) {
    self.xruns = xruns
    self.remedy = remedy
    self.refusedNotes = refusedNotes
    self.shedVoices = shedVoices
    self.engine = engine
  }

  /// Reports the problems, if there were any.
  ///
  /// - Parameter isQuiet: True to report only in JSON output.
  package func report(isQuiet: Bool = false) {
    if xruns > 0 { JSONReport.tell("underruns", [("count", .integer(xruns))]) }
    if refusedNotes > 0 {
      JSONReport.tell("refused-notes", [("count", .integer(refusedNotes))])
    }
    if shedVoices > 0 { JSONReport.tell("shed-voices", [("count", .integer(shedVoices))]) }
    if !isQuiet { tell() }
  }

  private func tell() {
    if xruns > 0 {
      let gaps = xruns == 1 ? "a gap" : "gaps"
      Terminal.report(
        "the device underran \(xruns.counted("time")), with \(gaps) in the sound (\(remedy))")
    }
    if refusedNotes > 0 {
      // If the processor is too slow, more voices would not help.
      let remedy = shedVoices > 0 ? "" : " (try a higher --polyphony)"
      Terminal.report(
        "\(refusedNotes.counted("note")) not played, because no voice was free\(remedy)")
    }
    if shedVoices > 0 {
      let remedy = engine == .fluidsynth ? "--engine downbeat, or " : ""
      Terminal.report(
        "\(shedVoices.counted("voice")) ended early because the processor is too slow"
          + " (try \(remedy)--polyphony 128)")
    }
  }
}
