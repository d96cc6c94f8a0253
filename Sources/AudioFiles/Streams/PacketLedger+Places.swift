// SPDX-License-Identifier: Apache-2.0

/// Positions from the offsets of the packets so far and their mean size.
extension PacketLedger {
  /// The number of packets in the stream: exact at the end, stated, or estimated from the mean
  /// size; nil if it is unknown.
  var packetCount: (value: Int, isEstimated: Bool)? {
    if isFinished, !isEstimated { return (nextPacket, false) }
    guard let properties else { return nil }
    if let count = properties.packetCount { return (count, false) }
    guard let byteCount, bitrate.packetByteCount > 0 else { return nil }
    let (known, place) = lastPlace(properties.dataOffset)
    let left = Double(max(0, byteCount - place)) / bitrate.packetByteCount
    return (known + max(1, Int(min(0x1p60, left).rounded())), true)
  }

  /// The number of frames of sound, if all packets have the same number of frames or all were
  /// found.
  func frameCount(
    of packetCount: (value: Int, isEstimated: Bool)?
  ) -> (value: Int64, isEstimated: Bool)? {
    guard let properties, let packetCount else { return nil }
    let decoded =
      isFinished && !isEstimated
      ? nextFrame : Self.product(packetCount.value, properties.framesPerPacket)
    let silent = Int64(properties.primingFrameCount + properties.remainderFrameCount)
    return (max(0, decoded - silent), packetCount.isEstimated)
  }

  /// The position from which to continue with a packet.
  ///
  /// - Parameters:
  ///   - packet: The index of the packet, 0 or more.
  ///   - contents: The position from a table of contents; nil to use the mean size.
  /// - Returns: The position; nil if it is unknown, or after the end.
  func place(ofPacket packet: Int, contents: Int64? = nil) -> SoundStream.Place? {
    guard let properties else { return nil }
    let frame = Self.product(packet, properties.framesPerPacket)
    if packet < places.count {
      return SoundStream.Place(
        offset: places[packet], packet: packet, firstFrame: frame, isEstimated: false)
    }
    if let packetCount, packet >= packetCount.value { return nil }
    // A table can be inexact, but the result is never before packets that were found.
    let offset =
      contents.map { max($0, lastPlace(properties.dataOffset).offset) }
      ?? meanOffset(packet, from: properties.dataOffset)
    if let byteCount, offset >= byteCount { return nil }
    return SoundStream.Place(
      offset: offset, packet: packet, firstFrame: frame, isEstimated: true)
  }

  /// Sets the index of the next packet from its position, after a move.
  ///
  /// - Parameters:
  ///   - offset: The position of the packet.
  ///   - contents: Its index by the table of contents that `place(ofPacket:contents:)` uses; nil to
  ///     use the mean size.
  mutating func locate(at offset: Int64, contents: Int? = nil) {
    let (packet, isEstimated) = self.packet(at: offset, contents: contents)
    let frame = Self.product(packet, properties?.framesPerPacket ?? 0)
    locate(packet: packet, frame: frame, isEstimated: isEstimated)
  }

  /// The index of the packet nearest to a position, and true if it is an estimate.
  func packet(at offset: Int64, contents: Int? = nil) -> (number: Int, isEstimated: Bool) {
    var (low, high) = (0, places.count)
    while low < high {
      let middle = (low + high) / 2
      if places[middle] < offset { low = middle + 1 } else { high = middle }
    }
    if low < places.count { return (low, false) }
    if let contents { return (max(places.count, contents), true) }
    guard let properties, bitrate.packetByteCount > 0 else { return (nextPacket, true) }
    let (known, place) = lastPlace(properties.dataOffset)
    let further = Double(max(0, offset - place)) / bitrate.packetByteCount
    return (known + Int(min(0x1p60, further).rounded()), true)
  }

  /// Estimates a position from the last packet with a known position and the mean size.
  private func meanOffset(_ packet: Int, from start: Int64) -> Int64 {
    let (known, place) = lastPlace(start)
    let distance = (Double(packet - known) * bitrate.packetByteCount).rounded()
    // Larger than any stream, for any requested packet.
    return distance < 0x1p60 ? place + Int64(distance) : .max
  }

  /// The last packet with a known position, or the first packet at the start of the data.
  private func lastPlace(_ start: Int64) -> (packet: Int, offset: Int64) {
    places.last.map { (places.count - 1, $0) } ?? (0, start)
  }

  private static func product(_ packets: Int, _ frames: Int) -> Int64 {
    let (product, overflows) = Int64(packets).multipliedReportingOverflow(by: Int64(frames))
    return overflows ? .max : product
  }
}
