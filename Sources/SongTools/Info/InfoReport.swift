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

/// The report of `info` on one file.
struct InfoReport {
  let name: String
  let file: SequenceFile
  let summary: SequenceSummary
  let features: SequenceFeatures
  /// The requests of the song to a GS, XG or GM2 module.
  let requests: SongRequests
  /// Decodes the texts of this file.
  let decoder: TextDecoder
  let keys: KeyWords
  /// The value of `--bank-mode`.
  let bankMode: BankMode
  /// The contents of the RIFF wrapper; nil without one.
  let wrapper: WrapperReport?

  init(
    _ song: Song, keys: KeyWords = KeyWords(), bankMode: BankMode = .auto
  ) throws(Failure) {
    self.keys = keys
    self.bankMode = bankMode
    (name, file) = (song.name, song.file)
    do {
      summary = try SequenceSummary(file, bankMode: bankMode)
    } catch {
      throw Failure.notSong(name, path: song.path, song.bytes, error)
    }
    features = SequenceFeatures(file.sequences)
    requests = SongRequests(file.sequences)
    decoder = TextDecoder(for: file)
    wrapper = WrapperReport(song)
  }
}

extension InfoReport {
  private typealias Members = JSONReport.Members

  /// The JSON document of a file that was read.
  var json: JSONValue {
    let wrapped: Members = wrapper.map { [("wrapper", $0.json)] } ?? []
    return .object([origin, counts, lengths, contents, wrapped, outcome].flatMap { $0 })
  }

  private var origin: Members {
    [
      ("v", 1), ("type", "info"), ("file", .path(name)),
      ("container", .text(file.container.rawValue)),
      ("format", .integer(Int(file.declaredFormat))), ("tracks", .integer(file.trackCount)),
      ("division", division),
    ]
  }

  private var counts: Members {
    [
      ("events", .integer(summary.events)), ("channelEvents", .integer(summary.channelEvents)),
      ("metaEvents", .integer(summary.metaEvents)),
      ("sysexEvents", .integer(summary.sysExEvents)), ("noteOns", .integer(summary.noteOns)),
      ("tempoEvents", .integer(summary.tempoEvents)),
      ("timeSignatures", .integer(summary.timeSignatureEvents)),
      ("maxTick", .integer(Int(summary.maxTick.value))),
    ]
  }

  private var lengths: Members {
    [
      ("lengthSeconds", .decimal(summary.length.decimal(9))),
      ("lengthExact", .text("\(summary.length)")),
      ("soundingSeconds", .decimal(summary.soundingLength.decimal(9))),
      ("soundingExact", .text("\(summary.soundingLength)")), ("tempo", tempo),
      ("meters", meters),
    ]
  }

  private var contents: Members {
    [
      ("keys", .array(features.keys.map { .text("\($0)") })),
      ("ports", .array(features.ports.map(port))),
      ("portCount", .integer(summary.portCount)),
      ("resets", .array(features.resets.map { .text($0.rawValue) })),
      ("bankMode", .text(bankMode.rawValue)),
      ("bankModes", .array(bankModes.map { .text($0.rawValue) })),
      ("module", requests.json), ("lyrics", .integer(features.lyrics)),
      ("textEncoding", .text(decoder.encoding)),
      ("textEncodingGuessed", .bool(decoder.isGuessed)),
      ("markers", .array(features.markers.map(marker))),
      ("channels", .array(summary.channels.map(Self.channel))),
      ("trackNames", .array(trackNames.map { $0.map { .text($0) } ?? .null })),
      ("trackChannels", .array(summary.trackChannels.map(Self.channels))),
      ("trackPorts", .array(summary.trackPorts.map { .array($0.map { .integer($0) }) })),
      ("firstNotes", .array(summary.firstNotes.map(Self.note))),
      ("lastNotes", .array(summary.lastNotes.map(Self.note))),
    ]
  }

  private var outcome: Members {
    [
      ("status", .text(file.isRepaired ? "repaired" : "clean")),
      ("repairs", .array(file.repairs.filter { !$0.isRemark }.map(Self.repair))),
      ("remarks", .array(file.repairs.filter(\.isRemark).map(Self.repair))),
      ("omittedRepairs", .integer(file.omittedRepairs)),
    ]
  }

  /// Returns the JSON document of a file that could not be read.
  static func refusal(of name: String, _ sentence: String) -> JSONValue {
    .object([
      ("v", 1), ("type", "info"), ("file", .path(name)), ("status", "refused"),
      ("message", .text(sentence)),
    ])
  }

  /// The bank modes that apply to programs and notes, in order, without duplicates.
  var bankModes: [BankMode] { summary.bankModes }

  /// The name of each track; nil for a track without a name.
  var trackNames: [String?] {
    file.sequences.flatMap(\.tracks).map { track in
      track.firstText(.trackName).map(decoder.text)
    }
  }

  private var division: JSONValue {
    switch file.division {
    case .ppqn(let resolution): .object([("ppqn", .integer(Int(resolution.ticks)))])
    case .smpte(let rate, let ticks):
      .object([
        ("fps", .text("\(rate.framesPerSecond)")), ("ticksPerFrame", .integer(Int(ticks))),
      ])
    }
  }

  private var tempo: JSONValue {
    .object([
      ("slowestBpm", .decimal(summary.tempi.slowest.beatsPerMinute.decimal(6))),
      ("fastestBpm", .decimal(summary.tempi.fastest.beatsPerMinute.decimal(6))),
    ])
  }

  private var meters: JSONValue {
    .array(summary.meters.map { .text("\($0)") })
  }

  private func port(_ port: SequenceFeatures.Port) -> JSONValue {
    switch port {
    case .number(let number): .integer(Int(number))
    case .device(let name): .text(decoder.text(name.bytes))
    }
  }

  private func marker(_ marker: SequenceFeatures.Marker) -> JSONValue {
    .object([
      ("tick", .integer(Int(marker.tick.value))), ("text", .text(decoder.text(marker.text.bytes))),
    ])
  }

  private static func channel(_ use: SequenceSummary.ChannelUse) -> JSONValue {
    .object([
      ("port", .integer(use.port)), ("channel", .integer(Int(use.channel.index))),
      ("notes", .integer(use.notes)),
      ("drums", .bool(use.playsDrums)),
      ("programs", .array(use.programs.map { .integer(Int($0)) })),
      ("lowestKey", use.keys.map { .integer(Int($0.lowerBound.number)) } ?? .null),
      ("highestKey", use.keys.map { .integer(Int($0.upperBound.number)) } ?? .null),
    ])
  }

  private static func channels(_ channels: [Channel]) -> JSONValue {
    .array(channels.map { .integer(Int($0.index)) })
  }

  private static func note(_ note: SequenceSummary.PlacedNote) -> JSONValue {
    .array([
      .decimal(note.seconds.decimal(9)), .integer(Int(note.tick.value)), .integer(note.track),
      .integer(Int(note.note.channel.index)), .integer(Int(note.note.key.number)),
      .integer(Int(note.note.velocity)),
    ])
  }

  private static func repair(_ repair: Repair) -> JSONValue {
    .object([
      ("track", repair.track.map { .integer($0) } ?? .null),
      ("tick", repair.tick.map { .integer(Int($0.value)) } ?? .null),
      ("offset", .integer(repair.offset)), ("kind", .text(repair.kind.rawValue)),
      ("message", .text(repair.message)),
    ])
  }
}
