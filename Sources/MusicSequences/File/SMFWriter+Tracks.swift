// SPDX-License-Identifier: Apache-2.0
import MusicalTime

extension SMFWriter {
  /// Appends every track of a sequence, each with its part of the tempo track.
  func append(
    _ tracks: [MusicTrack], of sequence: MusicSequence, into out: inout OutputBytes,
    before: (inout OutputBytes) -> Void = { _ in }
  ) throws(SequenceError) {
    let tempo = sequence.tempoTrack
    try checkConductor(tempo)
    let origins = Set(tracks.compactMap(\.sourceIndex))
    for (index, track) in tracks.enumerated() {
      before(&out)
      if let source = track.source,
        tempo.isUnedited || !track.hadConductorEvents && (index > 0 || tempo.isEmpty)
      {
        out.append("MTrk")
        out.append(long: UInt32(source.range.count))
        out.append(contentsOf: source.file[source.range])
        continue
      }
      // An unedited tempo event goes back to its track; all others go to the first.
      let conductor = tempo.conductorEvents { origin in
        guard tempo.isUnedited, origins.contains(origin) else { return index == 0 }
        return origin == track.sourceIndex
      }
      try append(track, conductor: conductor, into: &out)
    }
  }

  /// A tempo track is written as metas in among other tracks; a note has no place there.
  func checkConductor(_ tempo: MusicTrack) throws(SequenceError) {
    guard let stray = tempo.records.first(where: { !$0.hasPayload }) else { return }
    throw .notRepresentable(
      "tempo track with a note or channel message at tick \(stray.tick); put it in another track")
  }

  /// Appends one track, written anew.
  func append(
    _ track: MusicTrack, conductor: [(record: EventRecord, payload: ArraySlice<UInt8>)],
    into out: inout OutputBytes
  ) throws(SequenceError) {
    out.append("MTrk")
    let lengthAt = out.count
    out.append(long: 0)
    var encoder = TrackEncoder(usesRunningStatus: usesRunningStatus)
    encoder.encode(track, conductor: conductor, into: &out)
    guard let length = UInt32(exactly: out.count - lengthAt - 4) else {
      throw .notRepresentable("track of more than 4294967295 bytes")
    }
    out.put(long: length, at: lengthAt)
  }
}

extension MusicTrack {
  /// The events of a tempo track whose origin passes a test.
  func conductorEvents(
    where isWanted: (UInt16) -> Bool
  ) -> [(record: EventRecord, payload: ArraySlice<UInt8>)] {
    records.filter { isWanted($0.mark) }.map { ($0, payloads.payload(of: $0)) }
  }
}
