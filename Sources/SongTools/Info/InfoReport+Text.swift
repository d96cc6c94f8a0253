// SPDX-License-Identifier: Apache-2.0
internal import CommandKit
internal import CommandOptions
internal import Downbeat
internal import JSONText
internal import MIDIMessages
internal import MusicSequences
internal import MusicalTime
internal import PlayerControl
internal import PlayerViews

/// The report as text for the user: one line for each fact, each channel and each track with a
/// name.
extension InfoReport {
  private static let listed = 20

  var lines: [String] {
    var lines = [heading]
    lines += facts.map { Self.line($0.label, $0.words) }
    lines += Self.list("channels", summary.channels.map(channelWords))
    let namesPorts = summary.portCount > 1
    lines += Self.list("parts", requests.partWords(namesPorts: namesPorts))
    lines += Self.list("drum keys", requests.drumNoteWords(namesPorts: namesPorts))
    lines += Self.list("effects", requests.effectWords(namesPorts: namesPorts))
    lines += Self.list("tracks", trackWords)
    lines += Self.list("repairs", repairWords(file.repairs.filter { !$0.isRemark }))
    lines += Self.list("remarks", repairWords(file.repairs.filter(\.isRemark)))
    return lines
  }

  private var heading: String {
    let kind = file.container == .smf ? "MIDI" : file.container.rawValue.uppercased()
    let tracks = file.trackCount.counted("track")
    return "\(name): \(kind), format \(file.declaredFormat), \(tracks)"
  }

  /// The facts on the whole file.
  var facts: [(label: String, words: String)] {
    [
      ("division", file.division.words), ("length", lengthWords),
    ] + soundingFacts + [
      ("tempo", tempoWords),
      ("meter", summary.meters.isEmpty ? "4/4 (none given)" : meterWords),
      ("events", eventWords),
    ] + featureFacts + (wrapper?.facts ?? [])
  }

  /// The facts that only some songs have.
  ///
  /// Empty ones are omitted.
  private var featureFacts: [(label: String, words: String)] {
    let ports = features.ports.map { port in
      switch port {
      case .number(let number): "\(Int(number) + 1)"
      case .device(let name): Printable.dotted(decoder.text(name.bytes))
      }
    }
    let unplayed =
      summary.portCount > TrackPorts.limit
      ? " (\(summary.portCount) ports; only \(TrackPorts.limit) are played)" : ""
    let words = [
      features.lyrics.counted("lyric"), features.markers.count.counted("marker"),
    ]
    let all = [
      ("key", features.keys.map { "\($0)" }.joined(separator: ", ")),
      ("ports", ports.joined(separator: ", ") + unplayed),
      ("resets", features.resets.map(\.rawValue).joined(separator: ", ")),
      ("banks", bankWords),
      ("drums", requests.drumPartWords(namesPorts: summary.portCount > 1)),
      ("words", features.lyrics + features.markers.count > 0 ? words.joined(separator: ", ") : ""),
      ("texts", encodingWords),
    ]
    return all.filter { !$0.1.isEmpty }
  }

  /// The rules of bank select, unless the song has neither a reset nor a bank select, or no notes.
  private var bankWords: String {
    guard bankMode == .auto else { return "by \(bankMode.title) (--bank-mode)" }
    guard summary.hasBankSelect || !features.resets.isEmpty, !bankModes.isEmpty else { return "" }
    let modes = bankModes.map(\.title).joined(separator: ", then ")
    return "by \(modes)" + (features.resets.isEmpty ? " (no reset)" : "")
  }

  /// The encoding of the texts, unless all are ASCII: `CP1251 (guessed; --encoding sets another)`.
  private var encodingWords: String {
    guard decoder.encoding != "US-ASCII" else { return "" }
    return decoder.encoding + (decoder.isGuessed ? " (guessed; --encoding sets another)" : "")
  }

  /// The time to the end of the last note, if it differs from the length of the file.
  private var soundingFacts: [(label: String, words: String)] {
    guard summary.soundingLength != summary.length else { return [] }
    let (minutes, rest) = Self.minutesAndSeconds(summary.soundingLength)
    let seconds = summary.soundingLength.decimal(6)
    return [("sounding", "\(minutes):\(rest) (\(seconds) s, to the end of the last note)")]
  }

  private var lengthWords: String {
    let (minutes, rest) = Self.minutesAndSeconds(summary.length)
    let patterns = file.sequences.count
    let span =
      patterns > 1 ? "\(patterns) patterns in order" : "\(summary.maxTick.value) ticks"
    return "\(minutes):\(rest) (\(summary.length.decimal(6)) s, \(span))"
  }

  private static func minutesAndSeconds(_ length: Ratio) -> (String, String) {
    let thousandths = length.decimal(3).split(separator: ".")
    let seconds = Int(thousandths[0]) ?? 0
    let tail = seconds % 60 < 10 ? "0\(seconds % 60)" : "\(seconds % 60)"
    return ("\(seconds / 60)", "\(tail).\(thousandths[1])")
  }

  private var tempoWords: String {
    let slowest = summary.tempi.slowest.beatsPerMinute.decimal(3)
    let fastest = summary.tempi.fastest.beatsPerMinute.decimal(3)
    let range = slowest == fastest ? slowest : "\(slowest) to \(fastest)"
    let note = summary.tempoEvents == 0 ? " (none given)" : ""
    return "\(range) beats per minute, \(summary.tempoEvents.counted("event"))\(note)"
  }

  private var meterWords: String {
    summary.meters.map { "\($0)" }.joined(separator: ", ")
  }

  private var eventWords: String {
    "\(summary.events): \(summary.channelEvents) channel (\(summary.noteOns.counted("note"))), "
      + "\(summary.metaEvents) meta, \(summary.sysExEvents) SysEx"
  }

  private func channelWords(_ use: SequenceSummary.ChannelUse) -> String {
    let programs = use.programs.map { ProgramWords.text($0, on: use.namesake) }
    let selected =
      programs.isEmpty
      ? "" : ", program\(programs.count > 1 ? "s" : "") \(programs.joined(separator: ", "))"
    let notes = use.notes.counted("note")
    let number = summary.portCount > 1 ? summary.label(use) : Self.padded(use.channel.number)
    return "\(number) \(notes)\(keyWords(use))\(selected)"
  }

  /// The range of a channel: `, keys C2–G5 (36–79)`; empty without notes.
  private func keyWords(_ use: SequenceSummary.ChannelUse) -> String {
    guard let range = use.keys else { return "" }
    let (low, high) = (range.lowerBound, range.upperBound)
    guard low != high else { return ", key \(keys.text(low, on: use.namesake))" }
    let names = [low, high].map { keys.name($0, on: use.namesake) }
    return ", keys \(names[0])–\(names[1]) (\(low.number)–\(high.number))"
  }

  /// The tracks that have a name, or that contain notes if the file has several tracks.
  private var trackWords: [String] {
    let words = trackNames.enumerated().compactMap { index, name -> String? in
      let name = name.flatMap { name in
        name.contains { !$0.isWhitespace } ? " \(Printable.dotted(name))" : nil
      }
      let played = playedWords(index)
      guard name != nil || played != nil && file.trackCount > 1 else { return nil }
      return Self.padded(index + 1) + (name ?? "") + (played.map { " (\($0))" } ?? "")
    }
    return words.count > 64 ? words.prefix(64) + ["and \(words.count - 64) more"] : words
  }

  /// Returns the channels and programs of a track, such as `channel 1: 41 Violin`; nil without
  /// notes.
  private func playedWords(_ track: Int) -> String? {
    let channels = summary.trackChannels[track]
    guard !channels.isEmpty else { return nil }
    let ports = summary.trackPorts[track]
    let words = channels.prefix(4).map { channel in
      let use = summary.channels.first { $0.channel == channel && ports.contains($0.port) }
      let programs = use?.programs ?? []
      let names = programs.prefix(4).map { ProgramWords.text($0, on: use?.namesake ?? channel) }
      let more = programs.count > names.count ? ", …" : ""
      let label = use.map(summary.label) ?? "\(channel.number)"
      return "channel \(label)"
        + (names.isEmpty ? "" : ": \(names.joined(separator: ", "))\(more)")
    }
    return words.joined(separator: "; ") + (channels.count > words.count ? "; …" : "")
  }

  private func repairWords(_ repairs: [Repair]) -> [String] {
    let words = repairs.prefix(Self.listed).map { "\($0)" }
    let more = repairs.count - words.count
    return more > 0 ? words + ["and \(more) more (--json lists them)"] : words
  }

  private static func list(_ label: String, _ entries: [String]) -> [String] {
    entries.enumerated().map { line($0.offset == 0 ? label : "", $0.element) }
  }

  private static func line(_ label: String, _ words: String) -> String {
    "  \(label)" + String(repeating: " ", count: max(1, 10 - label.count)) + words
  }

  private static func padded(_ number: Int) -> String {
    number < 10 ? " \(number)" : "\(number)"
  }
}
