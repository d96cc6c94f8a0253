// SPDX-License-Identifier: Apache-2.0

/// The positions of Ogg pages, and the indices of the packets that start in them.
///
/// At most 262,144 pages are stored.
struct OggPlaces: Sendable {
  /// A page in which a packet starts.
  struct Page: Hashable {
    let offset: Int64
    /// The first frame of the packet.
    let frame: Int64
    let packet: Int
  }

  private static let limit = 1 << 18

  private var pages: [Page] = []
  private var lastOffset: Int64 = -1
  /// The size of the longest page so far.
  private var longest = 0
  /// The end of the last page.
  private var last: Page?
  /// The number of packets whose frames have been counted.
  private var countedPackets = 0
  /// The number of decoded frames that are not sound.
  private(set) var omittedFrameCount: Int64 = 0

  /// Notes the next packet of a ledger, and the number of its frames that are not sound.
  mutating func note(_ offset: Int64, _ omittedFrameCount: Int, _ ledger: PacketLedger) {
    guard !ledger.isEstimated else { return }
    if ledger.nextPacket >= countedPackets {
      self.omittedFrameCount += Int64(omittedFrameCount)
      countedPackets = ledger.nextPacket + 1
    }
    let page = Page(offset: offset, frame: ledger.nextFrame, packet: ledger.nextPacket)
    guard offset > lastOffset else { return }
    lastOffset = offset
    if pages.count < Self.limit { pages.append(page) }
  }

  /// Notes the end of a page of `byteCount` bytes.
  mutating func noteEnd(_ offset: Int64, of byteCount: Int, _ ledger: PacketLedger) {
    longest = max(longest, byteCount)
    guard !ledger.isEstimated, offset > last?.offset ?? -1, !pages.isEmpty else { return }
    last = Page(offset: offset, frame: ledger.nextFrame, packet: ledger.nextPacket)
  }

  /// Notes decoded frames at the start of a stream that are not sound.
  mutating func note(priming frameCount: Int) { omittedFrameCount += Int64(frameCount) }

  /// The last page before a position, and the first one after it.
  ///
  /// - Complexity: O(log n) in the number of pages.
  func pages(around isAtOrBefore: (Page) -> Bool) -> (before: Page?, after: Page?) {
    var (low, high) = (0, pages.count)
    while low < high {
      let middle = (low + high) / 2
      if isAtOrBefore(pages[middle]) { low = middle + 1 } else { high = middle }
    }
    return (low > 0 ? pages[low - 1] : nil, low < pages.count ? pages[low] : nil)
  }

  /// The mean number of bytes per frame; nil before the first page.
  private var bytesPerFrame: Double? {
    guard let first = pages.first, let last, last.frame > first.frame else { return nil }
    return Double(last.offset - first.offset) / Double(last.frame - first.frame)
  }

  /// The mean number of frames per packet; nil before the first page.
  var framesPerPacket: Double? {
    guard let first = pages.first, let last, last.packet > first.packet else { return nil }
    return Double(last.frame - first.frame) / Double(last.packet - first.packet)
  }

  /// The position of a page at or before a frame, usually the last such page.
  ///
  /// Positions between known pages are interpolated linearly. The result is one page earlier,
  /// because reading starts with the page after it.
  ///
  /// - Parameters:
  ///   - frame: The frame, 0 or more.
  ///   - most: The maximum number of frames between two pages that were read one after the other.
  /// - Returns: The position; nil if it is unknown.
  func place(ofFrame frame: Int64, most: Int64) -> SoundStream.Place? {
    let (before, after) = pages { $0.frame <= frame }
    guard let before = before ?? pages.first else { return nil }
    let isNear = after.map { $0.frame - before.frame <= most } ?? false
    guard !isNear, frame > before.frame else { return Self.place(before) }
    guard let end = after ?? last, end.frame > before.frame else { return nil }
    // After the end, the mean of the whole stream is better than that of the last page.
    let start = after == nil ? pages.first ?? before : before
    let rate = Double(end.offset - start.offset) / Double(max(1, end.frame - start.frame))
    let distance = Double(frame - start.frame) * rate - Double(longest)
    guard abs(distance) < 0x1p60 else { return nil }
    let (offset, overflows) = start.offset.addingReportingOverflow(Int64(distance))
    guard !overflows, offset > before.offset else { return overflows ? nil : Self.place(before) }
    return SoundStream.Place(
      offset: offset, packet: packet(at: offset, frame: frame), firstFrame: frame,
      isEstimated: true)
  }

  private static func place(_ page: Page) -> SoundStream.Place {
    SoundStream.Place(
      offset: page.offset, packet: page.packet, firstFrame: page.frame, isEstimated: false)
  }

  /// The frame at a position, from the mean size; nil if it is unknown.
  func frame(at offset: Int64) -> Int64? {
    guard let last, let bytesPerFrame, bytesPerFrame > 0 else { return nil }
    let distance = Double(offset - last.offset) / bytesPerFrame
    return abs(distance) < 0x1p60 ? max(0, last.frame &+ Int64(distance)) : nil
  }

  /// The index of the packet that starts at a position: exact if it was found before, otherwise
  /// from the mean size.
  func packet(at offset: Int64, frame: Int64) -> Int {
    if let page = pages(around: { $0.offset <= offset }).before, page.offset == offset {
      return page.packet
    }
    guard let last, let framesPerPacket else { return 0 }
    let distance = (Double(frame) - Double(last.frame)) / framesPerPacket
    return max(0, Int(clamping: last.packet &+ Int(max(-0x1p60, min(0x1p60, distance)))))
  }

  /// Sets the position of the next packet of a ledger, from the mean size.
  func estimate(at offset: Int64, _ ledger: inout PacketLedger) {
    let frame = frame(at: offset) ?? 0
    ledger.locate(packet: packet(at: offset, frame: frame), frame: frame, isEstimated: true)
  }
}
