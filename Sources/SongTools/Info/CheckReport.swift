// SPDX-License-Identifier: Apache-2.0
internal import CommandKit
internal import CommandOptions
internal import Downbeat
internal import JSONText
internal import MusicSequences
internal import MusicalTime
internal import PlayerControl
internal import PlayerViews
internal import SMFInterop

/// The report of `check` on one file that could be read.
struct CheckReport {
  let name: String
  let file: SequenceFile
  /// Decodes the texts of this file.
  let decoder: TextDecoder
  let remarks: [PortabilityRemark]
  let opinion: SecondOpinion?
  /// The sounds that the song needs and the chosen soundfonts lack; nil without soundfonts.
  let fit: FontFit?
  /// The requests of the song to a GS, XG or GM2 module.
  let requests: SongRequests
  /// The contents of the RIFF wrapper; nil without one.
  let wrapper: WrapperReport?

  private static let listed = 20

  /// The repairs without the remarks.
  var repairs: [Repair] { file.repairs.filter { !$0.isRemark } }

  /// The exit status: 0, or 3 if the file was repaired, if its bank is damaged, if libsmf reads it
  /// differently, or if a soundfont cannot play every note.
  var status: ExitStatus {
    if isFaulty || fit?.isFaulty == true { return .partial }
    return opinion.map { $0.outcome == .agrees } ?? true ? .success : .partial
  }

  /// True if the file was repaired, or if its bank is damaged.
  var isFaulty: Bool { file.isRepaired || wrapper?.flaw != nil }

  private var repairFindings: [FileRemark] {
    repairs.map { FileRemark($0, tracks: file.trackCount) }
  }

  private var remarkFindings: [FileRemark] {
    file.repairs.filter(\.isRemark).map { FileRemark($0, tracks: file.trackCount) }
      + remarks.map { FileRemark($0, decoder) }
  }
}

extension CheckReport {
  /// The report as text for the user.
  var lines: [String] {
    var lines = ["\(name): \(verdict)"]
    lines += Self.lines("repair", repairFindings)
    lines += Self.lines("remark", remarkFindings)
    if let bank = wrapper?.bankWords, !bank.isEmpty { lines.append("  bank    \(bank)") }
    if file.omittedRepairs > 0 { lines.append("  and \(file.omittedRepairs) more repairs") }
    lines += Self.shortened(requests.unplayedSentences.map { "  module  \($0)" })
    if let fit { lines += Self.lines(fit) }
    if let opinion { lines += Self.lines(opinion) }
    return lines
  }

  private static func lines(_ fit: FontFit) -> [String] {
    guard fit.isFaulty else { return ["  soundfont  plays every note"] }
    return shortened(fit.sentences().map { "  soundfont  \($0)" })
  }

  private static func shortened(_ lines: [String]) -> [String] {
    let more = lines.count - listed
    return lines.prefix(listed) + (more > 0 ? ["  and \(more) more (--json lists them)"] : [])
  }

  private var verdict: String {
    let remarks = remarkFindings.count
    let tail = remarks == 0 ? "" : remarks == 1 ? ", 1 remark" : ", \(remarks) remarks"
    let count = repairs.count
    return (count == 0 ? "clean" : count == 1 ? "1 repair" : "\(count) repairs") + tail
  }

  private static func lines(_ label: String, _ findings: [FileRemark]) -> [String] {
    var lines: [String] = []
    for finding in findings.prefix(listed) {
      lines.append("  \(label)  \(finding.place)\(finding.message)")
      if let others = finding.others { lines.append("          \(others)") }
    }
    let more = findings.count - listed
    return more > 0 ? lines + ["  and \(more) more (--json lists them)"] : lines
  }

  private static func lines(_ opinion: SecondOpinion) -> [String] {
    ["  libsmf  \(words(opinion))"]
      + opinion.differences.map { "          \($0.description)" }
  }

  private static func words(_ opinion: SecondOpinion) -> String {
    switch opinion.outcome {
    case .agrees:
      "agrees: \(opinion.equalEvents) events, \(opinion.equalTempi) tempos, length"
    case .differs: "differs, after \(opinion.equalEvents) equal events"
    case .refuses(let words): "rejects the file: \(words)"
    case .crashes(let signal, let words): "crashes with signal \(signal): \(words)"
    case .tooSlow: "timed out"
    }
  }

  /// The JSON document of a file that was read.
  var json: JSONValue {
    var members: [(name: String, value: JSONValue)] = [
      ("v", 1), ("type", "check"), ("file", .path(name)),
      ("status", .text(file.isRepaired ? "repaired" : "clean")),
      ("repairs", .array(FileRemark.repairs(of: file))),
      ("remarks", .array(remarkFindings.map(\.json))),
      ("omittedRepairs", .integer(file.omittedRepairs)),
      ("textEncoding", .text(decoder.encoding)),
      ("textEncodingGuessed", .bool(decoder.isGuessed)),
      ("module", .array(requests.unplayedSentences.map { .text($0) })),
    ]
    if let wrapper { members.append(("wrapper", wrapper.json)) }
    if let opinion { members.append(("libsmf", Self.json(opinion))) }
    if let fit {
      members.append(("soundfont", .array(fit.sentences().map { .text($0) })))
      members.append(("unplayable", .array(fit.unplayableJSON())))
    }
    return .object(members)
  }

  private static func json(_ opinion: SecondOpinion) -> JSONValue {
    let outcome: (word: String, message: String?) =
      switch opinion.outcome {
      case .agrees: ("agrees", nil)
      case .differs: ("differs", nil)
      case .refuses(let words): ("refuses", words)
      case .crashes(_, let words): ("crashes", words)
      case .tooSlow: ("tooSlow", nil)
      }
    return .object([
      ("outcome", .text(outcome.word)), ("message", outcome.message.map { .text($0) } ?? .null),
      ("equalEvents", .integer(opinion.equalEvents)),
      ("equalTempi", .integer(opinion.equalTempi)),
      ("lengthSeconds", opinion.length.map { .decimal("\($0)") } ?? .null),
      ("differences", .array(opinion.differences.map { .text($0.description) })),
    ])
  }

  /// Returns the JSON document of a file that could not be read.
  static func refusal(of name: String, _ sentence: String) -> JSONValue {
    .object([
      ("v", 1), ("type", "check"), ("file", .path(name)), ("status", "refused"),
      ("message", .text(sentence)),
    ])
  }
}
