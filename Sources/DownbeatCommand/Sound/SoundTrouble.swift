// SPDX-License-Identifier: Apache-2.0
internal import JSONText
internal import PlayerControl

/// What went wrong while sound was heard: gaps, notes without a voice, and voices without time.
struct SoundTrouble {
  /// How often the device ran dry.
  var xruns = 0
  /// What helps against that.
  var remedy = ""
  /// Notes that no voice was free for.
  var refusedNotes = 0
  /// Voices that were let go since there was no time for them.
  var shedVoices = 0

  /// What played.
  var engine = EngineChoice.downbeat

  /// Tells it, where there is any.
  ///
  /// - Parameter isQuiet: whether no person is told.
  func report(isQuiet: Bool = false) {
    if xruns > 0 { JSONReport.tell("underruns", [("count", .integer(xruns))]) }
    if refusedNotes > 0 {
      JSONReport.tell("refused-notes", [("count", .integer(refusedNotes))])
    }
    if shedVoices > 0 { JSONReport.tell("shed-voices", [("count", .integer(shedVoices))]) }
    if !isQuiet { tell() }
  }

  private func tell() {
    if xruns > 0 {
      let gaps = xruns == 1 ? "was a gap" : "were gaps"
      Terminal.report(
        "the device ran dry \(xruns.counted("time")): there \(gaps) (\(remedy))")
    }
    if refusedNotes > 0 {
      // Where there is no time for more voices, more of them are no remedy.
      let remedy = shedVoices > 0 ? "" : " (try a higher --polyphony)"
      Terminal.report("\(refusedNotes.counted("note")) found no free voice\(remedy)")
    }
    if shedVoices > 0 {
      let remedy = engine == .fluidsynth ? "--engine downbeat, or " : ""
      Terminal.report(
        "\(shedVoices.counted("voice")) ended early, for lack of time"
          + " (try \(remedy)--polyphony 128)")
    }
  }
}
