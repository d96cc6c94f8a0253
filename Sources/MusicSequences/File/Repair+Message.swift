// SPDX-License-Identifier: Apache-2.0

extension Repair: CustomStringConvertible {
  /// The place and the message: `track 3, byte 418: …`, tracks counted from 1 as people do.
  public var description: String {
    guard let track else { return "byte \(offset): \(message)" }
    return "track \(track + 1), byte \(offset): \(message)"
  }

  /// What was found and what was done about it.
  public var message: String {
    switch kind {
    case .leadingBytes, .wrapperLength, .longHeader, .headerLength, .unknownFormat,
      .formatZeroTracks, .trackCount, .divisionZero, .frameRate, .ticksPerFrame:
      headerMessage
    case .chunkName, .unknownChunk, .trailingBytes, .trackLength, .missingEndOfTrack,
      .endOfTrackLength, .bytesAfterEndOfTrack, .trackFull:
      chunkMessage
    default:
      eventMessage
    }
  }

  private var headerMessage: String {
    switch kind {
    case .leadingBytes: "\(value) bytes before the header passed over"
    case .wrapperLength: "RIFF data chunk runs past the end of the file, cut there"
    case .longHeader: "header of \(value) bytes, the first 6 read"
    case .headerLength: "header claims \(value) bytes, taken as 6"
    case .unknownFormat: "format \(value) does not exist, read as format 1"
    case .formatZeroTracks: "format 0 with \(value) tracks, read as format 1"
    case .trackCount: "header claims \(value) tracks, the file's own count used"
    case .divisionZero: "division of 0 ticks, 480 per quarter note assumed"
    case .frameRate: "SMPTE rate \(value) is none of 24, 25, 29, 30; 25 assumed"
    default: "0 ticks per frame, 40 assumed"
    }
  }

  private var chunkMessage: String {
    switch kind {
    case .chunkName: "chunk named mtrk read as a track"
    case .unknownChunk: "chunk of \(value) bytes is not a track, kept as it is"
    case .trailingBytes: "\(value) bytes after the last chunk left out"
    case .trackLength: "track claims \(value) bytes, read up to where it ends"
    case .missingEndOfTrack: "no end of track, added"
    case .endOfTrackLength: "end of track with \(value) bytes, left out"
    case .bytesAfterEndOfTrack: "\(value) bytes after the end of track left out"
    default: "more payload bytes than a track can hold, the rest left out"
    }
  }

  private var eventMessage: String {
    switch kind {
    case .truncatedEvent: "event cut off, track ends before it"
    case .truncatedPayload: "length of \(value) bytes runs past the track, which ends before it"
    case .longQuantity: "number of \(value) bytes, four allowed, read all the same"
    case .longDelta: "delta time of \(value) ticks, taken as \(TrackParser.longestDelta)"
    case .endlessQuantity: "number of more than 9 bytes, track ends before it"
    case .dataByte: "data byte \(value) above 127, taken as 127"
    case .systemStatus: "status \(hexadecimal(value)) cannot stand in a file, left out"
    case .missingStatus: "data byte \(value) before any status byte, passed over"
    case .runningStatusAcrossMeta: "running status kept across a meta or SysEx event"
    case .metaType: "meta type \(value) above 127, left out"
    case .tempoLength: "tempo of \(value) bytes, three required, left out"
    case .tempoZero: "tempo of zero, left out"
    case .timeSignature: "time signature without meaning, left out"
    case .keySignature: "key signature without meaning, left out"
    case .tickRange: "tick past 2⁴⁸, held there"
    case .noteLength: "\(value) notes longer than 2³² ticks, cut there"
    default: "key \(value) is never released, held to the end of the track"
    }
  }
}

/// A byte as two digits of base sixteen.
func hexadecimal(_ byte: Int) -> String {
  let digits = String(byte & 0xFF, radix: 16, uppercase: true)
  return byte & 0xFF < 16 ? "0" + digits : digits
}
