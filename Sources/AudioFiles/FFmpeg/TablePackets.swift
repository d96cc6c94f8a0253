// SPDX-License-Identifier: Apache-2.0
internal import CFFmpeg

/// Packets at positions that a table lists, or that a survey finds while they are read.
@safe
final class TablePackets: PacketFeed {
  /// False for codecs with unlimited memory, whose frames are exact only if all packets before are
  /// decoded.
  var isIndexed: Bool { !Self.remembers(codec) }
  private let stream: FileStream
  private let known: PacketTable
  private let survey: PacketSurvey?
  /// `same` until a decoder has determined the rate of the packets.
  var scale = FrameScale.same
  private let codec: SoundCodec
  private let ownParameters: CodecParameters
  private var place = 0
  /// Bytes of the file that were read in advance, and their position.
  private var ahead: [UInt8] = []
  private var aheadOffset: Int64 = 0

  private static let chunk = 1 << 15
  /// A larger packet is damage; no supported codec has one.
  private static let byteLimit = 1 << 24

  init(
    _ stream: FileStream, _ table: PacketTable, _ survey: PacketSurvey?, codec: SoundCodec,
    _ parameters: consuming CodecParameters
  ) {
    (self.stream, known, self.survey, self.codec) = (stream, table, survey, codec)
    ownParameters = parameters
  }

  var parameters: OpaquePointer { unsafe ownParameters.parameters }

  /// True for codecs whose state depends on all packets since the first one: differences and speech
  /// filters.
  private static func remembers(_ codec: SoundCodec) -> Bool {
    [.imaADPCM, .ilbc, .amrNarrow, .amrWide].contains(codec)
  }

  private var table: PacketTable { survey?.table ?? known }

  func next(into packet: borrowing PacketHandle) -> FedPacket? {
    survey?.reach(packet: place)
    let packets = table.packets
    guard place < packets.count else { return nil }
    let entry = packets[place]
    place += 1
    return FedPacket(firstFrame: scale.decoded(entry.firstFrame), isWhole: fill(packet, entry))
  }

  private func fill(_ packet: borrowing PacketHandle, _ entry: PacketTable.Packet) -> Bool {
    let count = entry.byteCount
    guard count <= Self.byteLimit else { return false }
    if entry.offset < aheadOffset || entry.offset + Int64(count) > aheadOffset + Int64(ahead.count)
    {
      ahead = stream.bytes(at: entry.offset, upTo: max(count, Self.chunk)) ?? []
      aheadOffset = entry.offset
    }
    let start = Int(entry.offset - aheadOffset)
    guard start + count <= ahead.count else { return false }
    return packet.fill(with: ahead[start..<start + count])
  }

  func locate(forFrame frame: Int64) -> Int64? {
    let wanted = scale.counted(frame)
    survey?.reach(frame: wanted)
    let table = table
    let found = table.packet(ofDecoded: wanted) ?? table.packets.count
    place = max(0, found - preroll(before: found, table.packets))
    return scale.decoded(
      place < table.packets.count ? table.packets[place].firstFrame : table.decodedFrameCount)
  }

  /// The number of packets before a packet that must be decoded first, or its frames are wrong.
  private func preroll(before packet: Int, _ packets: [PacketTable.Packet]) -> Int {
    switch codec {
    case .alac: return 0
    case _ where Self.remembers(codec): return packet
    case .mp1, .mp2, .mp3:
      // Up to 511 bytes of a packet are stored in those before it, and its frames overlap with the
      // previous ones.
      var (count, bytes) = (0, 0)
      while bytes < 511, count < packet {
        count += 1
        bytes += max(0, packets[packet - count].byteCount - 36)
      }
      return count + 2
    // Frames overlap with the previous ones; spectral band replication and parametric stereo depend
    // on more packets.
    default: return codec == .aac ? 2 : 8
    }
  }
}
