// SPDX-License-Identifier: Apache-2.0

/// The sound of an MP4 or M4A file: the positions of its packets, the decoder's configuration, and
/// the metadata.
///
/// The index must be in one piece; fragments are read elsewhere.
///
/// Sources: ISO/IEC 14496-12 (boxes, sample tables, edit lists), 14496-14 (`esds`), Apple's
/// QuickTime File Format (`ilst`, `alac`), iTunes (`iTunSMPB`), Nero (`chpl`).
struct MP4Sound {
  let codec: SoundCodec
  /// The magic cookie: an AudioSpecificConfig, an ALAC cookie, or empty.
  let cookie: [UInt8]
  let channelCount: Int
  let table: PacketTable
  /// The frames per second that the codec states, for HE-AAC those of its core; nil if it does not
  /// state them.
  let codecHertz: Int?
  /// The number of frames in each packet, for HE-AAC those of its core; 0 if it varies.
  let framesPerPacket: Int
  /// The number of the track.
  let trackID: Int
  /// The defaults of fragments by track; empty unless the file may have fragments.
  let fragmentDefaults: [Int: MP4FragmentDefaults]
  /// The length of a fragmented file in the movie's units, and their number per second; nil if it
  /// is not stated.
  let fragmentedLength: (value: Int, units: Int)?
  /// The frames that are not sound by the edit list or the comment of iTunes, before they are
  /// applied to the packets of the index; nil if neither states them.
  private(set) var gapless: GaplessLength?
  /// The number of packets in the index that are after the end of the file.
  let missingCount: Int
  private(set) var tags: [SoundFileMetadata.Tag: String] = [:]
  /// Chapters: the time in units of 100 ns, and a title.
  private(set) var chapters: [(time: Int64, title: String)] = []
  /// True if the file states which frames are not sound.
  private(set) var isGapless = false

  /// Reads the index of a file; nil if it does not contain supported sound.
  ///
  /// - Parameters:
  ///   - index: The content of the box `moov`.
  ///   - length: The bytes of the file.
  init?(index: ArraySlice<UInt8>, length: Int64) {
    let movie = MP4Box(name: "moov", content: index)
    let tracks = MP4Box.all(in: index).filter { $0.name == "trak" }
    guard let (track, entry) = tracks.lazy.compactMap(Self.sound).first,
      let media = track.child("mdia"), let header = media.child("mdhd"),
      let scale = Self.timeScale(header), scale.units > 0, scale.units < 1 << 31,
      let samples = media.child("minf", "stbl").flatMap({
        MP4Samples($0, hertz: scale.units, length: length)
      })
    else { return nil }
    (codec, cookie, channelCount) = (entry.codec, entry.cookie, entry.channelCount)
    (codecHertz, framesPerPacket) = (entry.hertz, entry.framesPerPacket)
    trackID = Self.trackID(track)
    fragmentDefaults = MP4FragmentDefaults.all(in: movie)
    var table = samples.table
    missingCount = samples.missingCount
    let comment = Self.freeTexts(movie)["iTunSMPB"].flatMap(GaplessLength.init(iTunes:))
    let preSkip = entry.preSkip * scale.units / 48_000
    let movieUnits = movie.child("mvhd").flatMap(Self.timeScale)?.units ?? scale.units
    fragmentedLength = Self.fragmentedLength(movie).map { ($0, movieUnits) }
    let edit = Self.edit(track, table, movieUnits: movieUnits)
    // If both state the frames, an edit that removes nothing was written by a program that did not
    // know the priming.
    let isTelling = edit.map { $0.priming > 0 || $0.frameCount != nil } ?? false
    if let pieces = Self.pieces(track, table, movieUnits: movieUnits) {
      table.apply(pieces: pieces)
      isGapless = true
    } else if let found = isTelling ? edit : comment ?? edit {
      gapless = found
      table.apply(found)
      isGapless = true
    } else if preSkip > 0 {
      gapless = GaplessLength(priming: preSkip)
      table.primingFrameCount = min(preSkip, Int(clamping: table.decodedFrameCount))
    }
    self.table = table
    tags = Self.tags(movie)
    chapters = Self.chapters(movie)
  }

  /// Returns true if a track of an index states more packets than the file has bytes.
  static func namesTooMany(index: ArraySlice<UInt8>, length: Int64) -> Bool {
    MP4Box.all(in: index).contains { track in
      track.name == "trak"
        && track.child("mdia", "minf", "stbl").map {
          MP4Samples.namesTooMany($0, length: length)
        } ?? false
    }
  }

  /// The layers that the index states, best first.
  var layers: [SoundLayer] {
    if [.aac, .aacHE, .aacHEv2].contains(codec), let config = AudioSpecificConfig(cookie) {
      return config.layers
    }
    return [
      SoundLayer(
        codec: codec, hertz: codecHertz ?? table.hertz, channelCount: channelCount,
        framesPerPacket: table.packets.first?.frameCount ?? framesPerPacket)
    ]
  }

  private static func trackID(_ track: MP4Box) -> Int {
    guard let header = track.child("tkhd")?.content else { return 0 }
    return header.number(header.first == 1 ? 20 : 12, 4) ?? 0
  }

  private static func fragmentedLength(_ movie: MP4Box) -> Int? {
    guard let header = movie.child("mvex", "mehd")?.content else { return nil }
    return header.number(4, header.first == 1 ? 8 : 4).flatMap { $0 > 0 ? $0 : nil }
  }

  private static func timeScale(_ header: MP4Box) -> (units: Int, duration: Int)? {
    let isLong = header.content.first == 1
    guard let units = header.content.number(isLong ? 20 : 12, 4),
      let duration = header.content.number(isLong ? 24 : 16, isLong ? 8 : 4)
    else { return nil }
    return (units, duration)
  }

  private static func sound(_ track: MP4Box) -> (MP4Box, MP4SoundEntry)? {
    guard let media = track.child("mdia"),
      let handler = media.child("hdlr"), handler.content.count >= 12,
      MP4Box.latin(handler.content.dropFirst(8).prefix(4)) == "soun",
      let descriptions = media.child("minf", "stbl", "stsd")
    else { return nil }
    // A second description would require another decoder within the track.
    let entries = MP4Box.all(in: descriptions.content.dropFirst(8))
    guard entries.count == 1, let entry = MP4SoundEntry(entries[0]) else { return nil }
    return (track, entry)
  }

  /// The frames that an edit list with one part removes; nil if the list is empty or has several
  /// parts.
  ///
  /// Its length is in the movie's units, which can be as coarse as a millisecond. If it differs
  /// from the length of the track by less than a unit, it is taken as the whole track.
  private static func edit(
    _ track: MP4Box, _ table: PacketTable, movieUnits: Int
  ) -> GaplessLength? {
    guard let list = track.child("edts", "elst")?.content, list.number(4, 4) == 1 else {
      return nil
    }
    let isLong = list.first == 1
    guard let length = list.number(8, isLong ? 8 : 4),
      let start = list.signed(isLong ? 16 : 12, isLong ? 8 : 4), start >= 0, start < 1 << 40,
      length < 1 << 50, movieUnits > 0
    else { return nil }
    let whole = table.decodedFrameCount - Int64(start)
    // The stated numbers are below 2⁵⁰ and 2³², so all products fit into 128 bits.
    let wide = Int128(length) * Int128(table.hertz) / Int128(movieUnits)
    let frames = Int64(clamping: wide)
    let distance = (wide - Int128(whole)).magnitude
    let isWhole = length == 0 || distance * UInt128(movieUnits) < 2 * UInt128(table.hertz)
    return GaplessLength(
      priming: start, remainder: isWhole ? 0 : nil, frameCount: isWhole ? nil : Int(frames))
  }
}

extension MP4Sound {
  /// The parts of an edit list with more than one part, as in joined files; nil if it has one, or
  /// plays parts twice, out of order or at another speed.
  private static func pieces(
    _ track: MP4Box, _ table: PacketTable, movieUnits: Int
  ) -> [Range<Int64>]? {
    guard let list = track.child("edts", "elst")?.content, let count = list.number(4, 4),
      count > 1, movieUnits > 0
    else { return nil }
    let (width, size) = list.first == 1 ? (8, 20) : (4, 12)
    guard count <= (list.count - 8) / size else { return nil }
    var (pieces, end) = ([Range<Int64>](), 0)
    for place in 0..<count {
      guard let length = list.number(8 + size * place, width),
        let start = list.signed(8 + size * place + width, width), start >= end, start < 1 << 40,
        length < 1 << 50, list.number(8 + size * place + 2 * width, 4) == 0x10000
      else { return nil }
      let frames = Int128(length) * Int128(table.hertz) / Int128(movieUnits)
      end = Int(clamping: Int128(start) + frames)
      pieces.append(Int64(start)..<Int64(end))
    }
    return pieces
  }

  private static func list(_ movie: MP4Box) -> [MP4Box] {
    guard let user = movie.child("udta") else { return [] }
    // The box `meta` of QuickTime does not have a version before its boxes.
    let meta = user.child("meta")
    let found = meta?.dropping(4).child("ilst") ?? meta?.child("ilst")
    return found.map { MP4Box.all(in: $0.content) } ?? []
  }

  private static func text(_ item: MP4Box) -> String? {
    item.child("data").map { String(decoding: $0.content.dropFirst(8), as: UTF8.self) }
  }

  /// The texts that have a name instead of four characters.
  private static func freeTexts(_ movie: MP4Box) -> [String: String] {
    var texts: [String: String] = [:]
    for item in list(movie) where item.name == "----" {
      guard let name = item.child("name") else { continue }
      texts[String(decoding: name.content.dropFirst(4), as: UTF8.self)] = text(item)
    }
    return texts
  }

  static let tagNames: [String: SoundFileMetadata.Tag] = [
    "©nam": .title, "©ART": .artist, "©alb": .album, "©gen": .genre, "©day": .date,
    "©cmt": .comment, "cprt": .copyright, "©too": .software,
  ]

  private static func tags(_ movie: MP4Box) -> [SoundFileMetadata.Tag: String] {
    var tags: [SoundFileMetadata.Tag: String] = [:]
    for item in list(movie) {
      if item.name == "trkn", let data = item.child("data")?.content,
        let number = data.number(10, 2), number > 0
      {
        let total = data.number(12, 2) ?? 0
        tags[.trackNumber] = total > 0 ? "\(number)/\(total)" : "\(number)"
      } else if let tag = tagNames[item.name], let text = text(item), !text.isEmpty {
        tags[tag] = text
      }
    }
    return tags
  }

  private static func chapters(_ movie: MP4Box) -> [(time: Int64, title: String)] {
    guard let list = movie.child("udta", "chpl")?.content else { return [] }
    // Version 1 has four more bytes before the number of chapters.
    var place = list.first == 1 ? 9 : 5
    var chapters: [(time: Int64, title: String)] = []
    while let time = list.number(place, 8), let count = list.number(place + 8, 1),
      place + 9 + count <= list.count, chapters.count < 255
    {
      let title = list.dropFirst(place + 9).prefix(count)
      chapters.append((Int64(time), String(decoding: title, as: UTF8.self)))
      place += 9 + count
    }
    return chapters
  }
}
