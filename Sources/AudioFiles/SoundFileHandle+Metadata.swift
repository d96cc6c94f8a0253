// SPDX-License-Identifier: Apache-2.0
internal import CSndFile

extension SoundFileMetadata.Tag {
  fileprivate var code: Int {
    switch self {
    case .title: SF_STR_TITLE
    case .artist: SF_STR_ARTIST
    case .album: SF_STR_ALBUM
    case .trackNumber: SF_STR_TRACKNUMBER
    case .genre: SF_STR_GENRE
    case .date: SF_STR_DATE
    case .comment: SF_STR_COMMENT
    case .copyright: SF_STR_COPYRIGHT
    case .license: SF_STR_LICENSE
    case .software: SF_STR_SOFTWARE
    }
  }
}

extension SoundFileHandle {
  /// The metadata of the file.
  func metadata() -> SoundFileMetadata {
    var metadata = SoundFileMetadata()
    for tag in SoundFileMetadata.Tag.allCases {
      if let text = text(tag.code), !text.isEmpty { metadata.tags[tag] = text }
    }
    metadata.markers = markers()
    metadata.instrument = instrument()
    metadata.tempo = tempo()
    metadata.broadcast = broadcast()
    return metadata
  }

  /// Sets the metadata of a new file; the container stores what it supports.
  func set(_ metadata: SoundFileMetadata) {
    for tag in SoundFileMetadata.Tag.allCases {
      if let text = metadata.tags[tag] { set(tag.code, text) }
    }
    if !metadata.markers.isEmpty { set(metadata.markers) }
    if let instrument = metadata.instrument { set(instrument) }
    if let broadcast = metadata.broadcast { set(broadcast) }
  }

  /// The roles of the channels.
  func layout() -> ChannelLayout {
    let count = Int(shape.channels)
    // If a layout tag has fewer channels, libsndfile 1.2 stores fewer codes than it copies later.
    if let named = ContainerSurvey.layoutChannelCount(of: stream), named != count || named > 0xFF {
      return .usual(channelCount: count)
    }
    var codes = [Int32](repeating: 0, count: count)
    let isThere = unsafe codes.withUnsafeMutableBytes {
      unsafe command(SFC_GET_CHANNEL_MAP_INFO, $0.baseAddress, $0.count) != 0
    }
    let roles = codes.map { code in
      let index = Int(code)
      return ChannelRole.allCases.indices.contains(index) ? ChannelRole.allCases[index] : .unknown
    }
    // libsndfile knows only some channels of the numbered layouts of AIFF and CAF.
    return isThere && !roles.contains(.unknown)
      ? ChannelLayout(roles) : .usual(channelCount: count)
  }

  /// Sets the loudspeaker of each channel.
  func set(_ layout: ChannelLayout) {
    var codes = layout.roles.map { Int32(ChannelRole.allCases.firstIndex(of: $0) ?? 0) }
    unsafe codes.withUnsafeMutableBytes {
      _ = unsafe command(SFC_SET_CHANNEL_MAP_INFO, $0.baseAddress, $0.count)
    }
  }

  private func markers() -> [SoundFileMetadata.Marker] {
    var count: UInt32 = 0
    _ = unsafe command(SFC_GET_CUE_COUNT, &count, MemoryLayout<UInt32>.size)
    guard count > 0 else { return [] }
    return CueBlock.with(count: min(Int(count), CueBlock.limit)) { block in
      guard unsafe command(SFC_GET_CUE, block.base, block.byteCount) != 0 else { return [] }
      return block.markers
    }
  }

  private func set(_ markers: [SoundFileMetadata.Marker]) {
    CueBlock.with(count: min(markers.count, CueBlock.limit)) { block in
      block.fill(markers)
      _ = unsafe command(SFC_SET_CUE, block.base, block.byteCount)
    }
  }

  private func instrument() -> SoundFileMetadata.Instrument? {
    var found = SF_INSTRUMENT()
    guard unsafe command(SFC_GET_INSTRUMENT, &found, MemoryLayout<SF_INSTRUMENT>.size) != 0 else {
      return nil
    }
    return SoundFileMetadata.Instrument(found)
  }

  private func set(_ instrument: SoundFileMetadata.Instrument) {
    var block = SF_INSTRUMENT(instrument)
    _ = unsafe command(SFC_SET_INSTRUMENT, &block, MemoryLayout<SF_INSTRUMENT>.size)
  }

  private func tempo() -> SoundFileMetadata.Tempo? {
    var found = SF_LOOP_INFO()
    guard unsafe command(SFC_GET_LOOP_INFO, &found, MemoryLayout<SF_LOOP_INFO>.size) != 0,
      found.bpm.isFinite, found.bpm > 0
    else { return nil }
    return SoundFileMetadata.Tempo(
      beatsPerMinute: found.bpm, beatCount: Int(found.num_beats),
      signature: (Int(found.time_sig_num), Int(found.time_sig_den)),
      key: (0...127).contains(found.root_key) ? UInt8(found.root_key) : nil)
  }

  private func broadcast() -> SoundFileMetadata.Broadcast? {
    BroadcastBlock.with { block in
      guard unsafe command(SFC_GET_BROADCAST_INFO, block.base, BroadcastBlock.byteCount) != 0
      else { return nil }
      return block.broadcast
    }
  }

  private func set(_ broadcast: SoundFileMetadata.Broadcast) {
    BroadcastBlock.with { block in
      let count = block.fill(broadcast)
      _ = unsafe command(SFC_SET_BROADCAST_INFO, block.base, count)
    }
  }
}

extension SoundFileMetadata.Instrument {
  fileprivate init(_ block: SF_INSTRUMENT) {
    gain = Int(block.gain)
    baseKey = UInt8(clamping: block.basenote) & 0x7F
    detune = Int8(clamping: block.detune)
    keys = Self.range(block.key_lo, block.key_hi)
    velocities = Self.range(block.velocity_lo, block.velocity_hi)
    // The C array has an anonymous type, which Swift omits; it is at the end of the structure.
    let all = unsafe withUnsafeBytes(of: block) { bytes in
      (0..<64).map {
        unsafe bytes.loadUnaligned(
          fromByteOffset: SF_INSTRUMENT.loopOffset + 4 * $0, as: UInt32.self)
      }
    }
    for place in 0..<min(16, max(0, Int(block.loop_count))) {
      let (mode, start, end, count) = (
        all[4 * place], all[4 * place + 1], all[4 * place + 2], all[4 * place + 3]
      )
      guard let direction = SoundFileMetadata.Loop.Direction(code: mode), start <= end else {
        continue
      }
      loops.append(
        SoundFileMetadata.Loop(Int64(start)..<Int64(end), direction: direction, count: Int(count)))
    }
  }

  private static func range(_ low: CChar, _ high: CChar) -> ClosedRange<UInt8> {
    let low = UInt8(clamping: low)
    return low...max(low, UInt8(clamping: high))
  }
}

extension SoundFileMetadata.Loop.Direction {
  fileprivate init?(code: UInt32) {
    switch Int(code) {
    case SF_LOOP_FORWARD: self = .forward
    case SF_LOOP_BACKWARD: self = .backward
    case SF_LOOP_ALTERNATING: self = .alternating
    default: return nil
    }
  }

  fileprivate var code: UInt32 {
    switch self {
    case .forward: UInt32(SF_LOOP_FORWARD)
    case .backward: UInt32(SF_LOOP_BACKWARD)
    case .alternating: UInt32(SF_LOOP_ALTERNATING)
    }
  }
}

extension SF_INSTRUMENT {
  fileprivate static var loopOffset: Int {
    MemoryLayout<SF_INSTRUMENT>.size - 16 * 4 * MemoryLayout<UInt32>.size
  }

  fileprivate init(_ instrument: SoundFileMetadata.Instrument) {
    self.init()
    gain = Int32(clamping: instrument.gain)
    basenote = CChar(clamping: instrument.baseKey)
    detune = CChar(instrument.detune)
    key_lo = CChar(clamping: instrument.keys.lowerBound)
    key_hi = CChar(clamping: instrument.keys.upperBound)
    velocity_lo = CChar(clamping: instrument.velocities.lowerBound)
    velocity_hi = CChar(clamping: instrument.velocities.upperBound)
    loop_count = Int32(min(16, instrument.loops.count))
    let words = instrument.loops.prefix(16).flatMap { loop in
      [
        loop.direction.code, UInt32(clamping: loop.frames.lowerBound),
        UInt32(clamping: loop.frames.upperBound), UInt32(clamping: loop.count),
      ]
    }
    unsafe withUnsafeMutableBytes(of: &self) { bytes in
      for (place, word) in words.enumerated() {
        unsafe bytes.storeBytes(
          of: word, toByteOffset: Self.loopOffset + 4 * place, as: UInt32.self)
      }
    }
  }
}
