// SPDX-License-Identifier: Apache-2.0
package import CommandKit
internal import CommandOptions
package import MusicalTime

/// What is asked of each time: the flags of `convert`, read and checked.
struct ConvertRequest {
  let context: TimeContext
  let source: TimeFormat?
  /// What the answer is told in; everything where nothing is named.
  let targets: [ConvertTarget]
  let rounding: Rounding?
  let style: TimeValue.Style
  let form: Form
  /// The status of reading the song, where there is one.
  let songStatus: ExitStatus

  /// How answers are written.
  enum Form {
    case text, document, documents
  }

  init(_ command: Convert) throws {
    let readsLines = command.batch || command.times.isEmpty || command.times == ["-"]
    let needsMarkers =
      readsLines || command.times.contains { $0.hasPrefix("@") || $0.contains(" @") }
    (context, songStatus) = try command.setting.setting().context(markers: needsMarkers)
    source = try command.from.map { name in
      guard let format = TimeFormat(name: name) else {
        throw FlagText("--from", name).failure("not a format (use \(ConvertTarget.listOfFormats))")
      }
      return format
    }
    targets = try command.to.map(ConvertTarget.init(name:))
    rounding = try command.round.map { name in
      guard let rounding = Rounding(rawValue: name) else {
        throw FlagText("--round", name).failure(
          "not a rounding (use floor, ceil, nearest or exact)")
      }
      return rounding
    }
    style = TimeValue.Style(
      isExact: command.exact, isShellSafe: command.shellSafe, rounding: rounding ?? .nearest)
    form = command.jsonl ? .documents : command.json ? .document : .text
  }

  /// Reads a time; a bare number counts what `--from` names, and seconds otherwise.
  func expression(_ text: String) throws(TimeError) -> TimeExpression {
    var text = text
    text.makeContiguousUTF8()
    return try expression(text.utf8.span)
  }

  /// Reads a time from UTF-8.
  func expression(_ bytes: Span<UInt8>) throws(TimeError) -> TimeExpression {
    try TimeExpression(utf8: bytes, as: source, bareNumbersAs: .seconds)
  }

  /// The rounding for a format: what was asked for, or what the format customarily does.
  func rounding(for format: TimeFormat) -> Rounding {
    if let rounding { return rounding }
    switch format {
    case .timecode, .frames, .songPosition, .midiClocks: return .floor
    default: return .nearest
    }
  }

  /// The context for one time: its own rates hold where no flag names any.
  func context(for expression: TimeExpression) -> TimeContext {
    assumed(context.adopting(expression))
  }

  /// A context with what is assumed where nothing is declared: 48 kHz.
  func assumed(_ context: TimeContext) -> TimeContext {
    var context = context
    if context.sampleRate == nil { context.sampleRate = .standard }
    return context
  }
}

/// What `--to` names: a format of time, or one of the things beside.
enum ConvertTarget {
  case time(TimeFormat)
  /// A tempo in beats per minute.
  case beatsPerMinute
  /// A tempo in microseconds per quarter note.
  case microsecondsPerQuarter
  /// A length in minutes.
  case minutes
  /// The full-frame message of MIDI Time Code.
  case mtc

  init(name: String) throws(Failure) {
    switch name {
    case "bpm": self = .beatsPerMinute
    case "us/q": self = .microsecondsPerQuarter
    case "min", "minutes": self = .minutes
    case "mtc": self = .mtc
    default:
      guard let format = TimeFormat(name: name) else {
        throw FlagText("--to", name).failure("not a format (\(Self.advice(for: name)))")
      }
      self = .time(format)
    }
  }

  /// The advice for a name that is not a format.
  private static func advice(for name: String) -> String {
    guard let bar = name.wholeMatch(of: /bars? ?(\d+)/)?.1 else {
      return "use \(listOfFormats) min mtc bpm us/q"
    }
    return "try --to bbt; to convert a bar: downbeat convert 'bar \(bar)'"
  }

  /// The formats by the names that the help shows.
  static let listOfFormats =
    "bbt beats ticks clock seconds ms us ns samples smpte frames host spp clocks"
}

extension TimeError: FailureDescribing {
  package var exitStatus: ExitStatus {
    if case .inexact = self { .inexact } else { .usage }
  }
}

extension TimeError {
  private static let nowAdvice = "now: needs a running clock (add --clock NAME)"

  /// The sentence about a text, which stands in it.
  package func sentence(about text: String) -> String {
    let sentence = self == .noClockForNow ? Self.nowAdvice : "\(self)"
    return sentence.contains(text) ? sentence : "\(text): \(sentence)"
  }
}

extension TimeContext {
  /// The tempo in force at a position, in beats per minute.
  func beatsPerMinute(at position: TimePosition) throws(TimeError) -> Ratio {
    if let constantTempo { return try 60_000_000 / constantTempo }
    let tempo = tempoMap.tempo(at: Tick(try ticks(of: position).rounded(.floor).value))
    // A clock's tempo was typed or measured, and rounded to the unit in which clocks count.
    return now == nil ? tempo.beatsPerMinute : try tempo.shortestBeatsPerMinute()
  }
}
