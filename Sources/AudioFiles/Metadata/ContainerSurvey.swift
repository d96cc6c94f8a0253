// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// Compares the length that a container states with the bytes in the file.
///
/// libsndfile reads the available part of a truncated file and does not report that the rest is
/// missing. A length that programs write as a placeholder, for example into a pipe, is ignored.
///
/// Sources: RIFF/WAVE, EBU Tech 3306 (RF64), AIFF-C, Sony Wave64, Apple's Core Audio Format 1.0,
/// RFC 3533 (Ogg), the Xing and LAME header of MP3.
struct ContainerSurvey {
  private let stream: FileStream
  private let length: Int

  /// More chunks than any file has before its sound.
  private static let chunkLimit = 1000

  private init(_ stream: FileStream) {
    self.stream = stream
    length = Int(clamping: stream.length)
  }

  /// The part of a file that is missing; nil if the file is complete or does not state its length.
  ///
  /// The position in the file is then its start.
  static func shortfall(of stream: FileStream) -> SoundShortfall? {
    defer { _ = stream.seek(0, SEEK_SET) }
    let survey = ContainerSurvey(stream)
    guard let head = survey.bytes(at: 0, 16) else { return nil }
    switch String(decoding: head[..<4], as: UTF8.self) {
    case "RIFF", "RF64": return survey.riff()
    case "RIFX": return survey.riff(isLittle: false)
    case "FORM": return survey.aiff()
    case "riff": return survey.wave64()
    case ".snd": return survey.au(isLittle: false)
    case "dns.": return survey.au(isLittle: true)
    case "caff": return survey.caf()
    case "OggS": return survey.ogg()
    default: return survey.mp3()
    }
  }

  /// The number of channels in the tag of the layout chunk of an AIFF or CAF file; nil without the
  /// chunk.
  ///
  /// The position in the file does not change. The lower 16 bits of a tag are its number of
  /// channels. The result is 0 for a tag before the chunk with the number of channels, as in AIFF
  /// files by FFmpeg: libsndfile 1.2 then does not allocate memory, and reads after its end.
  static func layoutChannelCount(of stream: FileStream) -> Int? {
    let place = stream.seek(0, SEEK_CUR)
    defer { _ = stream.seek(place, SEEK_SET) }
    let survey = ContainerSurvey(stream)
    let tag =
      switch survey.name(at: 0) {
      case "FORM": survey.layoutTag("CHAN", after: "COMM", from: 12, sizeBytes: 4)
      case "caff": survey.layoutTag("chan", after: "desc", from: 8, sizeBytes: 8)
      default: Int?.none
      }
    return tag.map { $0 & 0xFFFF }
  }

  private func layoutTag(
    _ chunk: String, after description: String, from start: Int, sizeBytes: Int
  ) -> Int? {
    var offset = start
    var isDescribed = false
    for _ in 0..<Self.chunkLimit {
      guard let name = name(at: offset), let size = number(at: offset + 4, sizeBytes),
        (0..<Int.max / 2).contains(size)
      else { return nil }
      if name == description { isDescribed = true }
      if name == chunk { return isDescribed ? number(at: offset + 4 + sizeBytes, 4) : 0 }
      // AIFF pads chunks to an even number of bytes, CAF does not.
      offset += 4 + sizeBytes + size + (sizeBytes == 4 ? size % 2 : 0)
    }
    return nil
  }

  private func bytes(at offset: Int, _ count: Int) -> [UInt8]? {
    guard offset >= 0, offset <= length - count, stream.seek(Int64(offset), SEEK_SET) >= 0 else {
      return nil
    }
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, done in
      done = unsafe buffer.baseAddress.map { unsafe stream.read($0, count) } ?? 0
    }
    return bytes.count == count ? bytes : nil
  }

  private func number(at offset: Int, _ count: Int, isLittle: Bool = false) -> Int? {
    guard let bytes = bytes(at: offset, count) else { return nil }
    let ordered = isLittle ? bytes.reversed() : bytes
    return Int(truncatingIfNeeded: ordered.reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
  }

  private func name(at offset: Int) -> String? {
    bytes(at: offset, 4).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The missing part of sound that should occupy a range of bytes.
  private func missing(from start: Int, count: Int, frameBytes: Int) -> SoundShortfall? {
    guard count > 0, start <= length, count > length - start else { return nil }
    let there = length - start
    guard frameBytes > 0 else { return .bytes(count - there, of: count) }
    let all = count / frameBytes
    let frames = all - there / frameBytes
    return frames > 0 ? .frames(frames, of: all) : nil
  }
}

extension ContainerSurvey {
  private func riff(isLittle: Bool = true) -> SoundShortfall? {
    var offset = 12
    var frameBytes = 0
    var longSize: Int?
    for _ in 0..<Self.chunkLimit {
      guard let name = name(at: offset),
        let size = number(at: offset + 4, 4, isLittle: isLittle)
      else { return nil }
      switch name {
      case "ds64": longSize = number(at: offset + 16, 8, isLittle: isLittle)
      case "fmt ": frameBytes = waveFrameBytes(at: offset + 8, isLittle: isLittle)
      case "data":
        if size == 0xFFFF_FFFF, let longSize {
          return missing(from: offset + 8, count: longSize, frameBytes: frameBytes)
        }
        guard !Self.isUnknown(size) else { return nil }
        return missing(from: offset + 8, count: size, frameBytes: frameBytes)
      default: break
      }
      offset += 8 + size + size % 2
    }
    return nil
  }

  /// The bytes of a frame of PCM, floats, A-law and µ-law; 0 for other encodings.
  private func waveFrameBytes(at offset: Int, isLittle: Bool) -> Int {
    guard let kind = number(at: offset, 2, isLittle: isLittle), [1, 3, 6, 7, 0xFFFE].contains(kind)
    else { return 0 }
    return number(at: offset + 12, 2, isLittle: isLittle) ?? 0
  }

  /// True for the placeholders of programs that write into a pipe: about 2 GB or 4 GB.
  private static func isUnknown(_ size: Int) -> Bool {
    size >= 0xFFFF_0000 || (0x7FFF_0000...0x8000_0000).contains(size)
  }

  private func aiff() -> SoundShortfall? {
    var offset = 12
    var frameBytes = 0
    for _ in 0..<Self.chunkLimit {
      guard let name = name(at: offset), let size = number(at: offset + 4, 4) else { return nil }
      if name == "COMM" { frameBytes = aiffFrameBytes(at: offset + 8, size: size) }
      if name == "SSND" {
        guard !Self.isUnknown(size) else { return nil }
        return missing(from: offset + 16, count: size - 8, frameBytes: frameBytes)
      }
      offset += 8 + size + size % 2
    }
    return nil
  }

  private func aiffFrameBytes(at offset: Int, size: Int) -> Int {
    guard let channels = number(at: offset, 2), let bits = number(at: offset + 6, 2) else {
      return 0
    }
    let plain = ["NONE", "sowt", "twos", "in24", "in32", "fl32", "FL32", "fl64", "FL64"]
    if size >= 22, let kind = name(at: offset + 18), !plain.contains(kind) { return 0 }
    return channels * ((bits + 7) / 8)
  }

  private func wave64() -> SoundShortfall? {
    var offset = 40
    var frameBytes = 0
    for _ in 0..<Self.chunkLimit {
      guard let name = name(at: offset), let size = number(at: offset + 16, 8, isLittle: true),
        size >= 24, size < Int.max / 2
      else { return nil }
      if name == "fmt " { frameBytes = waveFrameBytes(at: offset + 24, isLittle: true) }
      if name == "data" {
        return missing(from: offset + 24, count: size - 24, frameBytes: frameBytes)
      }
      offset += (size + 7) / 8 * 8
    }
    return nil
  }

  private func au(isLittle: Bool) -> SoundShortfall? {
    guard let start = number(at: 4, 4, isLittle: isLittle),
      let size = number(at: 8, 4, isLittle: isLittle), !Self.isUnknown(size),
      let kind = number(at: 12, 4, isLittle: isLittle),
      let channels = number(at: 20, 4, isLittle: isLittle), (1...1024).contains(channels)
    else { return nil }
    let bytes = [1: 1, 2: 1, 3: 2, 4: 3, 5: 4, 6: 4, 7: 8, 27: 1][kind] ?? 0
    return missing(from: start, count: size, frameBytes: bytes * channels)
  }

  private func caf() -> SoundShortfall? {
    var offset = 8
    var frameBytes = 0
    for _ in 0..<Self.chunkLimit {
      guard let name = name(at: offset), let size = number(at: offset + 4, 8), size >= 0,
        size < Int.max / 2
      else { return nil }
      if name == "desc", number(at: offset + 32, 4) == 1 {
        frameBytes = number(at: offset + 28, 4) ?? 0
      }
      if name == "data" {
        // Four bytes count the edits.
        return missing(from: offset + 16, count: size - 4, frameBytes: frameBytes)
      }
      offset += 12 + size
    }
    return nil
  }

  /// The end of an Ogg file, and the position of its last page in these bytes.
  private func oggEnd() -> (bytes: [UInt8], page: Int?)? {
    let count = min(length, 1 << 17)
    guard let end = bytes(at: length - count, count) else { return nil }
    let mark = Array("OggS".utf8)
    return (end, end.indices.dropLast(26).last { end[$0...].starts(with: mark) })
  }

  /// True if the last page of an Ogg file does not belong to a stream that starts at its beginning.
  ///
  /// The position in the file does not change. Source: RFC 3533, 4: links of a chain follow one
  /// another, with other serial numbers.
  static func isChained(_ stream: FileStream) -> Bool {
    let place = stream.seek(0, SEEK_CUR)
    defer { _ = stream.seek(place, SEEK_SET) }
    let survey = ContainerSurvey(stream)
    guard survey.name(at: 0) == "OggS", let (end, page) = survey.oggEnd(), let page else {
      return false
    }
    var offset = 0
    for _ in 0..<chunkLimit {
      guard let head = survey.bytes(at: offset, 27), head.starts(with: "OggS".utf8),
        head[5] & 2 != 0
      else { return true }
      if head[14..<18].elementsEqual(end[page + 14..<page + 18]) { return false }
      guard let table = survey.bytes(at: offset + 27, Int(head[26])) else { return false }
      offset += 27 + table.count + table.reduce(0) { $0 + Int($1) }
    }
    return false
  }

  /// The last page of a stream is marked, and must be complete.
  private func ogg() -> SoundShortfall? {
    guard let (end, page) = oggEnd() else { return nil }
    guard let page else { return .lastPage }
    let segments = Int(end[page + 26])
    guard page + 27 + segments <= end.count else { return .lastPage }
    let content = end[page + 27..<page + 27 + segments].reduce(0) { $0 + Int($1) }
    let isWhole = page + 27 + segments + content <= end.count
    return isWhole && end[page + 5] & 4 != 0 ? nil : .lastPage
  }

  /// The first frame of an MP3 file can state the number of bytes.
  private func mp3() -> SoundShortfall? {
    var start = 0
    if name(at: 0)?.hasPrefix("ID3") == true, let size = bytes(at: 6, 4) {
      start = 10 + size.reduce(0) { $0 << 7 | Int($1 & 0x7F) }
    }
    guard let head = bytes(at: start, 4), head[0] == 0xFF, head[1] & 0xE0 == 0xE0 else {
      return nil
    }
    let (isFirst, isMono) = (head[1] & 0x08 != 0, head[3] >> 6 == 3)
    let side = isFirst ? (isMono ? 17 : 32) : (isMono ? 9 : 17)
    let tag = start + 4 + side + (head[1] & 1 == 0 ? 2 : 0)
    guard let name = name(at: tag), ["Xing", "Info"].contains(name),
      let flags = number(at: tag + 4, 4), flags & 2 != 0,
      let count = number(at: tag + (flags & 1 == 0 ? 8 : 12), 4)
    else { return nil }
    return missing(from: start, count: count, frameBytes: 0)
  }
}
