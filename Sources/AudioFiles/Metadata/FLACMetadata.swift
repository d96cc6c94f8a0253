// SPDX-License-Identifier: Apache-2.0
internal import MusicalTime

/// The metadata blocks of a FLAC file: markers, regions, loops, instrument and tempo.
///
/// They are stored in application blocks `riff`, each with a chunk as in a WAV file. Players of
/// game music read the first loop from the comments `LOOPSTART` and `LOOPLENGTH`. The points of a
/// cue sheet are read as markers.
///
/// Source: RFC 9639, sections 8.3 (application), 8.6 (comments), 8.7 (cue sheet), and the registry
/// of application identifiers.
struct FLACMetadata {
  /// A block: its type and its content.
  private struct Block {
    var kind: UInt8
    var content: [UInt8]
  }

  private var blocks: [Block] = []
  /// The position of the first frame of sound.
  private let end: Int64

  private static let (application, comments, cueSheet): (UInt8, UInt8, UInt8) = (2, 4, 5)
  private static let countLimit = 1000
  /// The maximum number of bytes of all blocks together.
  private static let byteLimit = 1 << 25
  private static let largestBlock = 1 << 24 - 1

  /// Reads the blocks; nil if it is another file, or the blocks are truncated or too large.
  init?(of stream: FileStream) {
    guard let mark = stream.bytes(at: 0, 4), MP4Box.latin(mark) == "fLaC" else { return nil }
    var (place, sum, isLast) = (Int64(4), 0, false)
    while !isLast {
      let head = stream.bytes(at: place, upTo: FLACBlockHeader.byteCount) ?? []
      guard let header = FLACBlockHeader(head[...]), blocks.count < Self.countLimit,
        sum + header.contentByteCount <= Self.byteLimit,
        let content = stream.bytes(
          at: place + Int64(FLACBlockHeader.byteCount), header.contentByteCount)
      else { return nil }
      blocks.append(Block(kind: header.kind, content: content))
      isLast = header.isLast
      place += Int64(FLACBlockHeader.byteCount + header.contentByteCount)
      sum += header.contentByteCount
    }
    end = place
  }

  /// The metadata other than tags.
  var metadata: RiffMetadata {
    let chunks = blocks.compactMap { block -> (name: String, content: ArraySlice<UInt8>)? in
      guard block.kind == Self.application, MP4Box.latin(block.content.prefix(4)) == "riff",
        block.content.count >= 12
      else { return nil }
      return (MP4Box.latin(block.content[4..<8]), block.content[12...])
    }
    return RiffMetadata(chunks)
  }

  /// The loop that comments state; nil unless they state its start, and its length or end.
  var loop: SoundFileMetadata.Loop? {
    let texts = comments
    let number = { (name: String) in
      texts[name].flatMap(Int64.init).flatMap { (0..<1 << 50).contains($0) ? $0 : nil }
    }
    guard let start = number("LOOPSTART"),
      let end = number("LOOPLENGTH").map({ start + $0 }) ?? number("LOOPEND"), start < end
    else { return nil }
    return SoundFileMetadata.Loop(start..<end)
  }

  /// The comments by their names in capitals; the first of each name.
  private var comments: [String: String] {
    guard let block = blocks.first(where: { $0.kind == Self.comments }) else { return [:] }
    let words = RiffMetadata.Words(bytes: block.content[...], isLittle: true)
    guard let vendor = words[0, 4], let count = words[4 + vendor, 4] else { return [:] }
    var (texts, place) = ([String: String](), 8 + vendor)
    for _ in 0..<min(count, CAFMetadata.countLimit) {
      guard let size = words[place, 4], size <= block.content.count - place - 4 else { break }
      let text = String(decoding: block.content[place + 4..<place + 4 + size], as: UTF8.self)
      if let sign = text.firstIndex(of: "=") {
        let name = text[..<sign].uppercased()
        if texts[name] == nil { texts[name] = String(text[text.index(after: sign)...]) }
      }
      place += 4 + size
    }
    return texts
  }

  /// The points of a cue sheet, each named by the numbers of its track and of the point.
  var cuePoints: [SoundFileMetadata.Marker] {
    guard let sheet = blocks.first(where: { $0.kind == Self.cueSheet })?.content[...],
      let trackCount = sheet.number(395, 1)
    else { return [] }
    var (markers, place) = ([SoundFileMetadata.Marker](), 396)
    for _ in 0..<trackCount {
      guard let start = sheet.number(place, 8), start < 1 << 50,
        let number = sheet.number(place + 8, 1), let count = sheet.number(place + 35, 1)
      else { break }
      for index in 0..<count {
        guard let offset = sheet.number(place + 36 + 12 * index, 8), offset < 1 << 50,
          let point = sheet.number(place + 44 + 12 * index, 1)
        else { break }
        markers.append(
          SoundFileMetadata.Marker(
            position: SampleTime(frames: Int64(start + offset)), name: "\(number).\(point)"))
      }
      place += 36 + 12 * count
    }
    return markers
  }
}

extension FLACMetadata {
  /// Adds blocks with metadata to a finished file; returns false if the file cannot be written.
  ///
  /// - Complexity: O(n) in the bytes of the file, which move; O(1) if there is nothing to add.
  static func add(
    _ metadata: SoundFileMetadata, rate: SampleRate, to stream: FileStream
  ) -> Bool {
    let chunks = RiffMetadata.chunks(metadata, rate: rate)
    guard !chunks.isEmpty else { return true }
    guard var file = FLACMetadata(of: stream) else { return false }
    var texts: [String] = []
    if let loop = metadata.instrument?.loops.first {
      texts += ["LOOPSTART=\(loop.frames.lowerBound)", "LOOPLENGTH=\(loop.frames.count)"]
    }
    if let tempo = metadata.tempo { texts.append("BPM=\(tempo.beatsPerMinute)") }
    file.add(comments: texts)
    for (name, content) in chunks {
      let bytes = Array("riff".utf8) + RiffMetadata.chunk(name, content)
      guard bytes.count <= largestBlock else { return true }
      file.blocks.append(Block(kind: application, content: bytes))
    }
    return file.write(to: stream)
  }

  private mutating func add(comments texts: [String]) {
    guard !texts.isEmpty else { return }
    guard let index = blocks.firstIndex(where: { $0.kind == Self.comments }) else { return }
    let words = RiffMetadata.Words(bytes: blocks[index].content[...], isLittle: true)
    guard let vendor = words[0, 4], let count = words[4 + vendor, 4] else { return }
    let place = 4 + vendor
    blocks[index].content.replaceSubrange(
      place..<place + 4, with: RiffMetadata.word(count + texts.count))
    blocks[index].content += texts.flatMap { RiffMetadata.word($0.utf8.count) + Array($0.utf8) }
  }

  private func write(to stream: FileStream) -> Bool {
    let bytes = blocks.enumerated().flatMap { index, block in
      [block.kind | (index == blocks.count - 1 ? 0x80 : 0)]
        + BigEndian.bytes(block.content.count, 3) + block.content
    }
    let added = Int64(bytes.count) + 4 - end
    guard added >= 0 else { return false }
    return stream.makeRoom(added, at: end) && stream.put(bytes, at: 4)
  }
}

extension FileStream {
  /// Moves all bytes from a position on towards the end; returns false if that fails.
  ///
  /// - Complexity: O(n) in the number of bytes.
  func makeRoom(_ count: Int64, at place: Int64) -> Bool {
    var end = length
    while end > place {
      let start = max(place, end - 1 << 20)
      guard let bytes = bytes(at: start, Int(end - start)), put(bytes, at: start + count) else {
        return false
      }
      end = start
    }
    return true
  }
}
