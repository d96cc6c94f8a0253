// SPDX-License-Identifier: Apache-2.0

/// Finds the frames and comments of consecutive FLAC streams.
///
/// Frames contain their numbers, so positions are exact even after a move or a gap.
///
/// Source: RFC 9639.
struct FLACStreamParser: StreamParsing {
  private enum State {
    /// A stream must start here.
    case start
    case metadata(FLACBlockReader)
    case frames
  }

  private var window: ByteWindow
  private var state = State.start
  private(set) var stream: FLACStreamBlock?
  private(set) var seekTable = FLACSeekTable()
  private(set) var count = FLACFrameCount()
  /// The position of the first frame of the stream.
  private(set) var dataOffset: Int64 = 0
  private var search: FLACFrameSearch?
  private var newTags: [SoundFileMetadata.Tag: String] = [:]

  init(at offset: Int64) { window = ByteWindow(at: offset) }

  static func recognizes(_ beginning: ArraySlice<UInt8>, isWhole: Bool) -> Bool? {
    matches("fLaC", in: beginning) ?? (isWhole ? false : nil)
  }

  /// True if a stream starts here, by its signature and the header of its first block.
  static func isStreamMark(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.first == UInt8(ascii: "f") && bytes.starts(with: "fLaC".utf8)
      && bytes.number(4, 4).map { $0 & 0x7FFF_FFFF } == FLACStreamBlock.byteCount
  }

  var endOffset: Int64 { window.endOffset }

  mutating func append(_ bytes: [UInt8], _ ledger: inout PacketLedger) {
    window.append(bytes)
    parse(&ledger)
  }

  mutating func move(to offset: Int64, _ ledger: inout PacketLedger) {
    window.move(to: offset)
    resume()
  }

  mutating func noteDiscontinuity(_ ledger: inout PacketLedger) {
    window.clear()
    resume()
  }

  mutating func finish(_ ledger: inout PacketLedger) {
    parse(&ledger)
    drop(stray: window.count, &ledger)
  }

  mutating func pass() -> Int64 { window.pass() }

  private mutating func resume() {
    search?.restart()
    count.noteGap()
    state = search == nil ? .start : .frames
  }
}

extension FLACStreamParser {
  private mutating func parse(_ ledger: inout PacketLedger) {
    while window.count > 0, step(&ledger) {}
  }

  /// Parses one unit; returns false if more bytes are needed.
  private mutating func step(_ ledger: inout PacketLedger) -> Bool {
    switch state {
    case .start: return findStart(&ledger)
    case .metadata(var metadata):
      state = .start
      guard metadata.read(&window) else {
        state = .metadata(metadata)
        return false
      }
      end(metadata)
      return true
    case .frames: return readFrames(&ledger)
    }
  }

  private mutating func findStart(_ ledger: inout PacketLedger) -> Bool {
    let bytes = window.unread
    switch Self.matches("fLaC", in: bytes) {
    case nil where !ledger.isFinished: return false
    case true?: beginStream()
    default:
      let next = bytes.dropFirst().firstIndex(of: UInt8(ascii: "f")) ?? bytes.endIndex
      drop(stray: next - bytes.startIndex, &ledger)
    }
    return true
  }

  private mutating func beginStream() {
    window.drop(4)
    (stream, search) = (nil, nil)
    state = .metadata(FLACBlockReader())
  }

  /// Ends the metadata.
  ///
  /// Frames without STREAMINFO cannot be read.
  private mutating func end(_ metadata: FLACBlockReader) {
    guard let found = metadata.stream else { return }
    (stream, seekTable) = (found, metadata.seekTable)
    newTags = metadata.tags
    state = .frames
  }

  private mutating func drop(stray count: Int, _ ledger: inout PacketLedger) {
    window.drop(count)
    ledger.strayByteCount += Int64(count)
  }
}

extension FLACStreamParser {
  private mutating func readFrames(_ ledger: inout PacketLedger) -> Bool {
    guard let stream else { return false }
    if search == nil { beginFrames(stream, &ledger) }
    guard var search else { return false }
    self.search = nil
    let stop = search.advance(in: window.unread, isFinished: ledger.isFinished)
    if case .frame(let frame) = stop { take(frame, stream, &search, &ledger) }
    // Bytes before the first candidate are not part of a frame.
    skip(upTo: search.needed, &search, &ledger)
    self.search = search
    switch stop {
    case .frame: return true
    case .mark: return readMark(&ledger)
    case .end: return false
    }
  }

  private mutating func beginFrames(_ stream: FLACStreamBlock, _ ledger: inout PacketLedger) {
    // The stream was possibly read before.
    if window.offset == dataOffset { count.noteGap() } else { count.begin(ledger) }
    dataOffset = window.offset
    search = FLACFrameSearch(stream)
    ledger.begin(properties(stream))
    ledger.announce(newTags)
  }

  private mutating func skip(
    upTo index: Int, _ search: inout FLACFrameSearch, _ ledger: inout PacketLedger
  ) {
    guard index > 0 else { return }
    drop(stray: index, &ledger)
    search.drop(index)
    ledger.isDiscontinuous = true
    count.noteGap()
  }

  private mutating func take(
    _ frame: FLACFrameSearch.Frame, _ stream: FLACStreamBlock, _ search: inout FLACFrameSearch,
    _ ledger: inout PacketLedger
  ) {
    skip(upTo: frame.range.lowerBound, &search, &ledger)
    let size = frame.range.count
    count.locate(frame.header, in: stream, at: window.offset, &ledger)
    ledger.add(
      FoundPacket(
        offset: window.offset, byteCount: size, bytes: window.unread.prefix(size),
        frameCount: frame.header.blockSize,
        time: FLACFrameCount.sample(frame.header, in: stream)))
    window.drop(size)
    search.drop(size)
  }

  /// Starts another stream, or skips a tag.
  private mutating func readMark(_ ledger: inout PacketLedger) -> Bool {
    let bytes = window.unread
    guard TrailingTag.begins(bytes) else {
      beginStream()
      return true
    }
    guard let size = TrailingTag.byteCount(bytes) else {
      guard ledger.isFinished else { return false }
      drop(stray: window.count, &ledger)
      return true
    }
    window.drop(size)
    search?.restart(isBoundary: true)
    return true
  }

  private func properties(_ stream: FLACStreamBlock) -> SoundStream.Properties {
    let layer = SoundLayer(
      codec: .flac, hertz: stream.hertz, channelCount: stream.channelCount,
      framesPerPacket: stream.fixedBlock ?? 0)
    let packets = stream.fixedBlock.flatMap { size in
      stream.frameCount.map { Int(($0 + Int64(size) - 1) / Int64(size)) }
    }
    return SoundStream.Properties(
      kind: .flac, layers: [layer], magicCookie: stream.bytes, dataOffset: dataOffset,
      packetCount: packets, framesPerPacket: stream.fixedBlock ?? 0)
  }
}
