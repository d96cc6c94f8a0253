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
  /// What stands before the first packet, where that one begins in bytes of those before.
  let reservoir: ReservoirPacket?
  /// Frames of the packets before the first that is heard.
  let primingFrameCount: Int
  /// Frames of the packets behind the last that is heard.
  let remainderFrameCount: Int

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
    reservoir = container == .mp3 ? ReservoirPacket(before: start, of: reader) : nil
    let (begin, end) = (table.packets[start], table.packets[last])
    let all = end.firstFrame + Int64(end.frameCount) - priming
    let heard = isBare ? max(0, begin.firstFrame - priming) : frames.lowerBound
    self.frames = heard..<(isBare ? min(all, table.frameCount) : frames.upperBound)
    let before = reservoir == nil ? 0 : begin.frameCount
    primingFrameCount = Int(self.frames.lowerBound + priming - begin.firstFrame) + before
    remainderFrameCount = Int(all - self.frames.upperBound)
  }
}

extension PacketReader {
  /// How many packets before one a decoder needs, so that it sounds as it does in the file.
  fileprivate var overlap: Int {
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
