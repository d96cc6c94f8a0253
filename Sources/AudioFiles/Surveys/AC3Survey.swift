// SPDX-License-Identifier: Apache-2.0

/// The packets of AC-3 or E-AC-3 without a container, located by their headers.
///
/// A syncframe that adds channels, or belongs to another programme, is part of the packet before
/// it.
struct AC3Survey {
  /// The first header.
  let header: AC3Header
  private(set) var table: PacketTable
  /// The number of packets that are incomplete in the file: 0 or 1.
  private(set) var missingCount = 0

  /// More than two weeks of sound.
  private static let countLimit = 1 << 22
  /// The maximum number of bytes that are skipped between two packets.
  private static let patience = 1 << 16

  /// Finds the packets; nil if the file does not begin with one.
  ///
  /// - Complexity: O(n) in the number of packets.
  init?(of stream: FileStream) {
    guard let header = stream.bytes(at: 0, AC3Header.byteCount).flatMap(AC3Header.init),
      header.isMain
    else { return nil }
    self.header = header
    table = PacketTable(hertz: header.hertz)
    let length = stream.length
    var (place, packets) = (Int64(0), [PacketTable.Packet]())
    while packets.count < Self.countLimit, let next = Self.packet(from: place, in: stream) {
      guard next.offset + Int64(next.header.packetByteCount) <= length else {
        missingCount = 1
        break
      }
      place = next.offset + Int64(next.header.packetByteCount)
      if next.header.isMain {
        packets.append(next.packet(after: packets.last))
      } else if let last = packets.last, place - last.offset < 1 << 20 {
        packets[packets.count - 1] = last.reaching(to: place)
      }
    }
    table.packets = packets
  }

  /// A header and its position.
  private struct Place {
    let offset: Int64
    let header: AC3Header

    func packet(after last: PacketTable.Packet?) -> PacketTable.Packet {
      PacketTable.Packet(
        offset: offset, byteCount: header.packetByteCount,
        firstFrame: last.map { $0.firstFrame + Int64($0.frameCount) } ?? 0,
        frameCount: header.frameCount)
    }
  }

  /// The header at a position, or the next one after bytes that are not a packet.
  private static func packet(from start: Int64, in stream: FileStream) -> Place? {
    let head = stream.bytes(at: start, AC3Header.byteCount)
    if let header = head.flatMap(AC3Header.init) { return Place(offset: start, header: header) }
    guard let bytes = stream.bytes(at: start, upTo: patience), bytes.count > AC3Header.byteCount
    else { return nil }
    for place in 1..<bytes.count - AC3Header.byteCount where bytes[place] == 0x0B {
      let head = Array(bytes[place..<place + AC3Header.byteCount])
      if let header = AC3Header(head) {
        return Place(offset: start + Int64(place), header: header)
      }
    }
    return nil
  }
}

extension PacketTable.Packet {
  /// The same packet, extended to a position in the file.
  fileprivate func reaching(to end: Int64) -> PacketTable.Packet {
    PacketTable.Packet(
      offset: offset, byteCount: Int(end - offset), firstFrame: firstFrame, frameCount: frameCount)
  }
}
