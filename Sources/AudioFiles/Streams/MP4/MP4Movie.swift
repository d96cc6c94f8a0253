// SPDX-License-Identifier: Apache-2.0

/// The index of an MP4 stream (`moov`), with its packets in frames.
struct MP4Movie: Sendable {
  /// The packets in the index; none in a file that consists of fragments.
  let table: PacketTable
  /// The conversion of times to frames.
  let timing: MP4Timing
  /// True if the file can have fragments.
  let isFragmented: Bool
  /// The number of the sound track.
  let trackID: Int
  /// The defaults of fragments by track.
  let fragmentDefaults: [Int: MP4FragmentDefaults]
  /// The tags of the file.
  let tags: [SoundFileMetadata.Tag: String]
  /// The number of decoded frames before the sound.
  let primingFrameCount: Int
  /// The end of the sound, as a decoded frame; nil if it is unknown.
  let soundEnd: Int64?
  /// The number of frames of sound of a fragmented file, and true if it is an estimate; nil if the
  /// file does not state it.
  let statedFrameCount: (value: Int64, isEstimated: Bool)?
  /// False if packets are not in the order of their positions, so that a stream must be complete to
  /// be read.
  let isOrdered: Bool
  private let layers: [SoundLayer]
  private let cookie: [UInt8]

  /// Reads an index; nil unless it has a sound track with a supported codec.
  ///
  /// - Parameters:
  ///   - content: The content of the box `moov`.
  ///   - origin: The position in the stream to which offsets in the index are relative.
  ///   - length: The size of the file in bytes, or a larger number if it is unknown.
  init?(_ content: ArraySlice<UInt8>, origin: Int64, length: Int64) {
    guard let sound = MP4Sound(index: content, length: length) else { return nil }
    (layers, cookie, tags) = (sound.layers, sound.cookie, sound.tags)
    (trackID, fragmentDefaults) = (sound.trackID, sound.fragmentDefaults)
    isFragmented = !sound.fragmentDefaults.isEmpty
    let timing = MP4Timing(sound)
    let counted = timing.isExact ? sound.table : Self.converted(sound, timing)
    let table = origin == 0 ? counted : Self.moved(counted, by: origin)
    let gapless = sound.gapless.map { timing.isExact ? $0 : Self.converted($0, timing) }
    if isFragmented {
      primingFrameCount = gapless?.priming ?? 0
      soundEnd = gapless.flatMap { gapless in
        gapless.frameCount.map { Int64(gapless.priming) + Int64($0) }
      }
    } else {
      (primingFrameCount, soundEnd) = (table.primingFrameCount, table.soundEnd)
    }
    statedFrameCount = sound.fragmentedLength.map { length in
      let frames = Int128(length.value) * Int128(timing.hertz) / Int128(max(1, length.units))
      return (Int64(clamping: frames), length.units != timing.hertz)
    }
    isOrdered = zip(table.packets, table.packets.dropFirst()).allSatisfy { $0.offset <= $1.offset }
    (self.table, self.timing) = (table, timing)
  }

  /// The properties of the stream.
  ///
  /// - Parameter dataOffset: The position of the sound if the index does not state it.
  /// - Returns: The properties, without the frames after the sound, which the packets state.
  func properties(dataOffset: Int64) -> SoundStream.Properties {
    let bitrate = table.bitsPerSecond
    return SoundStream.Properties(
      kind: .mp4, layers: layers, magicCookie: cookie,
      dataOffset: table.packets.first?.offset ?? dataOffset, hertz: timing.hertz,
      nominalBitrate: bitrate > 0 && bitrate < 1e12 ? Int(bitrate) : nil,
      primingFrameCount: primingFrameCount,
      packetCount: isFragmented ? nil : table.packets.count,
      framesPerPacket: table.packets.first?.frameCount ?? framesPerPacket)
  }

  /// The number of frames in a packet of a fragment; 0 if it is unknown.
  private var framesPerPacket: Int {
    guard timing.framesPerPacket == 0 else { return timing.framesPerPacket }
    return timing.soundFrames(fragmentDefaults[trackID]?.duration ?? 0)
  }

  /// The ranges of a packet's frames that are not sound, relative to its first frame; without
  /// priming.
  ///
  /// - Parameters:
  ///   - frames: The decoded frames of the packet.
  ///   - isLast: True if frames beyond the number of the packet are not sound.
  /// - Returns: The ranges in order.
  func omittedFrames(of frames: Range<Int64>, isLast: Bool) -> [Range<Int>] {
    var omitted = table.gaps.isEmpty ? [] : gaps(in: frames)
    let end = soundEnd ?? .max
    if end < frames.upperBound || isLast {
      let first = Int(min(max(end, frames.lowerBound), frames.upperBound) - frames.lowerBound)
      omitted.append(first..<max(first, Self.beyond))
    }
    return omitted
  }

  /// More frames than a packet has.
  private static let beyond = 1 << 30

  private func gaps(in frames: Range<Int64>) -> [Range<Int>] {
    table.gaps.compactMap { gap in
      let part = gap.clamped(to: frames)
      guard !part.isEmpty else { return nil }
      return Int(part.lowerBound - frames.lowerBound)..<Int(part.upperBound - frames.lowerBound)
    }
  }

  private static func moved(_ table: PacketTable, by distance: Int64) -> PacketTable {
    var table = table
    table.packets = table.packets.map {
      PacketTable.Packet(
        offset: $0.offset + distance, byteCount: $0.byteCount, firstFrame: $0.firstFrame,
        frameCount: $0.frameCount)
    }
    return table
  }

  /// The same packets, in frames of the codec.
  private static func converted(_ sound: MP4Sound, _ timing: MP4Timing) -> PacketTable {
    var table = PacketTable(hertz: timing.hertz)
    table.packets.reserveCapacity(sound.table.packets.count)
    for packet in sound.table.packets {
      let start = timing.frames(packet.firstFrame)
      let varying = timing.frames(packet.firstFrame + Int64(packet.frameCount)) - start
      let count = timing.framesPerPacket > 0 ? timing.framesPerPacket : Int(clamping: varying)
      table.append(offset: packet.offset, byteCount: packet.byteCount, frameCount: count)
    }
    if let gapless = sound.gapless { table.apply(converted(gapless, timing)) }
    return table
  }

  private static func converted(_ gapless: GaplessLength, _ timing: MP4Timing) -> GaplessLength {
    let frames = { (time: Int) in Int(clamping: timing.frames(Int64(time))) }
    return GaplessLength(
      priming: frames(gapless.priming), remainder: gapless.remainder.map(frames),
      frameCount: gapless.frameCount.map(frames))
  }
}
