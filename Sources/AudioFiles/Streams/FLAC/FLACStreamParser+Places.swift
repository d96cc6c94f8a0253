// SPDX-License-Identifier: Apache-2.0

/// Positions from the stream's length, its seek table, and the mean size of its frames.
extension FLACStreamParser {
  func frameCount(_ ledger: PacketLedger) -> (value: Int64, isEstimated: Bool)? {
    if ledger.isFinished, !ledger.isEstimated { return (ledger.nextFrame, false) }
    guard let stream else { return nil }
    // A stream that was joined in the middle does not contain all of its frames.
    if let whole = stream.frameCount {
      let end = count.frame(ofSample: whole)
      if end >= ledger.nextFrame { return (end, false) }
    }
    guard let packets = ledger.packetCount, ledger.nextPacket > 0 else { return nil }
    let mean = Double(ledger.nextFrame) / Double(ledger.nextPacket)
    return (Int64(min(0x1p60, Double(packets.value) * mean).rounded()), true)
  }

  func place(ofPacket packet: Int, _ ledger: PacketLedger) -> SoundStream.Place? {
    if packet < ledger.places.count, let known = knownPlace(packet, ledger) { return known }
    guard let stream else { return nil }
    let size = stream.fixedBlock ?? stream.largestBlock
    let (frame, overflows) = Int64(packet).multipliedReportingOverflow(by: Int64(size))
    return overflows ? nil : place(ofFrame: frame, ledger)
  }

  func place(ofFrame frame: Int64, _ ledger: PacketLedger) -> SoundStream.Place? {
    guard let stream else { return nil }
    let sample = max(0, count.sample(ofFrame: frame))
    if let end = frameCount(ledger), !end.isEstimated, frame >= end.value { return nil }
    if let size = stream.fixedBlock,
      let known = knownPlace(Int(clamping: frame / Int64(size)), ledger)
    {
      return known
    }
    guard let offset = offset(ofSample: sample, in: stream, ledger) else { return nil }
    if let byteCount = ledger.byteCount, offset >= byteCount { return nil }
    return SoundStream.Place(
      offset: offset, packet: count.packet(of: frame, in: stream, at: nil, ledger),
      firstFrame: frame, isEstimated: true)
  }

  /// The position of a packet that was found before.
  private func knownPlace(_ packet: Int, _ ledger: PacketLedger) -> SoundStream.Place? {
    guard let size = stream?.fixedBlock, packet >= 0, packet < ledger.places.count else {
      return nil
    }
    return SoundStream.Place(
      offset: ledger.places[packet], packet: packet, firstFrame: Int64(packet) * Int64(size),
      isEstimated: false)
  }

  /// The position of a sample, interpolated linearly between two known points.
  private func offset(
    ofSample sample: Int64, in stream: FLACStreamBlock, _ ledger: PacketLedger
  ) -> Int64? {
    let around = seekTable.points(around: sample)
    let start = around.before ?? FLACSeekTable.Point(sample: 0, offset: 0)
    let rate: Double
    if let after = around.after, after.sample > start.sample {
      rate = Double(after.offset - start.offset) / Double(after.sample - start.sample)
    } else if let whole = stream.frameCount, whole > start.sample, let size = ledger.byteCount {
      let bytes = Double(size) - Double(dataOffset) - Double(start.offset)
      rate = bytes / Double(whole - start.sample)
    } else {
      guard ledger.nextFrame > 0 else { return nil }
      rate = ledger.bitrate.packetByteCount * Double(ledger.nextPacket) / Double(ledger.nextFrame)
    }
    let distance = Double(start.offset) + Double(sample - start.sample) * max(0, rate)
    guard distance < 0x1p60 else { return nil }
    let (offset, overflows) = dataOffset.addingReportingOverflow(Int64(distance))
    return overflows ? nil : offset
  }
}
