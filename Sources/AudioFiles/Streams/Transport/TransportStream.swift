// SPDX-License-Identifier: Apache-2.0

/// Finds the sound of a program in an MPEG transport stream, from pieces of any size.
///
/// The first program with supported sound is used. After damage, packets are found again by their
/// distance of 188 bytes. At most three packets, a table, a header, and a few tags are stored.
///
/// Source: ISO/IEC 13818-1, 2.4.
struct TransportStream: Sendable {
  /// A part of the contents, in order.
  enum Piece: Hashable, Sendable {
    /// Bytes of the elementary stream, and the position of their packet in the transport stream.
    case sound(ArraySlice<UInt8>, at: Int64)
    /// An ID3 tag for the sound that follows.
    case tag([UInt8])
    /// Bytes are missing here.
    case loss
  }

  /// The number of consecutive packets that identify a transport stream.
  private static let proof = 3
  /// The maximum number of tags that are stored until their sound arrives.
  private static let tagLimit = 16
  /// The maximum size of a tag in bytes.
  private static let tagByteLimit = 64 << 10
  private static let (associationStream, nullStream) = (0, 0x1FFF)

  /// The map of the program; nil until it is found.
  private(set) var map: ProgramMap?
  /// True if the sound is encrypted.
  private(set) var isEncrypted = false
  /// The number of bytes that are not part of a packet.
  private(set) var strayByteCount: Int64 = 0
  private var pieces: [Piece] = []
  private var waiting: [UInt8] = []
  private var waitingOffset: Int64 = 0
  private var isInStep = false
  private var isFinished = false
  private var association = SectionAssembly()
  private var mapTables = SectionAssembly()
  private var mapStream: Int?
  private var sound = ElementaryAssembly()
  private var tags = ElementaryAssembly()
  private var tagBytes: [UInt8] = []
  private var tagTime: Int64?
  private var waitingTags: [(time: Int64?, bytes: [UInt8])] = []
  private var soundTime: Int64?
  /// The last counter of each stream in use.
  private var counters: [Int: Int] = [:]

  /// True if bytes start a transport stream; nil if more bytes are needed.
  static func begins(_ bytes: some RandomAccessCollection<UInt8>) -> Bool? {
    for index in 0..<proof {
      let place = index * TransportPacket.byteCount
      guard place < bytes.count else { return nil }
      if bytes[bytes.index(bytes.startIndex, offsetBy: place)] != TransportPacket.sync {
        return false
      }
    }
    return true
  }

  /// Adds bytes.
  ///
  /// - Parameters:
  ///   - bytes: Any number of bytes.
  ///   - offset: Their position in the stream; nil if they follow the previous bytes.
  mutating func append(_ bytes: some Sequence<UInt8>, at offset: Int64? = nil) {
    if let offset, offset != waitingOffset + Int64(waiting.count) {
      noteDiscontinuity()
      waitingOffset = offset
    }
    waiting.append(contentsOf: bytes)
    parse()
  }

  /// Notes that bytes are missing before the next one.
  mutating func noteDiscontinuity() {
    waitingOffset += Int64(waiting.count)
    waiting.removeAll()
    isInStep = false
    counters = [:]
    endTag()
    sound.reset()
    tags.reset()
    association.reset()
    mapTables.reset()
    pieces.append(.loss)
  }

  /// Notes that no more bytes follow.
  mutating func finish() {
    isFinished = true
    parse()
    strayByteCount += Int64(waiting.count)
    waitingOffset += Int64(waiting.count)
    waiting.removeAll()
    endTag()
    releaseTags(upTo: nil)
  }

  /// Returns the parts that were found since the last call.
  mutating func takePieces() -> [Piece] {
    defer { pieces.removeAll() }
    return pieces
  }
}

// Packets.
extension TransportStream {
  private mutating func parse() {
    var start = 0
    while let count = step(at: start) { start += count }
    waiting.removeFirst(start)
    waitingOffset += Int64(start)
  }

  /// Processes the bytes at a position; returns the number processed, or nil if more are needed.
  private mutating func step(at start: Int) -> Int? {
    let size = TransportPacket.byteCount
    guard start + size <= waiting.count else { return nil }
    guard isInStep || isStep(at: start) ?? isFinished else {
      return isStep(at: start) == nil ? nil : stray(from: start)
    }
    guard let packet = TransportPacket(waiting[start..<start + size]) else {
      isInStep = false
      return waiting[start] == TransportPacket.sync ? size : stray(from: start)
    }
    isInStep = true
    take(packet, at: waitingOffset + Int64(start))
    return size
  }

  /// True if packets start here; nil if more bytes are needed.
  private func isStep(at start: Int) -> Bool? { Self.begins(waiting[start...]) }

  /// Skips bytes up to the next one with which a packet can start.
  private mutating func stray(from start: Int) -> Int {
    let next = waiting[(start + 1)...].firstIndex(of: TransportPacket.sync) ?? waiting.count
    strayByteCount += Int64(next - start)
    return next - start
  }

  private mutating func take(_ packet: TransportPacket, at offset: Int64) {
    guard packet.stream != Self.nullStream, !packet.isDamaged, isUsed(packet.stream),
      let payload = packet.payload
    else { return }
    switch follows(packet) {
    case .repeated: return
    case .lost: noteLoss(in: packet.stream)
    case .next: break
    }
    switch packet.stream {
    case Self.associationStream:
      for table in association.append(payload, isStart: packet.isStart) {
        mapStream = ProgramMap.mapStream(inAssociation: table) ?? mapStream
      }
    case mapStream:
      for table in mapTables.append(payload, isStart: packet.isStart) { takeMap(table) }
    case map?.soundStream: takeSound(packet, payload, at: offset)
    default: takeTag(packet, payload)
    }
  }

  private func isUsed(_ stream: Int) -> Bool {
    [Self.associationStream, mapStream, map?.soundStream, map?.tagStream].contains(stream)
  }

  private enum Order {
    case next, repeated, lost
  }

  /// Compares the counter of a packet with that of the previous packet in its stream.
  private mutating func follows(_ packet: TransportPacket) -> Order {
    defer { counters[packet.stream] = packet.counter }
    guard let last = counters[packet.stream], !packet.isDiscontinuous else { return .next }
    if packet.counter == last { return .repeated }
    return packet.counter == (last + 1) & 15 ? .next : .lost
  }

  private mutating func noteLoss(in stream: Int) {
    switch stream {
    case Self.associationStream: association.reset()
    case mapStream: mapTables.reset()
    case map?.soundStream:
      sound.noteLoss()
      pieces.append(.loss)
    default:
      tagBytes.removeAll()
      tags.reset()
    }
  }

  private mutating func takeMap(_ table: [UInt8]) {
    guard let new = ProgramMap(table), new != map else { return }
    if map != nil, map?.soundStream != new.soundStream { pieces.append(.loss) }
    if map?.soundStream != new.soundStream { sound.reset() }
    map = new
    isEncrypted = new.sound == .encrypted
  }
}

// Sound and tags.
extension TransportStream {
  private mutating func takeSound(
    _ packet: TransportPacket, _ payload: ArraySlice<UInt8>, at offset: Int64
  ) {
    guard !packet.isScrambled else {
      isEncrypted = true
      return
    }
    guard map?.sound == .framed, let part = sound.append(payload, isStart: packet.isStart) else {
      return
    }
    if let time = part.time {
      soundTime = time
      releaseTags(upTo: time)
    }
    if !part.bytes.isEmpty { pieces.append(.sound(part.bytes, at: offset)) }
  }

  private mutating func takeTag(_ packet: TransportPacket, _ payload: ArraySlice<UInt8>) {
    if packet.isStart { endTag() }
    guard !packet.isScrambled, let part = tags.append(payload, isStart: packet.isStart) else {
      return
    }
    if part.isStart { tagTime = part.time }
    guard tagBytes.count + part.bytes.count <= Self.tagByteLimit else {
      tagBytes.removeAll()
      return tags.reset()
    }
    tagBytes += part.bytes
    if Self.isWhole(tagBytes) { endTag() }
  }

  /// True if an ID3 tag is complete according to its length.
  private static func isWhole(_ bytes: [UInt8]) -> Bool {
    guard bytes.count >= 10, bytes.starts(with: "ID3".utf8) else { return false }
    let size = bytes[6..<10].reduce(0) { $0 << 7 | Int($1 & 0x7F) }
    return bytes.count >= size + (bytes[5] & 0x10 == 0 ? 10 : 20)
  }

  /// Stores a complete tag until the sound of its time arrives.
  private mutating func endTag() {
    defer { tagBytes.removeAll() }
    guard Self.isWhole(tagBytes) else { return }
    waitingTags.append((tagTime, tagBytes))
    if let soundTime { releaseTags(upTo: soundTime) }
    if waitingTags.count > Self.tagLimit { releaseTags(upTo: nil) }
  }

  /// Returns tags that are due; all of them if the time is nil.
  private mutating func releaseTags(upTo time: Int64?) {
    while let first = waitingTags.first {
      if let time, let due = first.time, !Self.isReached(due, at: time) { return }
      pieces.append(.tag(first.bytes))
      waitingTags.removeFirst()
    }
  }

  /// True if a time is not after another, modulo 2³³.
  private static func isReached(_ due: Int64, at time: Int64) -> Bool {
    (time - due) & (1 << 33 - 1) < 1 << 32
  }
}
