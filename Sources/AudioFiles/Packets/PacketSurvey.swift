// SPDX-License-Identifier: Apache-2.0

/// The packets of a file without a container, found by their headers.
struct PacketSurvey {
  /// What the first packet says.
  let properties: SoundStream.Properties?
  /// The places of all.
  let table: PacketTable

  /// Reads a whole file, of which nothing is kept but the places; nil where no packet is found.
  ///
  /// - Complexity: O(n) in the number of bytes.
  init?(of stream: FileStream) {
    var parser = SoundStream(byteCount: stream.length)
    parser.keepsBytes = false
    var table: PacketTable?
    var place: Int64 = 0
    while let bytes = stream.bytes(at: place, upTo: Self.chunk), !bytes.isEmpty {
      parser.append(bytes)
      place += Int64(bytes.count)
      Self.take(&parser, &table)
      // No stream begins so late.
      if table == nil, place > Self.patience { return nil }
    }
    parser.finish()
    Self.take(&parser, &table)
    guard var table, let properties = parser.properties else { return nil }
    table.apply(
      GaplessLength(
        priming: properties.primingFrameCount, remainder: properties.remainderFrameCount))
    self.table = table
    self.properties = properties
  }

  private static let chunk = 1 << 16
  private static let patience: Int64 = 1 << 26

  private static func take(_ parser: inout SoundStream, _ table: inout PacketTable?) {
    guard let properties = parser.properties else { return }
    var filled = table ?? PacketTable(hertz: properties.hertz)
    for packet in parser.takePackets() {
      filled.append(
        offset: packet.offset + Int64(packet.headerByteCount),
        byteCount: packet.byteCount - packet.headerByteCount, frameCount: packet.frameCount)
    }
    table = filled
  }
}
