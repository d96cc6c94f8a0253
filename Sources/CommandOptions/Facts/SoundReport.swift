// SPDX-License-Identifier: Apache-2.0
package import AudioFiles
internal import CommandKit
package import JSONText
internal import MusicalTime
internal import PlayerControl

/// The report of `sound info` on a sound file.
package struct SoundReport {
  private let reader: SoundFileReader
  private let metadata: SoundFileMetadata
  private let packets: PacketFacts?
  private let loudness: LoudnessFacts?

  /// Creates the report of a file that was opened, and perhaps measured.
  package init(_ reader: SoundFileReader, loudness: LoudnessFacts? = nil) {
    self.reader = reader
    self.loudness = loudness
    packets = PacketFacts(reader)
    metadata = reader.metadata
  }

  private var seconds: Ratio? {
    guard reader.frameCount != .max else { return nil }
    return Ratio(Int64(reader.frameCount), over: Int64(reader.rate.hertz))
  }
}

extension SoundReport {
  /// The report for the user: one line for each fact.
  package var lines: [String] {
    var lines = ["\(reader.path): \(reader.formatName)"]
    lines += facts.map { Self.line($0.0, $0.1) }
    for tag in SoundFileMetadata.Tag.allCases {
      if let text = metadata.tags[tag] { lines.append(Self.line(tag.rawValue, text)) }
    }
    for (name, text) in metadata.strings.sorted(by: { $0.key < $1.key }) {
      lines.append(Self.line(name, text))
    }
    lines += Self.list("markers", metadata.markers.map { "\($0.position.frames) \($0.name)" })
    lines += Self.list("regions", metadata.regions.map(Self.words))
    lines += Self.list("loops", (metadata.instrument?.loops ?? []).map(Self.words))
    return lines
  }

  /// The facts about the sound, for the user.
  package var facts: [(label: String, words: String)] {
    var facts: [(label: String, words: String)] = [
      ("rate", "\(reader.rate.hertz) Hz"),
      ("channels", "\(reader.channelCount), \(reader.layout.name)"),
      ("length", lengthWords),
    ]
    if let instrument = metadata.instrument { facts.append(("key", "\(instrument.baseKey)")) }
    if let tempo = metadata.tempo {
      let (numerator, denominator) = tempo.signature
      facts.append(
        (
          "tempo",
          "\(tempo.beatsPerMinute) beats per minute, "
            + (tempo.beatCount > 0 ? "\(tempo.beatCount) beats, " : "")
            + "\(numerator)/\(denominator)"
        ))
    }
    if reader.formats.count > 1 {
      facts.append(("layers", reader.formats.map { "\($0)" }.joined(separator: "; ")))
    }
    if let midi = metadata.midiFile { facts.append(("MIDI file", "\(midi.count) bytes")) }
    facts += packets?.facts ?? []
    if let loudness { facts.append(("loudness", loudness.words)) }
    return facts + broadcastFacts
  }

  private var lengthWords: String {
    guard let seconds else { return "unknown" }
    return "\(seconds.decimal(6)) s (\(reader.frameCount) frames)"
  }

  private var broadcastFacts: [(label: String, words: String)] {
    guard let broadcast = metadata.broadcast else { return [] }
    return [
      ("described", broadcast.description), ("origin", broadcast.originator),
      ("reference", broadcast.originatorReference),
      ("recorded", "\(broadcast.date) \(broadcast.time)"),
      ("first frame", "\(broadcast.timeReference) frames after midnight"),
      ("history", broadcast.codingHistory),
    ].filter { !$0.words.allSatisfy(\.isWhitespace) }
  }

  private static func words(_ region: SoundFileMetadata.Region) -> String {
    "\(region.frames.lowerBound) to \(region.frames.upperBound) \(region.name)"
  }

  private static func words(_ loop: SoundFileMetadata.Loop) -> String {
    "\(loop.frames.lowerBound) to \(loop.frames.upperBound), \(loop.direction.rawValue), "
      + (loop.count == 0 ? "forever" : "\(loop.count) times")
  }

  private static func list(_ label: String, _ entries: [String]) -> [String] {
    entries.enumerated().map { line($0.offset == 0 ? label : "", $0.element) }
  }

  private static func line(_ label: String, _ words: String) -> String {
    let pad = String(repeating: " ", count: max(1, 13 - label.count))
    return "  \(label)\(pad)\(words)"
  }
}

extension SoundReport {
  /// The report as JSON.
  package var json: JSONValue {
    .object(ownMembers + (packets?.members ?? PacketFacts.none) + describingMembers)
  }

  /// The members about the sound.
  private var ownMembers: [(String, JSONValue)] {
    [
      ("v", 1), ("type", "sound"), ("file", .path(reader.path)),
      ("format", .text(reader.formatName)),
      ("container", reader.format.map { .text($0.container.rawValue) } ?? .null),
      ("bits", reader.format.map { .text($0.encoding.rawValue) } ?? .null),
      ("rate", .integer(Int(reader.rate.hertz))), ("channels", .integer(reader.channelCount)),
      ("layout", .array(reader.layout.roles.map { .text($0.rawValue) })),
      ("frames", reader.frameCount == .max ? .null : .integer(reader.frameCount)),
      ("seconds", seconds.map { .decimal($0.decimal(9)) } ?? .null),
      ("layers", .array(reader.formats.map(Self.layer))),
    ]
  }

  /// The members about loudness, missing parts and metadata.
  private var describingMembers: [(String, JSONValue)] {
    [
      ("loudness", loudness?.json ?? .null),
      ("shortfall", reader.shortfall.map { .text("\($0)") } ?? .null),
      ("tags", tags), ("markers", .array(metadata.markers.map(Self.marker))),
      ("instrument", instrument), ("tempo", tempo), ("broadcast", broadcast),
      ("regions", .array(metadata.regions.map(Self.region))), ("strings", strings),
      ("peaks", .array(metadata.peaks.map(Self.peak))),
      ("midiBytes", metadata.midiFile.map { .integer($0.count) } ?? .null),
    ]
  }

  static func layer(_ layer: SoundLayer) -> JSONValue {
    .object([
      ("codec", .text(layer.codec.rawValue)), ("name", .text("\(layer.codec)")),
      ("rate", .integer(layer.hertz)), ("channels", .integer(layer.channelCount)),
      ("framesPerPacket", .integer(layer.framesPerPacket)),
    ])
  }

  /// The JSON document for a file that could not be read.
  package static func refusal(of name: String, _ sentence: String) -> JSONValue {
    .object([
      ("v", 1), ("type", "sound"), ("file", .path(name)), ("status", "refused"),
      ("message", .text(sentence)),
    ])
  }

  private var tags: JSONValue {
    .object(
      SoundFileMetadata.Tag.allCases.compactMap { tag in
        metadata.tags[tag].map { (tag.rawValue, .text($0)) }
      })
  }

  private var strings: JSONValue {
    .object(
      metadata.strings.sorted { $0.key < $1.key }.map { ($0.key, .text($0.value)) })
  }

  private static func region(_ region: SoundFileMetadata.Region) -> JSONValue {
    .object([
      ("from", .integer(Int(region.frames.lowerBound))),
      ("to", .integer(Int(region.frames.upperBound))), ("name", .text(region.name)),
    ])
  }

  /// A value that is NaN or infinite is null.
  private static func peak(_ peak: SoundFileMetadata.Peak) -> JSONValue {
    .object([
      ("value", peak.value.isFinite ? .decimal("\(peak.value)") : .null),
      ("frame", .integer(Int(peak.frame))),
    ])
  }

  private static func marker(_ marker: SoundFileMetadata.Marker) -> JSONValue {
    .object([("frame", .integer(Int(marker.position.frames))), ("name", .text(marker.name))])
  }

  private var instrument: JSONValue {
    guard let instrument = metadata.instrument else { return .null }
    let loops = instrument.loops.map { loop in
      JSONValue.object([
        ("from", .integer(Int(loop.frames.lowerBound))),
        ("to", .integer(Int(loop.frames.upperBound))), ("way", .text(loop.direction.rawValue)),
        ("count", .integer(loop.count)),
      ])
    }
    return .object([
      ("key", .integer(Int(instrument.baseKey))), ("detune", .integer(Int(instrument.detune))),
      ("gain", .integer(instrument.gain)), ("loops", .array(loops)),
    ])
  }

  private var tempo: JSONValue {
    guard let tempo = metadata.tempo else { return .null }
    return .object([
      ("bpm", .decimal("\(tempo.beatsPerMinute)")), ("beats", .integer(tempo.beatCount)),
      ("numerator", .integer(tempo.signature.0)), ("denominator", .integer(tempo.signature.1)),
      ("key", tempo.key.map { .integer(Int($0)) } ?? .null),
    ])
  }

  private var broadcast: JSONValue {
    guard let broadcast = metadata.broadcast else { return .null }
    return .object([
      ("description", .text(broadcast.description)), ("originator", .text(broadcast.originator)),
      ("originatorReference", .text(broadcast.originatorReference)),
      ("date", .text(broadcast.date)), ("time", .text(broadcast.time)),
      ("timeReference", .decimal("\(broadcast.timeReference)")),
      ("codingHistory", .text(broadcast.codingHistory)),
    ])
  }
}
