// SPDX-License-Identifier: Apache-2.0

extension MP4StreamParser {
  /// Reads an index, and starts its sound.
  mutating func readIndex(
    _ content: ArraySlice<UInt8>, _ end: Int64, _ ledger: inout PacketLedger
  ) {
    indexOffset = nil
    let length = ledger.byteCount.map { max(0, $0 - origin) } ?? 1 << 60
    guard let movie = MP4Movie(content, origin: origin, length: length) else {
      // The previous index stays valid if a repetition of it is damaged.
      if self.movie == nil { needsWholeFile = true }
      return
    }
    needsWholeFile = !movie.isOrdered
    let properties = movie.properties(dataOffset: end)
    // Segments can repeat the index.
    let same = movie.properties(dataOffset: ledger.properties?.dataOffset ?? end)
    if ledger.properties != same || ledger.isDiscontinuous || !movie.isFragmented {
      ledger.begin(properties)
    }
    ledger.keepsPlaces = false
    ledger.announce(movie.tags)
    self.movie = movie
    next = 0
    forgetFragment()
    (segments, firstTime, fragments) = (nil, nil, [])
  }

  /// Reads the index of a fragment.
  mutating func readFragment(_ box: MP4Box, _ ledger: inout PacketLedger) {
    guard let movie, movie.isFragmented else { return }
    let start = window.offset
    let fragment = MP4Fragment(
      box, offset: start, track: movie.trackID, defaults: movie.fragmentDefaults,
      time: expectedTime ?? 0)
    (samples, nextSample) = (fragment.samples, 0)
    if fragment.excessCount > 0 { ledger.isDiscontinuous = true }
    guard let first = samples.first else { return }
    let base = firstTime ?? segmentTime ?? (ledger.needsPlace ? 0 : first.time)
    firstTime = base
    let frame = max(0, movie.timing.frames(max(0, first.time - base)))
    if ledger.needsPlace {
      let length = max(1, ledger.properties?.framesPerPacket ?? 1)
      ledger.locate(
        packet: Int(frame / Int64(length)), frame: frame, isEstimated: false)
    } else if let expectedTime, expectedTime != first.time {
      let difference = movie.timing.frames(abs(first.time - expectedTime))
      // Encoders can round times.
      if difference > Int64(movie.timing.hertz / 50) { ledger.isDiscontinuous = true }
    }
    expectedTime = fragment.endTime
    if fragments.count < Self.fragmentCountLimit, fragments.last?.offset ?? -1 < start,
      !ledger.isEstimated
    {
      fragments.append((start, ledger.nextFrame))
    }
  }

  /// The maximum number of positions that are stored.
  private static var fragmentCountLimit: Int { 1 << 18 }

  /// The first time of the segment index in the track's units.
  private var segmentTime: Int64? {
    guard let movie, let segments, let first = segments.segments.first else { return nil }
    let time = Int128(first.time) * Int128(movie.timing.units) / Int128(segments.units)
    return Int64(clamping: time)
  }

  /// Reads the next packet in the box; returns nil after the last one, and false if more bytes are
  /// needed.
  mutating func takePacket(before end: Int64, _ ledger: inout PacketLedger) -> Bool? {
    guard let movie else { return nil }
    if next < movie.table.packets.count, movie.isOrdered {
      let packet = movie.table.packets[next]
      guard packet.offset < end else { return nil }
      let isHere = reach(packet.offset, packet.byteCount, end, &ledger)
      guard let isHere else { return false }
      if isHere { add(packet, movie, &ledger) }
      next += 1
      window.drop(isHere ? packet.byteCount : 0)
      return true
    }
    guard nextSample < samples.count else { return nil }
    let sample = samples[nextSample]
    guard sample.offset < end else { return nil }
    guard let isHere = reach(sample.offset, sample.byteCount, end, &ledger) else { return false }
    if isHere { add(sample, movie, &ledger) }
    nextSample += 1
    window.drop(isHere ? sample.byteCount : 0)
    return true
  }

  /// The maximum size of a packet.
  private static var packetLimit: Int { 1 << 24 }

  /// Skips to a packet: returns true if it is complete, false if it cannot be read, and nil if more
  /// bytes are needed.
  private mutating func reach(
    _ offset: Int64, _ byteCount: Int, _ end: Int64, _ ledger: inout PacketLedger
  ) -> Bool? {
    guard offset >= window.offset, byteCount > 0, byteCount <= Self.packetLimit,
      Int64(byteCount) <= end - offset
    else {
      ledger.isDiscontinuous = true
      return false
    }
    window.drop(offset - window.offset)
    return window.isSkipping || ledger.keepsBytes && window.count < byteCount ? nil : true
  }

  private func add(
    _ packet: PacketTable.Packet, _ movie: MP4Movie, _ ledger: inout PacketLedger
  ) {
    if ledger.needsPlace || ledger.isDiscontinuous {
      ledger.locate(packet: next, frame: packet.firstFrame, isEstimated: false)
    }
    let isLast = next == movie.table.packets.count - 1 && !movie.isFragmented
    let frames = packet.firstFrame..<packet.firstFrame + Int64(packet.frameCount)
    ledger.add(
      FoundPacket(
        offset: packet.offset, byteCount: packet.byteCount,
        bytes: window.unread.prefix(packet.byteCount), frameCount: packet.frameCount,
        time: packet.firstFrame, omittedFrames: movie.omittedFrames(of: frames, isLast: isLast)))
  }

  private func add(
    _ sample: MP4Fragment.Sample, _ movie: MP4Movie, _ ledger: inout PacketLedger
  ) {
    let count = movie.timing.soundFrames(sample.duration)
    let frames = ledger.nextFrame..<ledger.nextFrame + Int64(count)
    var omitted = movie.omittedFrames(of: frames, isLast: false)
    if count < movie.timing.framesPerPacket, omitted.last?.upperBound ?? 0 <= count {
      omitted.append(count..<movie.timing.framesPerPacket)
    }
    ledger.add(
      FoundPacket(
        offset: sample.offset, byteCount: sample.byteCount,
        bytes: window.unread.prefix(sample.byteCount), frameCount: count,
        time: movie.timing.frames(sample.time), omittedFrames: omitted))
  }
}
