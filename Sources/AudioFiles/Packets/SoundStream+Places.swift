// SPDX-License-Identifier: Apache-2.0

extension SoundStream {
  /// The packets of the whole stream, and whether that is an estimate; nil where nothing tells.
  ///
  /// Known at the end, and where an encoder has said it; else what is left of the bytes of the
  /// stream is reckoned with the mean size of the packets so far.
  public var packetCount: (value: Int, isEstimated: Bool)? {
    if isFinished, !isEstimated { return (nextPacket, false) }
    guard let properties else { return nil }
    if let count = properties.packetCount { return (count, false) }
    guard let byteCount, bitrate.packetByteCount > 0 else { return nil }
    let (known, place) = lastPlace(properties.dataOffset)
    let left = Double(max(0, byteCount - place)) / bitrate.packetByteCount
    return (known + max(1, Int(left.rounded())), true)
  }

  /// Frames of sound in the whole stream, and whether that is an estimate; nil where nothing tells.
  public var frameCount: (value: Int64, isEstimated: Bool)? {
    guard let properties, let packetCount else { return nil }
    let decoded =
      isFinished && !isEstimated
      ? nextFrame : Int64(packetCount.value) * Int64(properties.framesPerPacket)
    let silent = Int64(properties.primingFrameCount + properties.remainderFrameCount)
    return (max(0, decoded - silent), packetCount.isEstimated)
  }

  /// Where to go on reading from for a packet.
  ///
  /// The place of a packet that was found is known. Others are reckoned from an encoder's table
  /// of contents, or from the mean size of the packets so far. `append` is then given bytes from
  /// there.
  ///
  /// - Parameter packet: its number, from 0.
  /// - Returns: the place; nil before the first packet is known, or where it lies behind the end.
  public func seek(toPacket packet: Int) -> Place? {
    guard let properties, packet >= 0 else { return nil }
    if packet < places.count {
      return Place(offset: places[packet], packet: packet, isEstimated: false)
    }
    if let packetCount, packet >= packetCount.value { return nil }
    let offset = contentsOffset(packet) ?? meanOffset(packet, from: properties.dataOffset)
    if let byteCount, offset >= byteCount { return nil }
    return Place(offset: offset, packet: packet, isEstimated: true)
  }

  /// By the table of contents, a straight line between two of its entries.
  private func contentsOffset(_ packet: Int) -> Int64? {
    guard let tag, !tag.contents.isEmpty, let count = tag.packetCount, count > 0,
      let bytes = tag.byteCount
    else { return nil }
    let part = min(99.999, Double(packet) * 100 / Double(count))
    let index = Int(part)
    let low = Double(tag.contents[index])
    let high = index + 1 < tag.contents.count ? Double(tag.contents[index + 1]) : 256
    let reached = (low + (high - low) * (part - Double(index))) / 256
    return tagOffset + Int64(reached * Double(bytes))
  }

  /// From the last packet that is known, by the mean size.
  private func meanOffset(_ packet: Int, from start: Int64) -> Int64 {
    let (known, place) = lastPlace(start)
    let distance = (Double(packet - known) * bitrate.packetByteCount).rounded()
    // Behind the end of any stream, whatever packet is asked for.
    return distance < 0x1p60 ? place + Int64(distance) : .max
  }

  /// The last packet whose place is known; the first, at the start of the data, where none is.
  private func lastPlace(_ start: Int64) -> (packet: Int, offset: Int64) {
    places.last.map { (places.count - 1, $0) } ?? (0, start)
  }

  /// The number of the packet nearest to a place, and whether that is reckoned.
  func packet(at offset: Int64) -> (number: Int, isEstimated: Bool) {
    var (low, high) = (0, places.count)
    while low < high {
      let middle = (low + high) / 2
      if places[middle] < offset { low = middle + 1 } else { high = middle }
    }
    if low < places.count { return (low, false) }
    guard let properties, bitrate.packetByteCount > 0 else { return (nextPacket, true) }
    let (known, place) = lastPlace(properties.dataOffset)
    let further = Double(max(0, offset - place)) / bitrate.packetByteCount
    return (known + Int(further.rounded()), true)
  }
}
