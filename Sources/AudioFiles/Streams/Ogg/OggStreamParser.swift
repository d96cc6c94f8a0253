// SPDX-License-Identifier: Apache-2.0

/// Finds packets of Vorbis, Opus and FLAC in Ogg.
///
/// If several logical streams are multiplexed, the first one with sound is read. Streams can follow
/// one another in a chain. Pages contain their positions, so the frames of packets are exact even
/// after a move or a gap.
///
/// Sources: RFC 3533; RFC 7845; Vorbis I specification, appendix A; RFC 9639, section 10.1.
struct OggStreamParser: StreamParsing {
  private static let linkLimit = 16

  private var window: ByteWindow
  private var link: OggLink?
  /// The links that were read before, for moves.
  private var otherLinks: [OggLink] = []
  /// True while the first pages of logical streams arrive.
  private var isBeginning = false
  private var hasMoved = false
  private(set) var places = OggPlaces()

  init(at offset: Int64) { window = ByteWindow(at: offset) }

  static func recognizes(_ beginning: ArraySlice<UInt8>, isWhole: Bool) -> Bool? {
    matches("OggS", in: beginning) ?? (isWhole ? false : nil)
  }

  var endOffset: Int64 { window.endOffset }

  mutating func append(_ bytes: [UInt8], _ ledger: inout PacketLedger) {
    ledger.keepsPlaces = false
    window.append(bytes)
    parse(&ledger)
  }

  mutating func move(to offset: Int64, _ ledger: inout PacketLedger) {
    window.move(to: offset)
    link?.noteMove()
    (isBeginning, hasMoved) = (false, true)
  }

  mutating func noteDiscontinuity(_ ledger: inout PacketLedger) {
    window.clear()
    link?.noteGap()
    isBeginning = false
  }

  mutating func finish(_ ledger: inout PacketLedger) {
    parse(&ledger)
    drop(stray: window.count, &ledger)
  }

  private mutating func drop(stray count: Int, _ ledger: inout PacketLedger) {
    window.drop(count)
    ledger.strayByteCount += Int64(count)
  }
}

extension OggStreamParser {
  private mutating func parse(_ ledger: inout PacketLedger) {
    while window.count > 0 {
      let bytes = window.unread
      switch OggPage.search(at: bytes) {
      case .page(let page):
        take(page, &ledger)
        window.drop(page.byteCount)
      case .incomplete where !ledger.isFinished: return
      case .incomplete, .nothing:
        let next = bytes.dropFirst().firstIndex(of: UInt8(ascii: "O")) ?? bytes.endIndex
        drop(stray: next - bytes.startIndex, &ledger)
      }
    }
  }

  private mutating func take(_ page: OggPage, _ ledger: inout PacketLedger) {
    if page.isFirst { return begin(page) }
    isBeginning = false
    if hasMoved, page.serial != link?.serial { selectLink(page.serial) }
    guard var link, page.serial == link.serial else { return }
    self.link = nil
    hasMoved = false
    let isNew = link.properties == nil
    link.take(page, at: window.offset, &places, &ledger)
    if isNew, let properties = link.properties {
      places.note(priming: properties.primingFrameCount)
    }
    places.noteEnd(window.offset + Int64(page.byteCount), of: page.byteCount, ledger)
    self.link = link
  }

  /// Reads the first page of a logical stream.
  private mutating func begin(_ page: OggPage) {
    if !isBeginning {
      isBeginning = true
      if let link { remember(link) }
      link = nil
    }
    guard link == nil, let new = OggLink(page, at: window.offset) else { return }
    link = new
    guard
      let known = otherLinks.firstIndex(where: {
        $0.offset == new.offset && $0.serial == new.serial
      })
    else { return }
    link = otherLinks.remove(at: known)
    link?.restart(at: page)
  }

  private mutating func remember(_ link: OggLink) {
    guard link.properties != nil, !otherLinks.contains(where: { $0.offset == link.offset }) else {
      return
    }
    if otherLinks.count == Self.linkLimit { otherLinks.removeFirst() }
    otherLinks.append(link)
  }

  /// After a move, continues with another link whose headers are known.
  private mutating func selectLink(_ serial: UInt32) {
    guard let index = otherLinks.lastIndex(where: { $0.serial == serial }) else { return }
    let found = otherLinks.remove(at: index)
    if let link { remember(link) }
    link = found
    link?.noteMove()
  }
}

extension OggStreamParser {
  func packetCount(_ ledger: PacketLedger) -> (value: Int, isEstimated: Bool)? {
    if ledger.isFinished, !ledger.isEstimated { return (ledger.nextPacket, false) }
    guard let frames = estimatedFrames(ledger), let mean = places.framesPerPacket, mean > 0 else {
      return nil
    }
    return (Int(min(0x1p60, Double(frames) / mean).rounded()), true)
  }

  func frameCount(_ ledger: PacketLedger) -> (value: Int64, isEstimated: Bool)? {
    if ledger.isFinished, !ledger.isEstimated {
      return (max(0, ledger.nextFrame - places.omittedFrameCount), false)
    }
    return estimatedFrames(ledger).map { (max(0, $0 - places.omittedFrameCount), true) }
  }

  private func estimatedFrames(_ ledger: PacketLedger) -> Int64? {
    ledger.byteCount.flatMap { places.frame(at: $0) }
  }

  func place(ofPacket packet: Int, _ ledger: PacketLedger) -> SoundStream.Place? {
    guard let mean = places.framesPerPacket else { return nil }
    let around = places.pages { $0.packet <= packet }
    if let before = around.before, around.after != nil || packet == before.packet {
      let frame = Double(before.frame) + Double(packet - before.packet) * mean
      return place(ofFrame: Int64(min(frame, 0x1p60)), ledger)
    }
    let frame = Double(packet) * mean
    return frame < 0x1p60 ? place(ofFrame: Int64(frame), ledger) : nil
  }

  func place(ofFrame frame: Int64, _ ledger: PacketLedger) -> SoundStream.Place? {
    guard let properties = ledger.properties else { return nil }
    if let end = frameEnd(ledger), frame >= end { return nil }
    // The first Vorbis packet after a move does not produce frames.
    let isVorbis = properties.statedLayers[0].codec == .vorbis
    let early = isVorbis ? max(0, frame - Int64(VorbisTiming.mostFrames)) : frame
    guard let place = places.place(ofFrame: early, most: Int64(8 * properties.hertz)) else {
      return nil
    }
    if let byteCount = ledger.byteCount, place.offset >= byteCount { return nil }
    return place
  }

  /// The end of the stream, exact or from the mean size; nil if it is unknown.
  private func frameEnd(_ ledger: PacketLedger) -> Int64? {
    ledger.isFinished && !ledger.isEstimated ? ledger.nextFrame : estimatedFrames(ledger)
  }
}
