// SPDX-License-Identifier: Apache-2.0
internal import CommandKit
internal import JSONText
internal import PlayerControl

/// What went wrong while sound was heard: gaps, notes without a voice, and voices without time.
package struct SoundTrouble {
  /// How often the device ran dry.
  package var xruns = 0
  /// What helps against that.
  package var remedy = ""
  /// Notes that no voice was free for.
  package var refusedNotes = 0
  /// Voices that were let go since there was no time for them.
  package var shedVoices = 0

  /// What played.
  package var engine = EngineChoice.downbeat

  /// Creates it from its parts.
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

  /// Tells it, where there is any.
  ///
  /// - Parameter isQuiet: whether no person is told.
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
      // Where there is no time for more voices, more of them are no remedy.
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
