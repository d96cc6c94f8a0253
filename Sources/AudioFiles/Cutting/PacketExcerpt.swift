// SPDX-License-Identifier: Apache-2.0

/// A part of a sound file that is taken as it is encoded: its packets, and which of their frames
/// are meant.
///
/// A packet cannot be decoded without those before it. Where the new file can say which frames are
/// not sound (M4A, MP3), these go along and the part is heard to the frame; ADTS says nothing, so
/// that a part of it begins and ends with a packet.
public struct PacketExcerpt {
  /// The file.
  public let reader: PacketReader
  /// The packets that are taken, by their numbers in the file's table.
  public let packets: Range<Int>
  /// The frames of sound that are heard, counted in the file's sound.
  public let frames: Range<Int64>
  /// What a file of it holds.
  let sequence: PacketSequence

  /// Takes a part of a file; nil where the file has none of its frames.
  ///
  /// - Parameters:
  ///   - reader: the file.
  ///   - frames: frames of sound, the part of them that the file has.
  ///   - container: the kind of file it is for: M4A, MP3 or ADTS.
  /// - Complexity: O(log n) in the number of packets.
  public init?(
    _ reader: PacketReader, frames: Range<Int64>, for container: SoundFileFormat.Container
  ) {
    let table = reader.table
    let frames = frames.clamped(to: 0..<table.frameCount)
    let priming = Int64(table.primingFrameCount)
    guard let first = table.packet(ofFrame: frames.lowerBound), !frames.isEmpty,
      let last = table.packet(ofFrame: frames.upperBound - 1)
    else { return nil }
    self.reader = reader
    let isBare = container == .aac
    let start = isBare ? first : max(0, first - reader.overlap)
    packets = start..<last + 1
    let reservoir = container == .mp3 ? ReservoirPacket(before: start, of: reader) : nil
    let (begin, end) = (table.packets[start], table.packets[last])
    let all = end.firstFrame + Int64(end.frameCount)
    let decoded = table.decoded(frames.lowerBound)..<table.decoded(frames.upperBound - 1) + 1
    let bare = max(priming, begin.firstFrame)..<min(all, table.soundEnd)
    let heard = isBare ? bare : decoded
    let whole =
      table.soundFrames(
        beforeDecoded: heard.lowerBound)..<table.soundFrames(beforeDecoded: heard.upperBound)
    self.frames = isBare ? whole : frames
    let before = reservoir == nil ? 0 : begin.frameCount
    let origin = begin.firstFrame - Int64(before)
    sequence = PacketSequence(
      runs: [PacketSequence.Run(reader: reader, packets: packets)], reservoir: reservoir,
      primingFrameCount: Int(heard.lowerBound - origin),
      remainderFrameCount: Int(all - heard.upperBound),
      gaps: table.gaps.filter { heard.contains($0.lowerBound) }
        .map { $0.lowerBound - origin..<$0.upperBound - origin },
      frameCount: Int64(isBare ? heard.count : frames.count))
  }
}

extension PacketReader {
  /// The frames that a packet decodes to: some say of the last one only how many of them are sound.
  func wholeFrameCount(of number: Int) -> Int {
    let count = table.packets[number].frameCount
    guard number == table.packets.count - 1, formats.last?.codec != .alac else { return count }
    return max(count, table.packets[0].frameCount)
  }

  /// The frames that all packets decode to.
  var wholeFrameCount: Int64 {
    guard let last = table.packets.last else { return 0 }
    return last.firstFrame + Int64(wholeFrameCount(of: table.packets.count - 1))
  }

  /// How many packets before one a decoder needs, so that it sounds as it does in the file.
  var overlap: Int {
    switch formats.first?.codec {
    case .alac: 0
    // A granule overlaps with the last, whose own overlap is with the one before. Version 2 has one
    // in a packet, version 1 two.
    case .mp3: (table.packets.first?.frameCount ?? 0) > 576 ? 1 : 2
    case .aac: 2
    // Replicated bands and spread channels look further back.
    default: 8
    }
  }
}
