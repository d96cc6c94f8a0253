// SPDX-License-Identifier: Apache-2.0
import MusicalTime

/// Several tracks as one: events by tick, and of one tick those of earlier tracks first.
struct MergedTracks {
  let track: MusicTrack

  init(_ tracks: [MusicTrack]) {
    var merged = MusicTrack()
    var records: [EventRecord] = []
    var length: UInt64 = 0
    for track in tracks {
      length = max(length, UInt64(track.explicitLength?.value ?? 0))
      for record in track.records {
        guard record.hasPayload else {
          records.append(record)
          continue
        }
        let payload = track.payloads[track.payloads.range(at: record.extent)]
        guard let offset = merged.payloads.append(payload) else { continue }
        var copy = record
        copy.extent = offset
        records.append(copy)
      }
    }
    merged.records = RecordList(sorting: records)
    merged.setLength(fromFile: length)
    track = merged
  }
}
