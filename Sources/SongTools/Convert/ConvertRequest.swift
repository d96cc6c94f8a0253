// SPDX-License-Identifier: Apache-2.0
package import CommandKit
internal import CommandOptions
package import MusicalTime

/// The flags of `convert`, after they were checked.
struct ConvertRequest {
  let context: TimeContext
  let source: TimeFormat?
  /// The formats to print; empty for all.
  let targets: [ConvertTarget]
  let rounding: Rounding?
  let style: TimeValue.Style
  let form: Form
  /// The status of reading the song; success without a song.
  let songStatus: ExitStatus

  /// The form of the output.
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

  /// Reads a time.
  ///
  /// The unit of a number without a unit is set by `--from`; the default is seconds.
  func expression(_ text: String) throws(TimeError) -> TimeExpression {
    var text = text
    text.makeContiguousUTF8()
    return try expression(text.utf8.span)
  }

  /// Reads a time from UTF-8.
  func expression(_ bytes: Span<UInt8>) throws(TimeError) -> TimeExpression {
    try TimeExpression(utf8: bytes, as: source, bareNumbersAs: .seconds)
  }

  /// Returns the rounding for a format: the one that was set, otherwise the usual one of the
  /// format.
  func rounding(for format: TimeFormat) -> Rounding {
    if let rounding { return rounding }
    switch format {
    case .timecode, .frames, .songPosition, .midiClocks: return .floor
    default: return .nearest
    }
  }

  /// Returns the context for one time, with the rates in its text for those that no flag sets.
  func context(for expression: TimeExpression) -> TimeContext {
    assumed(context.adopting(expression))
  }

  /// Returns a context with the default sample rate of 48 kHz, if no rate is set.
  func assumed(_ context: TimeContext) -> TimeContext {
    var context = context
    if context.sampleRate == nil { context.sampleRate = .standard }
    return context
  }
}

/// A value of `--to`: a format of time, or another unit that can be printed.
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

  /// Returns the advice for a name that is not a format.
  private static func advice(for name: String) -> String {
    guard let bar = name.wholeMatch(of: /bars? ?(\d+)/)?.1 else {
      return "use \(listOfFormats) min mtc bpm us/q"
    }
    return "try --to bbt; to convert a bar: downbeat convert 'bar \(bar)'"
  }

  /// The names of the formats, as in the help.
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

  /// Returns a sentence for the error that includes the text.
  package func sentence(about text: String) -> String {
    let sentence = self == .noClockForNow ? Self.nowAdvice : "\(self)"
    return sentence.contains(text) ? sentence : "\(text): \(sentence)"
  }
}

extension TimeContext {
  /// Returns the tempo at a position, in beats per minute.
  func beatsPerMinute(at position: TimePosition) throws(TimeError) -> Ratio {
    if let constantTempo { return try 60_000_000 / constantTempo }
    let tempo = tempoMap.tempo(at: Tick(try ticks(of: position).rounded(.floor).value))
    // The tempo of a clock was typed or measured, then rounded to the resolution of clocks.
    return now == nil ? tempo.beatsPerMinute : try tempo.shortestBeatsPerMinute()
  }
}
