// SPDX-License-Identifier: Apache-2.0

/// A part of a sound file that is copied without re-encoding: its packets, and the range of frames
/// to play.
///
/// To decode a packet, a decoder also needs the packets before it. M4A and MP3 files can state
/// which decoded frames are not sound, so these packets are included, and the part is exact to the
/// frame. ADTS files cannot state this, so a part starts and ends at packet boundaries.
public struct PacketExcerpt {
  /// The reader of the source file.
  public let reader: PacketReader
  /// The packets that are copied, as a range of indices in the file's packet table.
  public let packets: Range<Int>
  /// The frames that are played, as positions in the file's sound.
  public let frames: Range<Int64>
  /// The contents of the new file.
  let sequence: PacketSequence

  /// Selects a part of a file; nil if the file does not contain any of the frames.
  ///
  /// - Parameters:
  ///   - reader: The source file.
  ///   - frames: The range of frames of sound; limited to the length of the file.
  ///   - container: The container of the new file: M4A, MP3 or ADTS.
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
  /// The number of frames that a packet decodes to.
  ///
  /// For the last packet some files state only the frames that are sound.
  func wholeFrameCount(of number: Int) -> Int {
    let count = table.packets[number].frameCount
    guard number == table.packets.count - 1, formats.last?.codec != .alac else { return count }
    return max(count, table.packets[0].frameCount)
  }

  /// The number of frames that all packets decode to.
  var wholeFrameCount: Int64 {
    guard let last = table.packets.last else { return 0 }
    return last.firstFrame + Int64(wholeFrameCount(of: table.packets.count - 1))
  }

  /// The number of earlier packets that a decoder needs to decode a packet exactly.
  var overlap: Int {
    switch formats.first?.codec {
    case .alac: 0
    // A granule overlaps with the previous one, which in turn depends on the one before. Version 1
    // has two granules in a packet, version 2 has one.
    case .mp3: (table.packets.first?.frameCount ?? 0) > 576 ? 1 : 2
    case .aac: 2
    // Spectral band replication and parametric stereo depend on more packets.
    default: 8
    }
  }
}
