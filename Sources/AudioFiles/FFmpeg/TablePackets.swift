// SPDX-License-Identifier: Apache-2.0
internal import CFFmpeg

/// Packets that a table says the places of.
@safe
final class TablePackets: PacketFeed {
  let isIndexed = true
  private let stream: FileStream
  private let table: PacketTable
  /// The same until it is known what a decoder makes of the packets.
  var scale = FrameScale.same
  private let codec: SoundCodec
  private let ownParameters: CodecParameters
  private var place = 0

  init(
    _ stream: FileStream, _ table: PacketTable, codec: SoundCodec,
    _ parameters: consuming CodecParameters
  ) {
    (self.stream, self.table, self.codec) = (stream, table, codec)
    ownParameters = parameters
  }

  var parameters: UnsafeMutablePointer<AVCodecParameters> { unsafe ownParameters.parameters }

  func next(into packet: borrowing PacketHandle) -> FedPacket? {
    guard place < table.packets.count else { return nil }
    let entry = table.packets[place]
    place += 1
    let isWhole = packet.fill(from: stream, at: entry.offset, count: entry.byteCount)
    return FedPacket(firstFrame: scale.decoded(entry.firstFrame), isWhole: isWhole)
  }

  func locate(forFrame frame: Int64) -> Int64? {
    let found = table.packet(ofDecoded: scale.counted(frame)) ?? table.packets.count
    place = max(0, found - preroll(before: found))
    return scale.decoded(
      place < table.packets.count ? table.packets[place].firstFrame : table.decodedFrameCount)
  }

  /// The packets whose frames come out wrong, since those before them are not decoded.
  private func preroll(before packet: Int) -> Int {
    switch codec {
    case .alac: return 0
    case .mp1, .mp2, .mp3:
      // Up to 511 bytes of a packet lie in those before it, and its frames overlap with the last's.
      var (count, bytes) = (0, 0)
      while bytes < 511, count < packet {
        count += 1
        bytes += max(0, table.packets[packet - count].byteCount - 36)
      }
      return count + 2
    // Frames overlap with those before; replicated bands and spread channels look further back.
    default: return codec == .aac ? 2 : 8
    }
  }
}
