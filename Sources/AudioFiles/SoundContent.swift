// SPDX-License-Identifier: Apache-2.0

/// The kind of a file by its first bytes, which determines its reader.
enum SoundContent: Equatable {
  /// MP4, M4A or QuickTime, detected by the name of the first box.
  case mp4
  /// AAC with ADTS headers, with or without an ID3 tag before it.
  case adts
  /// A Core Audio Format file.
  case caf
  /// AC-3 or E-AC-3 without a container.
  case ac3
  /// A format that FFmpeg supports and libsndfile does not.
  case foreign
  /// A Sony Wave64 file.
  case wave64
  /// A MIDI file, with or without a RIFF wrapper.
  case midi
  /// Any other file.
  case other

  /// Reads the first bytes of a file, and seeks to its start.
  init(of stream: FileStream) {
    defer { _ = stream.seek(0, 0) }
    let head = stream.bytes(at: 0, upTo: Self.looked) ?? []
    if ["ftyp", "moov", "mdat", "free", "skip", "wide", "pnot"].contains(Self.name(head, 4)) {
      self = .mp4
    } else if Self.name(head, 0) == "caff" {
      self = .caf
    } else if head.starts(with: [0x0B, 0x77]) {
      self = .ac3
    } else if case .found(.wave64) = PCMContainer.search(at: head[...]) {
      self = .wave64
    } else if Self.isForeign(head) {
      self = .foreign
    } else if Self.isMIDI(head) {
      self = .midi
    } else {
      self = Self.isADTS(stream, head) ? .adts : .other
    }
  }

  private static let looked = 1 << 14

  private static func name(_ bytes: [UInt8], _ place: Int) -> String {
    MP4Box.latin(bytes.dropFirst(place).prefix(4))
  }

  /// Sources: the signatures in the specification of each format.
  private static let signatures: [[UInt8]] = [
    [0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11],  // ASF: WMA
    [0x1A, 0x45, 0xDF, 0xA3],  // EBML: Matroska, WebM
    Array("MPCK".utf8), Array("MP+".utf8), Array("MAC ".utf8), Array("wvpk".utf8),
    Array("TTA1".utf8), Array("tBaK".utf8), Array("FLV\u{1}".utf8), Array("#!AMR".utf8),
    Array("#!iLBC".utf8),
    [0x00, 0x00, 0x01, 0xBA],  // MPEG programme stream
    [0x7F, 0xFE, 0x80, 0x01],  // DTS
  ]

  private static func isMIDI(_ head: [UInt8]) -> Bool {
    name(head, 0) == "MThd" || name(head, 0) == "RIFF" && name(head, 8) == "RMID"
  }

  private static func isForeign(_ head: [UInt8]) -> Bool {
    signatures.contains { head.starts(with: $0) } || isTransport(head) || isLOAS(head)
      || (name(head, 0) == "RIFF" && name(head, 8) == "AVI ")
  }

  /// Checks the start of four packets of 188 bytes.
  private static func isTransport(_ head: [UInt8]) -> Bool {
    head.count > 188 * 3 && (0..<4).allSatisfy { head[188 * $0] == 0x47 }
  }

  /// Checks three frames of AAC in LATM, which state their sizes (ISO/IEC 14496-3, 1.7.2).
  private static func isLOAS(_ head: [UInt8]) -> Bool {
    var place = 0
    for _ in 0..<3 {
      guard let sync = head[...].number(place, 3), sync >> 13 == 0x2B7 else { return false }
      place += 3 + sync & 0x1FFF
    }
    return true
  }

  private static func isADTS(_ stream: FileStream, _ head: [UInt8]) -> Bool {
    var bytes = head
    if head.starts(with: Array("ID3".utf8)), head.count > 10 {
      let size = head[6..<10].reduce(0) { $0 << 7 | Int64($1 & 0x7F) }
      bytes = stream.bytes(at: size + 10, upTo: looked) ?? []
    }
    // MPEG audio has a nonzero layer in this field.
    guard bytes.count > 7, ADTSHeader(bytes[...]) != nil else { return false }
    var parser = SoundStream(kind: .adts)
    parser.keepsBytes = false
    parser.append(bytes)
    if bytes.count < looked { parser.finish() }
    return parser.properties?.kind == .adts
  }
}

extension FileStream {
  /// The bytes at a position; nil if they are not all in the file.
  func bytes(at offset: Int64, _ count: Int) -> [UInt8]? {
    bytes(at: offset, upTo: count).flatMap { $0.count == count ? $0 : nil }
  }

  /// The bytes at a position, fewer at the end; nil for a negative position or number.
  ///
  /// The current position does not change.
  func bytes(at offset: Int64, upTo count: Int) -> [UInt8]? {
    guard offset >= 0, count >= 0 else { return nil }
    return unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, done in
      done = unsafe buffer.baseAddress.map { unsafe read($0, count, at: offset) } ?? 0
    }
  }
}
