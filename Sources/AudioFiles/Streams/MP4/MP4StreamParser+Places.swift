// SPDX-License-Identifier: Apache-2.0

/// Positions from the index, from an index of segments, or from the fragments that were received.
extension MP4StreamParser {
  func packetCount(_ ledger: PacketLedger) -> (value: Int, isEstimated: Bool)? {
    guard let movie, !movie.isFragmented else { return ledger.packetCount }
    return (movie.table.packets.count, false)
  }

  func frameCount(_ ledger: PacketLedger) -> (value: Int64, isEstimated: Bool)? {
    guard let movie else { return nil }
    guard movie.isFragmented else { return (movie.table.frameCount, false) }
    if let stated = movie.statedFrameCount { return stated }
    let priming = Int64(movie.primingFrameCount)
    if let segments, let first = segments.segments.first {
      let units = Int128(segments.endTime - first.time)
      let frames = Int64(clamping: units * Int128(movie.timing.hertz) / Int128(segments.units))
      return (max(0, min(frames, movie.soundEnd ?? .max) - priming), false)
    }
    if let end = movie.soundEnd { return (max(0, end - priming), false) }
    return ledger.frameCount(of: packetCount(ledger))
  }

  func place(ofPacket packet: Int, _ ledger: PacketLedger) -> SoundStream.Place? {
    guard let movie else { return nil }
    if packet < movie.table.packets.count {
      let found = movie.table.packets[packet]
      return SoundStream.Place(
        offset: found.offset, packet: packet, firstFrame: found.firstFrame, isEstimated: false)
    }
    guard movie.isFragmented, let length = ledger.properties?.framesPerPacket, length > 0 else {
      return nil
    }
    let (frame, overflows) = Int64(packet).multipliedReportingOverflow(by: Int64(length))
    return overflows ? nil : fragmentPlace(ofFrame: frame, ledger)
  }

  func place(ofFrame frame: Int64, _ ledger: PacketLedger) -> SoundStream.Place? {
    guard let movie else { return nil }
    if let packet = movie.table.packet(ofDecoded: frame) {
      return place(ofPacket: packet, ledger)
    }
    return movie.isFragmented ? fragmentPlace(ofFrame: frame, ledger) : nil
  }

  /// The fragment or segment that contains a frame, or an estimate if the frame is after those that
  /// are known.
  private func fragmentPlace(ofFrame frame: Int64, _ ledger: PacketLedger) -> SoundStream.Place? {
    let length = Int64(max(1, ledger.properties?.framesPerPacket ?? 1))
    if let found = segment(ofFrame: frame) ?? fragment(ofFrame: frame, ledger) {
      return SoundStream.Place(
        offset: found.offset, packet: Int(clamping: found.frame / length), firstFrame: found.frame,
        isEstimated: false)
    }
    return segments == nil ? ledger.place(ofPacket: Int(clamping: frame / length)) : nil
  }

  private func segment(ofFrame frame: Int64) -> (offset: Int64, frame: Int64)? {
    guard let movie, let segments, let first = segments.segments.first else { return nil }
    let frames = { (time: Int64) in
      Int64(
        clamping: Int128(time - first.time) * Int128(movie.timing.hertz) / Int128(segments.units))
    }
    guard frame < frames(segments.endTime),
      let found = segments.segments.last(where: { frames($0.time) <= frame })
    else { return nil }
    return (found.offset, frames(found.time))
  }

  /// A fragment that was received before; the last one only up to the next packet.
  private func fragment(
    ofFrame frame: Int64, _ ledger: PacketLedger
  ) -> (offset: Int64, frame: Int64)? {
    guard frame < ledger.nextFrame else { return nil }
    return fragments.last { $0.frame <= frame }
  }
}
