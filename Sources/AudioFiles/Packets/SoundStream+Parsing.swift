// SPDX-License-Identifier: Apache-2.0

extension SoundStream {
  /// Takes as many packets as there are of what waits.
  mutating func parse() {
    var start = 0
    while let step = step(at: start) { start += step }
    drop(start)
  }

  /// Forgets the first bytes that wait.
  private mutating func drop(_ count: Int) {
    waiting.removeFirst(count)
    waitingOffset += Int64(count)
  }

  /// Leaves out what is still to come of a tag, unseen; returns where the bytes behind all that was
  /// put in, or left out, begin.
  mutating func passTag() -> Int64 {
    // While a tag is left out, nothing waits.
    waitingOffset += toSkip
    toSkip = 0
    return waitingOffset + Int64(waiting.count)
  }

  /// Goes on at another byte of the stream.
  mutating func move(to offset: Int64) {
    waiting.removeAll()
    (waitingOffset, toSkip) = (offset, 0)
    (isDiscontinuous, needsPlace, isFinished) = (true, true, false)
  }

  /// Does one thing with the bytes at a place; returns how many are done with, or nil where more
  /// are needed.
  private mutating func step(at start: Int) -> Int? {
    let left = waiting.count - start
    if toSkip > 0 {
      let count = Int(min(toSkip, Int64(left)))
      toSkip -= Int64(count)
      return count > 0 ? count : nil
    }
    guard left > 0, left >= Self.lookahead || isFinished else { return nil }
    let rest = waiting[start...]
    if let tag = Self.tagByteCount(rest) {
      toSkip = tag
      return 0
    }
    return framing == nil ? begin(rest) : proceed(rest)
  }

  /// What every header and every beginning of a tag fits in.
  private static let lookahead = 32

  /// What tags begin with.
  private static let tagLetters = Array("ITA".utf8)

  /// The bytes of a tag that begins here; nil where none does.
  ///
  /// Sources: ID3 2.4.0, 3.1; ID3v1; APE tag 2.0.
  private static func tagByteCount(_ bytes: ArraySlice<UInt8>) -> Int64? {
    // Of a packet nothing is copied here.
    guard let first = bytes.first, Self.tagLetters.contains(first) else { return nil }
    let head = Array(bytes.prefix(lookahead))
    if head.starts(with: Array("ID3".utf8)), head.count >= 10 {
      let size = head[6..<10].reduce(0) { $0 << 7 | Int64($1 & 0x7F) }
      return size + (head[5] & 0x10 == 0 ? 10 : 20)
    }
    if head.starts(with: Array("TAG".utf8)) { return 128 }
    guard head.starts(with: Array("APETAGEX".utf8)), head.count == lookahead else { return nil }
    let size = head[12..<16].reversed().reduce(0) { $0 << 8 | Int64($1) }
    // A footer, which has no tag behind it, or a header, whose size leaves itself out.
    return head[23] & 0x20 == 0 ? Int64(lookahead) : size + Int64(lookahead)
  }

  /// Looks for a first packet that another follows.
  private mutating func begin(_ bytes: ArraySlice<UInt8>) -> Int? {
    guard bytes.first == 0xFF,
      let found = Self.beginning(at: bytes),
      let packet = found.packet(at: bytes)
    else { return stray() }
    switch isFollowed(packet, bytes, found) {
    case nil: return nil
    case false?: return stray()
    case true?:
      framing = found
      return take(packet, bytes)
    }
  }

  /// Takes the next packet, where the bytes are one.
  private mutating func proceed(_ bytes: ArraySlice<UInt8>) -> Int? {
    guard bytes.first == 0xFF, let framing, let packet = framing.packet(at: bytes) else {
      isDiscontinuous = true
      return takesOtherFormats ? change(bytes) : stray()
    }
    // Where the last packet did not lead here, two in a row are asked for.
    let isSure = isDiscontinuous ? isFollowed(packet, bytes, framing) : true
    guard let isSure else { return nil }
    guard isSure else { return stray() }
    guard bytes.count >= packet.byteCount else {
      if isFinished { isDiscontinuous = true }
      return isFinished ? stray() : nil
    }
    return take(packet, bytes)
  }

  /// Looks for a packet of another format that another of it follows.
  private mutating func change(_ bytes: ArraySlice<UInt8>) -> Int? {
    guard bytes.first == 0xFF, let found = Self.beginning(at: bytes),
      let packet = found.packet(at: bytes)
    else { return stray() }
    guard let isFollowed = isFollowed(packet, bytes, found) else { return nil }
    guard isFollowed else { return stray() }
    (framing, tag) = (found, nil)
    newProperties = properties(packet, dataOffset: waitingOffset + Int64(bytes.startIndex))
    properties = newProperties
    return take(packet, bytes)
  }

  private static func beginning(at bytes: ArraySlice<UInt8>) -> (any PacketFraming)? {
    ADTSFraming.beginning(at: bytes) ?? MPEGAudioFraming.beginning(at: bytes)
  }

  private mutating func stray() -> Int {
    strayByteCount += 1
    return 1
  }

  /// Whether another packet, a tag or the end follows; nil where that is not here yet.
  private func isFollowed(
    _ packet: FramedPacket, _ bytes: ArraySlice<UInt8>, _ framing: any PacketFraming
  ) -> Bool? {
    let next = bytes.dropFirst(packet.byteCount)
    guard next.count < Self.lookahead else {
      return framing.packet(at: next) != nil || Self.tagByteCount(next) != nil
    }
    guard isFinished else { return nil }
    return bytes.count == packet.byteCount || framing.packet(at: next) != nil
      || Self.tagByteCount(next) != nil
  }

  /// Notes what a packet says, and keeps it where it holds sound; returns its bytes.
  private mutating func take(_ packet: FramedPacket, _ bytes: ArraySlice<UInt8>) -> Int {
    let offset = waitingOffset + Int64(bytes.startIndex)
    let content = bytes.prefix(packet.byteCount)
    if properties == nil {
      readTag(content)
      let isTag = tag != nil
      properties = properties(packet, dataOffset: offset + (isTag ? Int64(packet.byteCount) : 0))
      tagOffset = offset
      if isTag { return packet.byteCount }
    }
    place(offset)
    keep(packet, content, offset)
    return packet.byteCount
  }

  private mutating func readTag(_ bytes: ArraySlice<UInt8>) {
    guard let framing = framing as? MPEGAudioFraming else { return }
    tag = MP3Tag(Array(bytes), framing.first)
  }

  private func properties(_ packet: FramedPacket, dataOffset: Int64) -> Properties? {
    switch framing {
    case let framing as ADTSFraming:
      let cookie = framing.first.configuration
      let layer = SoundLayer(
        codec: .aac, hertz: packet.hertz, channelCount: framing.first.channelCount,
        framesPerPacket: packet.frameCount)
      return Properties(
        kind: .adts, layers: [layer], magicCookie: cookie, dataOffset: dataOffset,
        nominalBitrate: nil, primingFrameCount: 0, remainderFrameCount: 0, packetCount: nil,
        framesPerPacket: packet.frameCount)
    case let framing as MPEGAudioFraming:
      let layer = SoundLayer(
        codec: framing.first.codec, hertz: packet.hertz, channelCount: framing.first.channelCount,
        framesPerPacket: packet.frameCount)
      return Properties(
        kind: .mpegAudio, layers: [layer], magicCookie: [], dataOffset: dataOffset,
        nominalBitrate: nominalBitrate(framing.first),
        primingFrameCount: tag?.gapless?.priming ?? 0,
        remainderFrameCount: tag?.gapless?.remainder ?? 0, packetCount: tag?.packetCount,
        framesPerPacket: packet.frameCount)
    default: return nil
    }
  }

  /// What an encoder's counts come to; else what the first header says, of a tag or not.
  private func nominalBitrate(_ header: MPEGAudioHeader) -> Int? {
    guard let packets = tag?.packetCount, let bytes = tag?.byteCount, packets > 0 else {
      return header.bitrate
    }
    let bits = bytes.multipliedReportingOverflow(by: 8 * header.hertz)
    return bits.overflow ? nil : bits.partialValue / (packets * header.frameCount)
  }

  /// After a leap finds out which packet it was to.
  private mutating func place(_ offset: Int64) {
    guard needsPlace, let properties else { return }
    needsPlace = false
    (nextPacket, isEstimated) = packet(at: offset)
    nextFrame = Int64(nextPacket) * Int64(properties.framesPerPacket)
  }

  private mutating func keep(
    _ packet: FramedPacket, _ bytes: ArraySlice<UInt8>, _ offset: Int64
  ) {
    packets.append(
      Packet(
        offset: offset, byteCount: packet.byteCount, headerByteCount: packet.headerByteCount,
        bytes: keepsBytes ? Array(bytes.dropFirst(packet.headerByteCount)) : [],
        firstFrame: nextFrame, isEstimated: isEstimated, frameCount: packet.frameCount,
        isDiscontinuous: isDiscontinuous, newProperties: newProperties))
    newProperties = nil
    bitrate.add(byteCount: packet.byteCount, frameCount: packet.frameCount, hertz: packet.hertz)
    if !isEstimated, nextPacket == places.count, places.count < Self.placeLimit {
      places.append(offset)
    }
    isDiscontinuous = false
    nextPacket += 1
    nextFrame += Int64(packet.frameCount)
  }
}
