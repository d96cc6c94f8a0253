// SPDX-License-Identifier: Apache-2.0
import MusicalTime

extension SMFLayout {
  /// Finds the header and all chunks.
  ///
  /// - Throws: `SequenceError.notMIDI`; `SequenceError.damagedHeader`.
  mutating func scan() throws(SequenceError) {
    let header = try findHeader()
    let chunks = try readHeader(at: header)
    scanChunks(from: chunks)
    if Int(declaredTracks) != tracks.count {
      note(.trackCount, at: header + 10, value: Int(declaredTracks))
    }
    if declaredFormat == 0, tracks.count > 1 {
      note(.formatZeroTracks, at: header + 8, value: tracks.count)
    }
    if declaredFormat > 2 {
      note(.unknownFormat, at: header + 8, value: Int(declaredFormat))
    }
  }

  /// The offset of the header: at the start, inside a RIFF wrapper, or after a few other bytes.
  private mutating func findHeader() throws(SequenceError) -> Int {
    if reader.has("MThd", at: 0) { return 0 }
    if reader.has("RIFF", at: 0), reader.has("RMID", at: 8) { return try findRMIDHeader() }
    if let sentence = foreignSentence { throw .notMIDI(sentence) }
    // One stray byte and the 128 bytes of MacBinary occur in practice.
    guard let offset = reader.firstOffset(of: "MThd", from: 1), offset <= 512 else {
      let bytes = reader.bytes.prefix(4).map { hexadecimal(Int($0)) }.joined(separator: " ")
      throw .notMIDI("it starts with \(bytes) instead of 4D 54 68 64 (MThd)")
    }
    note(.leadingBytes, at: 0, value: offset)
    return offset
  }

  /// The reason to refuse a file that is not a MIDI file, and the remedy; nil if it may be one.
  private var foreignSentence: String? {
    if reader.count == 0 { return "the file is empty; copy or download it again" }
    if reader.count < 4, [0x4D, 0x54, 0x68].starts(with: reader.bytes) {
      return "its header is incomplete; copy or download the file again"
    }
    guard let file = ForeignFile(reader.bytes) else { return nil }
    return [file.name, file.remedy].compactMap(\.self).joined(separator: "; ")
  }

  private mutating func findRMIDHeader() throws(SequenceError) -> Int {
    container = .rmid
    let scan = WrapperScan(reader)
    log.append(contentsOf: scan.log)
    guard let song = scan.song, reader.has("MThd", at: song.lowerBound) else {
      throw .notMIDI("a RIFF file without MIDI data")
    }
    wrapper = scan.wrapper
    end = song.upperBound
    return song.lowerBound
  }

  /// Reads the header chunk and returns the offset of the next chunk.
  private mutating func readHeader(at start: Int) throws(SequenceError) -> Int {
    guard start + 14 <= end, let length = reader.long(at: start + 4),
      let format = reader.word(at: start + 8), let count = reader.word(at: start + 10),
      let bits = reader.word(at: start + 12)
    else {
      throw .damagedHeader(
        offset: start, reason: "header ends after \(end - start) of 14 bytes")
    }
    guard length >= 6 else {
      throw .damagedHeader(
        offset: start + 4, reason: "header of \(length) bytes, at least 6 required")
    }
    declaredFormat = format
    declaredTracks = count
    readDivision(bits, at: start + 12)
    guard length > 6 else { return start + 14 }
    guard length <= end - start - 8, !reader.has("MTrk", at: start + 14) else {
      note(.headerLength, at: start + 4, value: length)
      return start + 14
    }
    note(.longHeader, at: start + 4, value: length)
    return start + 8 + length
  }

  private mutating func readDivision(_ bits: UInt16, at offset: Int) {
    do {
      division = try Division(smfBits: bits)
    } catch {
      division = repairedDivision(bits, at: offset)
    }
  }

  /// A division to use instead of an invalid one.
  private mutating func repairedDivision(_ bits: UInt16, at offset: Int) -> Division {
    guard bits & 0x8000 != 0 else {
      note(.divisionZero, at: offset)
      return .standard
    }
    let byte = Int8(bitPattern: UInt8(truncatingIfNeeded: bits >> 8))
    let rate = FrameRate.allCases.first { $0.smfDivisionByte == byte }
    let ticks = UInt8(truncatingIfNeeded: bits)
    if rate == nil { note(.frameRate, at: offset, value: -Int(byte)) }
    if ticks == 0 { note(.ticksPerFrame, at: offset + 1) }
    return .smpte(rate ?? .fps25, ticksPerFrame: ticks == 0 ? 40 : ticks)
  }
}
