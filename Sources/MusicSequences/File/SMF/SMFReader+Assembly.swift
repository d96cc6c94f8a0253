// SPDX-License-Identifier: Apache-2.0
import MusicalTime

extension SMFReader {
  /// Combines the parsed tracks of a layout, in the order of the file, into the contents of a file.
  ///
  /// - Throws: `SequenceError.malformed` at the first repair if reading is strict.
  public func assemble(
    _ layout: SMFLayout, _ parsed: [ParsedTrack]
  ) throws(SequenceError) -> SequenceFile {
    var log = layout.log
    for track in parsed { log.append(contentsOf: track.log) }
    if isStrict, let repair = log.firstRepair { throw .malformed(repair) }
    let source = SourceFile(sharesBytes(layout, parsed) ? layout.reader.bytes : [])
    var sequences =
      layout.format == .pattern
      ? parsed.indices.map { sequence(layout, parsed, $0..<$0 + 1, source) }
      : [sequence(layout, parsed, parsed.startIndex..<parsed.endIndex, source)]
    if layout.format != .pattern {
      let ended = CrossTrackReleases.pair(&sequences[0], parsed[...])
      if !ended.isEmpty { log.removeAll { Self.isSettled($0, by: ended) } }
    }
    var file = SequenceFile(
      container: layout.container, declaredFormat: layout.declaredFormat,
      declaredTracks: layout.declaredTracks, division: layout.division, sequences: sequences,
      unknownChunks: layout.unknownChunks.map { unknownChunk($0.position, $0.chunk, layout) },
      repairs: log.repairs, omittedRepairs: log.omitted)
    file.wrapper = layout.wrapper
    return file
  }

  /// True if the repair reports a note that another track releases.
  private static func isSettled(
    _ repair: Repair, by ended: [Int: Set<CrossTrackReleases.NotePlace>]
  ) -> Bool {
    guard repair.kind == .unreleasedNote, let track = repair.track, let tick = repair.tick,
      let key = UInt8(exactly: repair.value)
    else { return false }
    let place = CrossTrackReleases.NotePlace(tick: UInt64(max(0, tick.value)), key: key)
    return ended[track]?.contains(place) == true
  }

  private func sequence(
    _ layout: SMFLayout, _ parsed: [ParsedTrack], _ range: Range<Int>, _ source: SourceFile
  ) -> MusicSequence {
    var sequence = MusicSequence(division: layout.division, format: layout.format)
    sequence.tracks.reserveCapacity(range.count)
    for index in range {
      sequence.tracks.append(track(layout, parsed[index], index, source))
    }
    sequence.tempoTrack = tempoTrack(parsed[range])
    sequence.tempoTrack.source = TrackSource(file: source, form: .bytes([]))
    return sequence
  }

  private func track(
    _ layout: SMFLayout, _ parsed: ParsedTrack, _ index: Int, _ source: SourceFile
  ) -> MusicTrack {
    var track = MusicTrack()
    track.records = parsed.records
    track.payloads = parsed.payloads
    track.setLength(fromFile: parsed.endTick)
    track.lacksEndOfTrack = !parsed.sawEndOfTrack
    track.sourceIndex = UInt16(truncatingIfNeeded: index)
    if let settings = parsed.settings { track.readSettings(settings.settings) }
    track.hadConductorEvents = !parsed.conductor.isEmpty
    // A repaired track is not written back unchanged, so that the damage is not written again.
    if keepsSource, parsed.log.firstRepair == nil {
      let form = chunkForm(of: parsed, layout.reader.bytes[layout.tracks[index]], source)
      track.source = TrackSource(file: source, form: form)
    }
    return track
  }

  /// The data that reproduces a track's chunk: the writer's setting, or the bytes if the writer
  /// would produce others.
  private func chunkForm(
    of track: ParsedTrack, _ bytes: ArraySlice<UInt8>, _ source: SourceFile
  ) -> TrackSource.Form {
    if let usesRunningStatus = track.usesRunningStatus {
      return .written(usesRunningStatus: usesRunningStatus)
    }
    return .bytes(source.bytes.isEmpty ? Array(bytes)[...] : source.bytes[bytes.indices])
  }

  /// True if the kept chunks are most of the file; they then share its bytes.
  private func sharesBytes(_ layout: SMFLayout, _ parsed: [ParsedTrack]) -> Bool {
    guard keepsSource else { return false }
    let kept = zip(layout.tracks, parsed).reduce(0) { sum, track in
      sum + (track.1.usesRunningStatus == nil ? track.0.count : 0)
    }
    return kept > layout.reader.count / 2
  }

  /// The tempo events of all tracks.
  ///
  /// At one tick, the events of later tracks follow.
  private func tempoTrack(_ parsed: ArraySlice<ParsedTrack>) -> MusicTrack {
    var track = MusicTrack()
    var records: [EventRecord] = []
    for part in parsed {
      for var record in part.conductor {
        let payload = part.conductorPayloads.payload(of: record)
        guard let offset = track.payloads.append(payload) else { break }
        record.extent = offset
        records.append(record)
      }
    }
    track.records = RecordList(sorting: records)
    return track
  }

  private func unknownChunk(
    _ position: Int, _ range: Range<Int>, _ layout: SMFLayout
  ) -> SequenceFile.UnknownChunk {
    let bytes = layout.reader.bytes[range]
    return SequenceFile.UnknownChunk(
      position: position, name: Array(bytes.prefix(4)), bytes: Array(bytes.dropFirst(8)))
  }
}
