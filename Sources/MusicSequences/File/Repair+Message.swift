// SPDX-License-Identifier: Apache-2.0

extension Repair: CustomStringConvertible {
  /// The position in the file and the message, such as `track 3, byte 418: …`.
  ///
  /// Tracks are numbered from 1.
  public var description: String {
    guard let track else { return "byte \(offset): \(message)" }
    return "track \(track + 1), byte \(offset): \(message)"
  }

  /// The defect, and the repair that was made.
  public var message: String {
    switch kind {
    case .leadingBytes, .wrapperLength, .longHeader, .headerLength, .unknownFormat,
      .formatZeroTracks, .trackCount, .divisionZero, .frameRate, .ticksPerFrame:
      headerMessage
    case .wrapperChunk, .bankLength, .furtherBank, .bankOffset: wrapperMessage
    case .chunkName, .unknownChunk, .trailingBytes, .trackLength, .missingEndOfTrack,
      .endOfTrackLength, .bytesAfterEndOfTrack, .trackFull:
      chunkMessage
    default:
      eventMessage
    }
  }

  private var headerMessage: String {
    switch kind {
    case .leadingBytes: "\(value) bytes before the header, skipped"
    case .wrapperLength: "RIFF data chunk runs past the end of the file, shortened"
    case .longHeader: "header of \(value) bytes, only the first 6 read"
    case .headerLength: "header length \(value), read as 6"
    case .unknownFormat: "format \(value) does not exist, read as format 1"
    case .formatZeroTracks: "format 0 with \(value) tracks, read as format 1"
    case .trackCount:
      "header states \(value) \(value == 1 ? "track" : "tracks"), actual number used"
    case .divisionZero: "division of 0 ticks, 480 per quarter note assumed"
    case .frameRate: "SMPTE rate \(value) is not 24, 25, 29 or 30; 25 assumed"
    default: "0 ticks per frame, 40 assumed"
    }
  }

  private var wrapperMessage: String {
    switch kind {
    case .wrapperChunk: "RIFF chunk is \(value) bytes longer than the space for it, shortened"
    case .bankLength: "bank of instruments ends \(value) bytes too early, may not be usable"
    case .furtherBank: "second bank of instruments, ignored"
    default:
      value < 0
        ? "bank offset (DBNK) is not two bytes long, ignored"
        : "bank offset (DBNK) \(value) is above 127, ignored"
    }
  }

  private var chunkMessage: String {
    switch kind {
    case .chunkName: "chunk mtrk, read as a track"
    case .unknownChunk: "unknown chunk of \(value) bytes, kept unchanged"
    case .trailingBytes:
      "\(value) \(value == 1 ? "byte" : "bytes") after the last chunk, ignored"
    case .trackLength: "track length \(value) bytes is wrong, read up to the actual end"
    case .missingEndOfTrack: "end of track missing, added"
    case .endOfTrackLength: "end of track with \(value) bytes, bytes ignored"
    case .bytesAfterEndOfTrack: "\(value) bytes after the end of track, ignored"
    default: "more payload bytes than a track can hold, the rest ignored"
    }
  }

  private var eventMessage: String {
    switch kind {
    case .truncatedEvent: "incomplete event, track ends before it"
    case .truncatedPayload: "event length \(value) bytes runs past the track, track ends before it"
    case .longQuantity: "variable-length number of \(value) bytes (allowed: up to 4), read anyway"
    case .longDelta: "delta time of \(value) ticks, read as \(TrackParser.longestDelta)"
    case .endlessQuantity: "variable-length number of more than 9 bytes, track ends before it"
    case .dataByte: "data byte \(value) above 127, read as 127"
    case .systemStatus: "status \(hexadecimal(value)) is not allowed in a file, ignored"
    case .missingStatus: "data byte \(value) before any status byte, skipped"
    case .runningStatusAcrossMeta: "running status kept across a meta or SysEx event"
    case .metaType: "meta type \(value) above 127, ignored"
    case .tempoLength: "tempo of \(value) bytes instead of 3, ignored"
    case .tempoZero: "tempo of 0, ignored"
    case .timeSignature: "invalid time signature, ignored"
    case .keySignature: "invalid key signature, ignored"
    case .tickRange: "tick past 2⁴⁸, limited to it"
    case .noteLength: "\(value) notes longer than 2³² ticks, shortened"
    default: "key \(value) is never released, ended at the end of the track"
    }
  }
}

/// A byte as two hexadecimal digits.
func hexadecimal(_ byte: Int) -> String {
  let digits = String(byte & 0xFF, radix: 16, uppercase: true)
  return byte & 0xFF < 16 ? "0" + digits : digits
}
