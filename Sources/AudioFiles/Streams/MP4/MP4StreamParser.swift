// SPDX-License-Identifier: Apache-2.0

/// Finds packets in MP4, M4A and QuickTime files with the index before the sound or in fragments.
///
/// If the index is after the sound, its position is known when the sound starts. A file whose codec
/// or order is not supported must be received completely.
///
/// Sources: ISO/IEC 14496-12 (boxes, fragments, segments), 23000-19 (CMAF).
struct MP4StreamParser: StreamParsing {
  var window: ByteWindow
  /// The position to which offsets in an index are relative.
  var origin: Int64
  var movie: MP4Movie?
  /// The index of the next packet in the movie's table.
  var next = 0
  /// The samples of the fragment, and the index of the next one.
  var samples: [MP4Fragment.Sample] = []
  var nextSample = 0
  /// The end of the box that is being read; nil at the header of a box.
  private var boxEnd: Int64?
  /// True if the next bytes can be within a box.
  private var isSearching = false
  /// The decoding time that is expected next; nil if any time is accepted.
  var expectedTime: Int64?
  /// The time of the first sample of the stream.
  var firstTime: Int64?
  var segments: MP4SegmentIndex?
  /// The positions of the fragments so far, and their first frames.
  var fragments: [(offset: Int64, frame: Int64)] = []
  var indexOffset: Int64?
  var needsWholeFile = false
  /// True if the sound starts before its index.
  private(set) var hasLateIndex = false

  init(at offset: Int64) { (window, origin) = (ByteWindow(at: offset), offset) }

  /// The names of boxes with which a file or a segment can start.
  private static let beginnings: Set<String> = [
    "ftyp", "styp", "moov", "moof", "sidx", "mdat", "free", "skip", "wide", "pnot", "emsg", "prft",
  ]

  static func recognizes(_ beginning: ArraySlice<UInt8>, isWhole: Bool) -> Bool? {
    guard beginning.count >= 8 else { return isWhole ? false : nil }
    return beginnings.contains(MP4Box.latin(beginning.dropFirst(4).prefix(4)))
  }

  var endOffset: Int64 { window.endOffset }

  mutating func pass() -> Int64 { window.pass() }

  mutating func append(_ bytes: [UInt8], _ ledger: inout PacketLedger) {
    window.append(bytes)
    while !window.isSkipping, step(&ledger) {}
  }

  mutating func move(to offset: Int64, _ ledger: inout PacketLedger) {
    window.move(to: offset)
    forgetFragment()
    guard let movie else {
      (boxEnd, isSearching) = (nil, false)
      return
    }
    next = Self.packet(at: offset, of: movie.table)
    if next < movie.table.packets.count {
      (boxEnd, isSearching) = (.max, false)
    } else {
      (boxEnd, isSearching) = (nil, movie.isFragmented)
      if !movie.isFragmented { boxEnd = .max }
    }
  }

  mutating func noteDiscontinuity(_ ledger: inout PacketLedger) {
    window.clear()
    forgetFragment()
    // The positions in an index are those of a file without gaps.
    next = movie?.table.packets.count ?? 0
    (boxEnd, isSearching) = (nil, true)
  }

  mutating func finish(_ ledger: inout PacketLedger) {
    if isSearching { ledger.strayByteCount += Int64(window.count) }
    window.drop(window.count)
  }

  mutating func forgetFragment() {
    (samples, nextSample, expectedTime) = ([], 0, nil)
  }

  /// The index of the first packet at or after a position.
  private static func packet(at offset: Int64, of table: PacketTable) -> Int {
    var (low, high) = (0, table.packets.count)
    while low < high {
      let middle = (low + high) / 2
      if table.packets[middle].offset < offset { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension MP4StreamParser {
  /// The maximum sizes of indexes, which are stored until they are complete.
  private static let limits: [String: Int] = ["moov": 1 << 26, "moof": 1 << 24, "sidx": 1 << 20]

  /// Reads a box, or a packet in it; returns false if more bytes are needed.
  private mutating func step(_ ledger: inout PacketLedger) -> Bool {
    guard window.count > 0 else { return false }
    if isSearching { return search(&ledger) }
    guard let end = boxEnd else { return enterBox(&ledger) }
    if let isTaken = takePacket(before: end, &ledger) { return isTaken }
    return leaveBox(endingAt: end)
  }

  /// Skips to the next box with which a segment can start.
  private mutating func search(_ ledger: inout PacketLedger) -> Bool {
    let bytes = window.unread
    var place = bytes.startIndex
    var isFound = false
    while bytes.endIndex - place >= 8 {
      isFound = Self.beginsSegment(bytes[place...])
      if isFound { break }
      place += 1
    }
    let count = place - bytes.startIndex
    if !ledger.needsPlace { ledger.strayByteCount += Int64(count) }
    window.drop(count)
    if isFound { isSearching = false }
    return isFound
  }

  private static func beginsSegment(_ bytes: ArraySlice<UInt8>) -> Bool {
    let letter = bytes[bytes.startIndex + 4]
    guard letter == UInt8(ascii: "m") || letter == UInt8(ascii: "s") || letter == UInt8(ascii: "f"),
      let size = bytes.number(0, 4), (8...1 << 26).contains(size)
    else { return false }
    return ["moof", "moov", "ftyp", "styp", "sidx"].contains(
      MP4Box.latin(bytes.dropFirst(4).prefix(4)))
  }

  /// Reads the header of a box, and the box itself if it belongs to an index.
  private mutating func enterBox(_ ledger: inout PacketLedger) -> Bool {
    let bytes = window.unread
    guard let size = bytes.number(0, 4), bytes.count >= (size == 1 ? 16 : 8) else { return false }
    let head = size == 1 ? 16 : 8
    let wide = size == 1 ? bytes.number(8, 8) ?? .max : size
    guard wide == 0 || (head..<1 << 60).contains(wide) else {
      isSearching = true
      ledger.isDiscontinuous = true
      return true
    }
    let (sum, overflows) = window.offset.addingReportingOverflow(Int64(wide))
    let end = wide == 0 || overflows ? .max : sum
    let name = MP4Box.latin(bytes.dropFirst(4).prefix(4))
    if let limit = Self.limits[name] {
      guard wide == 0 || wide > limit else {
        guard bytes.count >= wide else { return false }
        read(MP4Box(name: name, content: bytes.dropFirst(head).prefix(wide - head)), end, &ledger)
        window.drop(wide)
        return true
      }
      if name == "moov", movie == nil { needsWholeFile = true }
    }
    if name == "ftyp" { origin = window.offset }
    if name == "mdat", movie == nil {
      needsWholeFile = true
      indexOffset = wide == 0 ? nil : end
      hasLateIndex = true
    }
    boxEnd = end
    window.drop(head)
    return true
  }

  private mutating func read(_ box: MP4Box, _ end: Int64, _ ledger: inout PacketLedger) {
    switch box.name {
    case "moov": readIndex(box.content, end, &ledger)
    case "moof": readFragment(box, &ledger)
    default: segments = segments ?? MP4SegmentIndex(box.content, endingAt: end)
    }
  }

  private mutating func leaveBox(endingAt end: Int64) -> Bool {
    guard end == .max else {
      window.drop(end - window.offset)
      boxEnd = nil
      return true
    }
    // After a move into the sound, the position of the next box is unknown.
    guard movie?.isFragmented == true else {
      window.drop(window.count)
      return false
    }
    (boxEnd, isSearching) = (nil, true)
    return true
  }
}
