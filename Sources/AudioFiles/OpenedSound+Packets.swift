// SPDX-License-Identifier: Apache-2.0
internal import CFFmpeg
internal import MusicalTime

extension OpenedSound {
  /// Opens an MP4 file; nil where its index is one that another is to read.
  static func mp4(
    _ stream: FileStream, path: String, layer: SoundCodec?
  ) throws(SoundFileError) -> OpenedSound? {
    guard let index = MP4Index.content(of: stream) else {
      throw .notSoundFile(path: path, reason: "its index (moov) is missing")
    }
    guard let file = MP4Sound(index: index[...], length: stream.length) else { return nil }
    guard !file.table.packets.isEmpty else {
      // The index of what comes in fragments has no packets itself.
      if file.missingCount == 0 { return nil }
      throw .cutOff(path: path, .packets(file.missingCount, of: file.missingCount))
    }
    guard
      var sound = try packets(
        stream, file.table, file.codec, cookie: file.cookie, channelCount: file.channelCount,
        container: .m4a, layer: layer, path: path)
    else { return nil }
    sound.metadata.tags = file.tags
    sound.metadata.markers = file.chapters.map {
      let frame = Int128($0.time) * Int128(sound.rate.hertz) / 10_000_000
      return SoundFileMetadata.Marker(
        position: SampleTime(frames: Int64(clamping: frame)), name: $0.title)
    }
    if file.missingCount > 0 {
      let all = file.missingCount + file.table.packets.count
      sound.shortfall = .packets(file.missingCount, of: all)
    }
    return sound
  }

  /// Opens AAC behind headers.
  static func adts(
    _ stream: FileStream, path: String, layer: SoundCodec?
  ) throws(SoundFileError) -> OpenedSound {
    guard let survey = PacketSurvey(of: stream), let properties = survey.properties else {
      throw .notSoundFile(path: path, reason: "it has no packets")
    }
    let sound = try packets(
      stream, survey.table, .aac, cookie: properties.magicCookie,
      channelCount: properties.layers[0].channelCount, container: .aac, layer: layer, path: path)
    if let sound { return sound }
    return try demuxed(stream, path: path)
  }

  /// Opens an MP3 file that says no length, which libsndfile would guess by its first packet and
  /// then keep to; nil where it says one, or nobody else is there to read it.
  static func unmeasuredMP3(
    _ stream: FileStream, path: String
  ) throws(SoundFileError) -> OpenedSound? {
    var beginning = SoundStream()
    beginning.keepsBytes = false
    beginning.append(stream.bytes(at: 0, upTo: 1 << 16) ?? [])
    guard beginning.properties?.layers[0].codec == .mp3, beginning.properties?.packetCount == nil,
      unsafe cffmpeg_table() != nil, let survey = PacketSurvey(of: stream),
      let layer = survey.properties?.layers[0]
    else { return nil }
    return try packets(
      stream, survey.table, .mp3, cookie: [], channelCount: layer.channelCount, container: .mp3,
      layer: nil, path: path)
  }

  private static func packets(
    _ stream: FileStream, _ table: PacketTable, _ codec: SoundCodec, cookie: [UInt8],
    channelCount: Int, container: SoundFileFormat.Container, layer: SoundCodec?, path: String
  ) throws(SoundFileError) -> OpenedSound? {
    let library = try unsafe FFmpegLibrary.table(for: path)
    let config = [.aac, .aacHE, .aacHEv2].contains(codec) ? AudioSpecificConfig(cookie) : nil
    let wanted = layer.flatMap { config?.bytes(for: $0) } ?? cookie
    let parameters = try unsafe CodecParameters(
      library, codec: layer ?? codec, cookie: wanted, hertz: table.hertz,
      channelCount: channelCount, path: path)
    let feed = TablePackets(stream, table, codec: layer ?? codec, parameters)
    let sound = try unsafe DecodedSound(feed, library, path: path)
    guard let scale = FrameScale(decodedHertz: sound.shape.hertz, countedHertz: table.hertz)
    else { return nil }
    feed.scale = scale
    var extent = DecodedSound.Extent()
    extent.priming = scale.decoded(Int64(table.primingFrameCount))
    let pieces = table.pieces.map { scale.decoded($0.lowerBound)..<scale.decoded($0.upperBound) }
    let end = scale.decoded(table.decodedFrameCount - Int64(table.remainderFrameCount))
    extent.frameCount = max(0, end - extent.priming)
    extent.isFilledUp = true
    guard sound.setExtent(extent) else {
      throw .notSoundFile(path: path, reason: "it cannot be read twice")
    }
    let layers = Self.layers(config, sound.shape, table, codec)
    let wrapping = [.m4a: "MPEG-4", .aac: "ADTS"][container] ?? "MPEG-1/2 Audio"
    let name = "\(wrapping), \(layer ?? layers[0].codec)"
    var opened = try OpenedSound(sound, name: name, metadata: SoundFileMetadata(), path: path)
    opened.frameCount = Int(clamping: pieces.reduce(Int64(0)) { $0 + Int64($1.count) })
    if pieces.count > 1 {
      opened.source = PiecedFrames(
        sound, channelCount: sound.shape.channelCount,
        pieces.map { $0.lowerBound - extent.priming..<$0.upperBound - extent.priming })
    }
    opened.layers = layers
    opened.isPacked = true
    opened.format = Self.format(container, sound.integerBits)
    return opened
  }

  /// What the configuration tells, and what only the packets do: that a decoder has found more in
  /// them than that.
  private static func layers(
    _ config: AudioSpecificConfig?, _ shape: DecoderHandle.Shape, _ table: PacketTable,
    _ codec: SoundCodec
  ) -> [SoundLayer] {
    guard let config else {
      let frames = table.packets.first?.frameCount ?? 0
      return [
        SoundLayer(
          codec: codec, hertz: shape.hertz, channelCount: shape.channelCount,
          framesPerPacket: frames)
      ]
    }
    return config.layers(found: shape.hertz, channelCount: shape.channelCount)
  }
}

extension OpenedSound {
  /// The format of a container that holds integers of some bits, or none; nil where it cannot be
  /// written.
  private static func format(
    _ container: SoundFileFormat.Container, _ bits: Int?
  ) -> SoundFileFormat? {
    let encoding = container.encodings.first { $0.integerBits == bits }
    guard let encoding else { return nil }
    do { return try SoundFileFormat(container, encoding) } catch { return nil }
  }

  /// Opens what FFmpeg reads.
  static func demuxed(_ stream: FileStream, path: String) throws(SoundFileError) -> OpenedSound {
    let library = try unsafe FFmpegLibrary.table(for: path)
    let packets = try unsafe DemuxedPackets(stream, library, path: path)
    let sound = try unsafe DecodedSound(packets, library, path: path)
    let codec = packets.demuxer.codecName
    var metadata = SoundFileMetadata()
    metadata.tags = SoundFileMetadata.tags(named: packets.demuxer.texts)
    metadata.markers = packets.demuxer.chapters(hertz: sound.shape.hertz).map {
      SoundFileMetadata.Marker(position: SampleTime(frames: $0.frame), name: $0.title)
    }
    var opened = try OpenedSound(sound, name: "FFmpeg, \(codec)", metadata: metadata, path: path)
    if let count = packets.demuxer.frameCount(hertz: sound.shape.hertz) {
      (opened.frameCount, opened.isEstimated) = (count.value, !count.isExact)
    }
    if codec == "wavpack" { opened.format = format(.wv, sound.integerBits) }
    opened.layers = [
      SoundLayer(
        codec: SoundCodec(rawValue: codec), hertz: sound.shape.hertz,
        channelCount: sound.shape.channelCount, framesPerPacket: 0)
    ]
    return opened
  }
}
