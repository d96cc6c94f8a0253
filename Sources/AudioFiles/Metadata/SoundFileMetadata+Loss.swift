// SPDX-License-Identifier: Apache-2.0

extension SoundFileMetadata {
  /// A kind of metadata that a container does not store, and that is lost when a file is written.
  public enum Loss: Hashable, Sendable {
    /// The tags that are not stored.
    case tags([Tag])
    /// The names of the texts that are not stored because they do not correspond to a tag.
    case strings([String])
    /// The number of markers that are not stored.
    case markers(Int)
    /// The number of regions that are not stored.
    case regions(Int)
    /// The number of loops that are not stored, and the number of all loops.
    case loops(Int, of: Int)
    /// The number of loops whose repeat count is not stored.
    case loopCounts(Int)
    /// The number of backward or alternating loops that are stored as forward loops.
    case loopDirections(Int)
    /// The key, ranges and gain of the instrument are not stored.
    case instrument
    /// The tempo is not stored.
    case tempo
    /// The broadcast extension is not stored.
    case broadcast
    /// The embedded MIDI file is not stored.
    case midiFile
  }

  /// Returns the metadata of this value that a file of a format does not store.
  ///
  /// - Parameters:
  ///   - format: The format.
  ///   - seconds: The length of the sound, needed because AIFF stores a tempo as the number of
  ///     beats in the sound.
  ///   - isCopy: True if packets are copied without decoding; less metadata is stored in this case.
  /// - Returns: The losses; empty if everything is stored.
  public func losses(
    in format: SoundFileFormat, seconds: Double, isCopy: Bool = false
  ) -> [Loss] {
    let room = MetadataRoom(format.container, isCopy: isCopy)
    var losses: [Loss] = []
    // The name of the program that wrote the source does not describe the sound.
    let lost = Tag.allCases.filter {
      tags[$0] != nil && $0 != .software && !room.tags.contains($0)
    }
    if !lost.isEmpty { losses.append(.tags(lost)) }
    let texts = strings.keys.filter { !Self.technicalStrings.contains($0.lowercased()) }.sorted()
    if !texts.isEmpty, !room.hasStrings { losses.append(.strings(texts)) }
    if !markers.isEmpty, !room.hasMarkers { losses.append(.markers(markers.count)) }
    if !regions.isEmpty, !room.hasRegions { losses.append(.regions(regions.count)) }
    if let instrument { losses += Self.losses(of: instrument, in: room) }
    if let tempo, !room.holds(tempo, seconds: seconds) { losses.append(.tempo) }
    if broadcast != nil, !room.hasBroadcast { losses.append(.broadcast) }
    if midiFile != nil, !room.hasStrings { losses.append(.midiFile) }
    return losses
  }

  /// Texts of a CAF file that describe the file, not the sound.
  private static let technicalStrings: Set = [
    "approximate duration in seconds", "nominal bit rate", "channel layout", "source bit depth",
    "beat count", "time signature", "root key",
  ]

  private static func losses(of instrument: Instrument, in room: MetadataRoom) -> [Loss] {
    var losses: [Loss] = []
    let kept = instrument.loops.prefix(room.loopCount)
    let missing = instrument.loops.count - kept.count
    if missing > 0 { losses.append(.loops(missing, of: instrument.loops.count)) }
    let counted = kept.filter { $0.count != 0 }.count
    if counted > 0, !room.hasLoopCounts { losses.append(.loopCounts(counted)) }
    let turned = kept.filter { !room.directions.contains($0.direction) }.count
    if turned > 0 { losses.append(.loopDirections(turned)) }
    var plain = instrument
    plain.loops = []
    if plain != Instrument(), !room.hasInstrument { losses.append(.instrument) }
    return losses
  }
}

extension SoundFileMetadata.Loss: CustomStringConvertible {
  /// A noun phrase for a list in a message, such as `2 of 3 loops`.
  public var description: String {
    switch self {
    case .tags(let tags): tags.map(\.rawValue).joined(separator: ", ")
    case .strings(let names): names.joined(separator: ", ")
    case .markers(let count): Self.counted(count, "marker")
    case .regions(let count): Self.counted(count, "region")
    case .loops(let count, let all) where count == all: Self.counted(count, "loop")
    case .loops(let count, let all): "\(count) of \(all) loops"
    case .loopCounts(let count): "number of repeats of \(Self.counted(count, "loop"))"
    case .loopDirections(let count): "direction of \(Self.counted(count, "loop"))"
    case .instrument: "instrument"
    case .tempo: "tempo"
    case .broadcast: "broadcast extension"
    case .midiFile: "MIDI file"
    }
  }

  private static func counted(_ count: Int, _ noun: String) -> String {
    "\(count) \(noun)\(count == 1 ? "" : "s")"
  }
}

/// The metadata that a container stores.
struct MetadataRoom {
  var tags = Set(SoundFileMetadata.Tag.allCases)
  var hasMarkers = false
  var hasRegions = false
  var loopCount = 0
  var hasLoopCounts = false
  var directions: Set<SoundFileMetadata.Loop.Direction> = [.forward]
  var hasInstrument = false
  var hasTempo = false
  /// True if a tempo is stored as the number of beats in the sound.
  var countsBeats = false
  var hasBroadcast = false
  /// True if other texts and a MIDI file are stored.
  var hasStrings = false

  init(_ container: SoundFileFormat.Container, isCopy: Bool) {
    switch container {
    case .wav, .rf64:
      tags.remove(.license)
      setAll()
      (hasLoopCounts, hasBroadcast) = (true, true)
    case .flac:
      setAll()
      hasLoopCounts = true
    case .caf:
      setAll()
      hasStrings = true
    case .aiff:
      tags = [.title, .artist, .comment, .copyright, .software]
      (hasMarkers, loopCount, hasInstrument, countsBeats) = (true, 2, true, true)
      directions = [.forward, .alternating]
    case .ogg, .opus: loopCount = 1
    case .m4a: tags.remove(.license)
    case .mp3: tags = isCopy ? [] : tags
    case .wv: break
    case .w64, .au, .aac: tags = []
    }
  }

  private mutating func setAll() {
    (hasMarkers, hasRegions, loopCount, hasInstrument, hasTempo) = (true, true, 16, true, true)
    directions = [.forward, .backward, .alternating]
  }

  func holds(_ tempo: SoundFileMetadata.Tempo, seconds: Double) -> Bool {
    guard countsBeats, tempo.beatCount > 0, seconds > 0, tempo.signature.1 > 0 else {
      return hasTempo
    }
    let rate = Double(tempo.beatCount * 240) / Double(tempo.signature.1) / seconds
    return abs(rate - Double(tempo.beatsPerMinute)) < 0.01
  }
}
