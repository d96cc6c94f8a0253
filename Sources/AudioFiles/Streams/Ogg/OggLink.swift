// SPDX-License-Identifier: Apache-2.0

/// One logical stream of a chain, from its headers to its last page.
///
/// The granule position of a page is the end of the last packet in it. The frames of a packet
/// follow those of the previous packet. After a gap they are calculated backwards from the page's
/// position.
struct OggLink: Sendable {
  /// A packet of sound and the number of its frames.
  private struct Sound {
    let packet: OggAssembly.Packet
    let frameCount: Int
  }

  /// The granule position of the link's first frame, and the indices of that frame and of its
  /// packet in the chain.
  struct Origin {
    let position: Int64
    let frame: Int64
    let packet: Int
  }

  let serial: UInt32
  /// The position of its first page.
  let offset: Int64
  private var codec: OggCodec
  private var assembly = OggAssembly()
  /// The number of the last page; nil after a move.
  private var lastPage: UInt32?
  /// The end of the last packet; nil if it is unknown.
  private var position: Int64?
  private var hasGap = false
  private(set) var origin: Origin?
  /// The properties; nil before the first packet of sound.
  private(set) var properties: SoundStream.Properties?
  /// False if the next packet must carry the properties.
  private var isAnnounced = false
  /// True before the first packet of sound.
  private var isHeading = true

  /// Creates a link from its first page; nil if its codec is not supported.
  init?(_ page: OggPage, at offset: Int64) {
    guard let first = page.parts.first, first.isEnd, let codec = OggCodec(Array(first.bytes)) else {
      return nil
    }
    (serial, self.offset, self.codec, lastPage) = (page.serial, offset, codec, page.number)
  }

  /// Restarts at the first page, which was read before.
  mutating func restart(at page: OggPage) {
    noteMove()
    (lastPage, isHeading) = (page.number, true)
  }

  /// Notes that bytes are missing, or that reading continues elsewhere.
  mutating func noteGap() {
    assembly.reset()
    codec.reset()
    (position, hasGap) = (nil, true)
  }

  /// Notes that reading continues elsewhere, possibly after another link.
  mutating func noteMove() {
    noteGap()
    (lastPage, isAnnounced) = (nil, false)
  }

  /// Reads a page of this logical stream after the first.
  mutating func take(
    _ page: OggPage, at offset: Int64, _ places: inout OggPlaces, _ ledger: inout PacketLedger
  ) {
    if let lastPage, page.number != lastPage &+ 1 { noteGap() }
    lastPage = page.number
    let lost = assembly.lostByteCount
    var sounds: [Sound] = []
    for part in page.parts {
      if let sound = take(part, at: offset, &ledger) { sounds.append(sound) }
    }
    ledger.strayByteCount += Int64(assembly.lostByteCount - lost)
    guard let first = sounds.first else { return }
    isHeading = false
    let start = start(of: sounds, page)
    begin(first, start, page, places, &ledger)
    add(sounds, from: start, page, &places, &ledger)
  }

  /// Adds a part of a packet; returns the packet if it is complete and contains sound.
  private mutating func take(
    _ part: OggPage.Part, at offset: Int64, _ ledger: inout PacketLedger
  ) -> Sound? {
    let packet = assembly.take(part, at: offset, codec, isHeading: isHeading)
    if assembly.takeLoss() {
      codec.reset()
      (position, hasGap) = (nil, true)
    }
    guard let packet else { return nil }
    if packet.isHeader {
      codec.take(header: packet.bytes)
      return nil
    }
    guard codec.isComplete, let count = codec.frameCount(of: packet.bytes[...]) else {
      ledger.strayByteCount += Int64(packet.bytes.count)
      return nil
    }
    return Sound(packet: packet, frameCount: count)
  }

  /// The position of the first packet that ends in a page.
  ///
  /// A Vorbis stream can start before position 0; those frames are not sound.
  private func start(of sounds: [Sound], _ page: OggPage) -> Int64 {
    if let position { return position }
    guard let end = page.granule else { return origin?.position ?? 0 }
    let start = end - Int64(sounds.reduce(0) { $0 + $1.frameCount })
    let isFirst = !hasGap || (origin?.position ?? 0) < 0
    return codec.isCutAtStart && isFirst && !page.isLast ? start : max(0, start)
  }

  /// Announces the stream before its first packet, and sets the position of the first packet after
  /// a gap.
  private mutating func begin(
    _ first: Sound, _ start: Int64, _ page: OggPage, _ places: OggPlaces,
    _ ledger: inout PacketLedger
  ) {
    if hasGap, properties != nil { ledger.isDiscontinuous = true }
    if !isAnnounced {
      let new =
        properties
        ?? codec.properties(dataOffset: first.packet.offset, framesPerPacket: first.frameCount)
      (properties, isAnnounced) = (new, true)
      ledger.begin(new)
      ledger.announce(assembly.comments?.tags ?? [:])
    }
    guard let origin else {
      if ledger.needsPlace { places.estimate(at: first.packet.offset, &ledger) }
      origin = Origin(position: start, frame: ledger.nextFrame, packet: ledger.nextPacket)
      return
    }
    guard hasGap else { return }
    let distance = start.subtractingReportingOverflow(origin.position)
    let (frame, overflows) = origin.frame.addingReportingOverflow(distance.partialValue)
    guard !distance.overflow, !overflows, (0...PacketLedger.mostFrames).contains(frame) else {
      return
    }
    let packet =
      ledger.needsPlace
      ? places.packet(at: first.packet.offset, frame: frame) : ledger.nextPacket
    // The position of the last page can be before the end of its packets.
    ledger.locate(
      packet: packet, frame: frame, isEstimated: page.isLast && codec.isCutAtEnd)
  }

  /// Adds the packets of a page.
  private mutating func add(
    _ sounds: [Sound], from start: Int64, _ page: OggPage, _ places: inout OggPlaces,
    _ ledger: inout PacketLedger
  ) {
    let count = Int64(sounds.reduce(0) { $0 + $1.frameCount })
    let end = start.addingReportingOverflow(count).partialValue
    let soundEnd = soundEnd(end, page)
    position = page.granule ?? end
    hasGap = false
    var place = start
    for sound in sounds {
      let (packet, count) = (sound.packet, sound.frameCount)
      let omitted = omittedFrames(at: place, count, soundEnd: soundEnd)
      places.note(packet.offset, omitted.reduce(0) { $0 + $1.count }, ledger)
      ledger.add(
        FoundPacket(
          offset: packet.offset, byteCount: packet.bytes.count, bytes: packet.bytes[...],
          frameCount: count, time: place, omittedFrames: omitted))
      place = place.addingReportingOverflow(Int64(count)).partialValue
    }
  }

  /// The end of the sound, which can be before the end of the last page's packets.
  private func soundEnd(_ end: Int64, _ page: OggPage) -> Int64 {
    guard page.isLast, codec.isCutAtEnd, position != nil || !hasGap, let granule = page.granule
    else { return end }
    return min(end, granule)
  }

  private func omittedFrames(at place: Int64, _ count: Int, soundEnd: Int64) -> [Range<Int>] {
    let before = Int(clamping: min(Int64(count), max(0, -place)))
    let left = soundEnd.subtractingReportingOverflow(place).partialValue
    let kept = max(before, min(count, Int(clamping: max(0, left))))
    return [0..<before, kept..<count].filter { !$0.isEmpty }
  }
}
