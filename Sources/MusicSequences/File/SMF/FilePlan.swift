// SPDX-License-Identifier: Apache-2.0
import MIDIMessages
import MusicalTime

/// The contents of a file to be written, and the losses that concern the whole file.
struct FilePlan {
  let format: MusicSequence.Format
  let division: Division
  private(set) var tracks: [TrackPlan] = []
  private(set) var chunks: [SequenceFile.UnknownChunk] = []
  private(set) var losses: [SaveLoss] = []

  /// Plans a file that holds one sequence.
  init(_ sequence: MusicSequence, format: MusicSequence.Format) throws(SequenceError) {
    self.format = format
    division = sequence.division
    guard format == .single, sequence.tracks.count > 1 else {
      try add(sequence)
      return
    }
    losses.append(SaveLoss(.joinedTracks(sequence.tracks.count)))
    for (index, track) in sequence.tracks.enumerated().dropFirst()
    where track.settings != sequence.tracks[0].settings {
      losses.append(SaveLoss(.joinedSettings, track: index))
    }
    for joined in try sequence.converted(to: .single) { try add(joined) }
  }

  /// Plans a file with everything it was read with.
  init(_ file: SequenceFile) throws(SequenceError) {
    let isMany = file.trackCount > 1
    let format = file.sequences.first?.format ?? .pattern
    self.format = format == .single && isMany ? .simultaneous : format
    division = file.sequences.first?.division ?? file.division
    chunks = file.unknownChunks
    guard file.sequences.allSatisfy({ $0.division == division }) else {
      throw .notRepresentable("the sequences have different divisions, but a file has only one")
    }
    if file.container != .smf { losses.append(SaveLoss(.container(file.container))) }
    if file.repairs.contains(where: { $0.kind == .longHeader }) {
      losses.append(SaveLoss(.longHeader))
    }
    if self.format != format { losses.append(SaveLoss(.singleFormat(tracks: file.trackCount))) }
    if format != .pattern, file.sequences.count > 1 {
      losses.append(SaveLoss(.joinedSequences(file.sequences.count)))
    }
    for sequence in file.sequences { try add(sequence) }
  }

  private mutating func add(_ sequence: MusicSequence) throws(SequenceError) {
    let first = tracks.count
    let plans = try sequence.plans()
    tracks += plans
    if sequence.tracks.isEmpty, !plans.isEmpty {
      losses.append(SaveLoss(.addedTrack, track: first))
    }
    if format == .pattern, plans.count != 1 {
      let kind = plans.isEmpty ? SaveLoss.Kind.emptyPattern : .splitPattern(tracks: plans.count)
      losses.append(SaveLoss(kind, track: first))
    }
    addLosses(ofTempoTrack: sequence.tempoTrack, beside: sequence.tracks)
  }

  private mutating func addLosses(ofTempoTrack track: MusicTrack, beside others: [MusicTrack]) {
    if track.settings != TrackSettings() { losses.append(SaveLoss(.tempoTrackSettings)) }
    // The song ends with its longest track.
    let end = others.reduce(track.contentEnd) { max($0, $1.length) }
    if track.length > end { losses.append(SaveLoss(.tempoTrackLength)) }
    for record in track.records where !track.isConductor(record) {
      losses.append(SaveLoss(.strayInTempoTrack, tick: record.tick))
    }
  }
}

/// One track of a file to be written.
struct TrackPlan {
  let track: MusicTrack
  /// The events of the tempo track that are written in this track.
  let conductor: [ConductorEvent]
  /// The bytes from which the track was read, if they can be written back unchanged.
  let source: TrackSource?
}

/// An event of the tempo track that will be written.
typealias ConductorEvent = (record: EventRecord, payload: ArraySlice<UInt8>)

extension MusicSequence {
  /// The tracks as they are written, each with its events of the tempo track.
  ///
  /// Unedited tempo events return to their tracks if all of them can and the tracks are in their
  /// original order. Otherwise all of them are written in the first track.
  fileprivate func plans() throws(SequenceError) -> [TrackPlan] {
    if let stray = tempoTrack.records.first(where: { !$0.hasPayload }) {
      throw .notRepresentable(
        "tempo track has a note or channel message at tick \(stray.tick) (move it to another track)"
      )
    }
    let all = tempoTrack.records.map { ($0, tempoTrack.payloads.payload(of: $0)) }
    let goesHome = tempoTrack.isUnedited && tempoEventsHaveHomes
    let homes = Dictionary(grouping: goesHome ? all : []) { $0.0.mark }
    let file = goesHome ? tempoTrack.source?.file : nil
    // Tempo events need a track.
    let written = tracks.isEmpty && !tempoTrack.isEmpty ? [MusicTrack()] : tracks
    return written.enumerated().map { index, track in
      let home = goesHome ? track.sourceIndex.flatMap { homes[$0] } : index == 0 ? all : nil
      let conductor = home ?? []
      let isWhole =
        conductor.isEmpty
        ? !track.hadConductorEvents : track.hadConductorEvents && track.source?.file === file
      return TrackPlan(track: track, conductor: conductor, source: isWhole ? track.source : nil)
    }
  }

  /// True if the tracks of all tempo events exist, and the tracks are in their original order.
  private var tempoEventsHaveHomes: Bool {
    let indices = tracks.compactMap(\.sourceIndex)
    return zip(indices, indices.dropFirst()).allSatisfy { $0 < $1 }
      && Set(tempoTrack.records.map(\.mark)).isSubset(of: indices)
  }
}

extension MusicTrack {
  /// True if a reader puts the event into the tempo track.
  func isConductor(_ record: EventRecord) -> Bool {
    guard record.status == EventRecord.meta else { return false }
    let count = Int(payloads.range(at: record.extent).count)
    return MetaEvent.belongsToTempoTrack(record.data1, count)
  }
}
