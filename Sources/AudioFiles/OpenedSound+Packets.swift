// SPDX-License-Identifier: Apache-2.0
internal import CFFmpeg
internal import CSndFile
internal import MusicalTime

extension OpenedSound {
  /// Opens an MP4 file; nil if another reader must read its index.
  static func mp4(
    _ stream: FileStream, path: String, layer: SoundCodec?
  ) throws(SoundFileError) -> OpenedSound? {
    guard let index = MP4Index.content(of: stream) else {
      throw .notSoundFile(path: path, reason: "its index (moov) is missing")
    }
    let length = stream.length
    guard let file = MP4Sound(index: index[...], length: length) else {
      if MP4Sound.namesTooMany(index: index[...], length: length) {
        throw .notSoundFile(
          path: path, reason: "its index (moov) lists more packets than fit in the file")
      }
      return nil
    }
    let table = file.allPackets(of: stream)
    guard !table.packets.isEmpty else {
      if file.missingCount == 0 { return nil }
      throw .cutOff(path: path, .packets(file.missingCount, of: file.missingCount))
    }
    guard
      var sound = try packets(
        stream, table, file.codec, cookie: file.cookie, channelCount: file.channelCount,
        container: .m4a, layer: layer, path: path)
    else { return nil }
    sound.metadata.tags = file.tags
    sound.metadata.markers = file.chapters.map {
      let frame = Int128($0.time) * Int128(sound.rate.hertz) / 10_000_000
      return SoundFileMetadata.Marker(
        position: SampleTime(frames: Int64(clamping: frame)), name: $0.title)
    }
    if file.missingCount > 0 {
      let all = file.missingCount + table.packets.count
      sound.shortfall = .packets(file.missingCount, of: all)
    }
    return sound
  }

  /// Opens AAC with ADTS headers.
  static func adts(
    _ stream: FileStream, path: String, layer: SoundCodec?
  ) throws(SoundFileError) -> OpenedSound {
    guard let survey = PacketSurvey(of: stream) else {
      throw .notSoundFile(path: path, reason: "it does not contain packets")
    }
    survey.finish()
    let properties = survey.properties
    let core = properties.layers[properties.layers.count - 1]
    let sound = try packets(
      stream, survey.table, .aac, cookie: properties.magicCookie,
      channelCount: core.channelCount, container: .aac, layer: layer, path: path)
    if let sound { return sound }
    return try demuxed(stream, path: path)
  }

  /// Opens an MP3 file; nil if it is another format, or only libsndfile can read it.
  ///
  /// Packets are located while they are read, so in a file that was read before a seek is
  /// immediate. A file that does not state its length is scanned to its end, because libsndfile
  /// would guess the length from the first packet, and stop there.
  static func mp3(
    _ stream: FileStream, _ shortfall: SoundShortfall?, path: String
  ) -> OpenedSound? {
    guard let survey = PacketSurvey(of: stream, patience: 1 << 16),
      survey.properties.layers[0].codec == .mp3, unsafe cffmpeg_table() != nil
    else { return nil }
    if survey.properties.packetCount == nil { survey.finish() }
    do {
      let found = try packets(
        stream, survey.table, survey: survey, .mp3, cookie: [],
        channelCount: survey.properties.layers[0].channelCount, container: .mp3, layer: nil,
        path: path)
      return found.map { describe($0, stream, shortfall) }
    } catch {
      return nil
    }
  }

  /// Adds the tags and the format name that libsndfile reads from an MP3 file.
  private static func describe(
    _ sound: OpenedSound, _ stream: FileStream, _ shortfall: SoundShortfall?
  ) -> OpenedSound {
    var sound = sound
    sound.shortfall = shortfall
    _ = stream.seek(0, 0)
    do {
      let frames = try SndFileFrames(stream, path: "")
      sound.metadata = frames.handle.metadata()
      sound.formatName = SndFileFrames.name(ofFormat: Int(frames.handle.shape.format))
    } catch {
      // The sound can be played without its tags.
    }
    return sound
  }

  static func packets(
    _ stream: FileStream, _ table: PacketTable, survey: PacketSurvey? = nil, _ codec: SoundCodec,
    cookie: [UInt8], channelCount: Int, container: SoundFileFormat.Container?,
    layer: SoundCodec?, path: String
  ) throws(SoundFileError) -> OpenedSound? {
    let library = try unsafe FFmpegLibrary.table(for: path)
    let config = [.aac, .aacHE, .aacHEv2].contains(codec) ? AudioSpecificConfig(cookie) : nil
    let wanted = layer.flatMap { config?.bytes(for: $0) } ?? cookie
    let parameters = try unsafe CodecParameters(
      library, codec: layer ?? codec, cookie: wanted, hertz: table.hertz,
      channelCount: channelCount, framesPerPacket: table.packets.first?.frameCount ?? 0, path: path)
    let feed = TablePackets(stream, table, survey, codec: layer ?? codec, parameters)
    let sound = try unsafe DecodedSound(feed, library, path: path)
    guard let scale = FrameScale(decodedHertz: sound.shape.hertz, countedHertz: table.hertz)
    else { return nil }
    feed.scale = scale
    let said = survey.flatMap { Self.pieceSaid($0.properties) }
    let pieces = (said.map { [$0] } ?? table.pieces).map {
      scale.decoded($0.lowerBound)..<scale.decoded($0.upperBound)
    }
    guard sound.setExtent(Self.extent(of: pieces, isFilledUp: said == nil)) else {
      throw .notSoundFile(path: path, reason: "it cannot be read twice")
    }
    let layers = Self.layers(config, sound.shape, table, codec)
    let name = "\(Self.name(of: container, codec)), \(layer ?? layers[0].codec)"
    var opened = try OpenedSound(sound, name: name, metadata: SoundFileMetadata(), path: path)
    opened.frameCount = Int(clamping: pieces.reduce(Int64(0)) { $0 + Int64($1.count) })
    if pieces.count > 1 {
      opened.source = PiecedFrames(
        sound, channelCount: sound.shape.channelCount,
        pieces.map { $0.lowerBound - pieces[0].lowerBound..<$0.upperBound - pieces[0].lowerBound })
    }
    opened.layers = layers
    opened.isPacked = true
    opened.format = container.flatMap { Self.format($0, codec, sound.integerBits) }
    return opened
  }

  /// The name of a container, or of the reader of a codec without a container.
  private static func name(
    of container: SoundFileFormat.Container?, _ codec: SoundCodec
  ) -> String {
    switch container {
    case .m4a: "MPEG-4"
    case .aac: "ADTS"
    case .caf: "CAF (Apple Core Audio File)"
    case .mp3: "MPEG-1/2 Audio"
    default: "FFmpeg"
    }
  }

  /// The range of decoded frames that are sound, as an encoder states it; nil if it does not.
  private static func pieceSaid(_ properties: SoundStream.Properties) -> Range<Int64>? {
    guard let count = properties.packetCount else { return nil }
    let start = Int64(properties.primingFrameCount)
    let end = Int64(count) * Int64(properties.framesPerPacket)
    return start..<max(start, end - Int64(properties.remainderFrameCount))
  }

  private static func extent(of pieces: [Range<Int64>], isFilledUp: Bool) -> DecodedSound.Extent {
    var extent = DecodedSound.Extent()
    extent.priming = pieces.first?.lowerBound ?? 0
    extent.frameCount = (pieces.last?.upperBound ?? 0) - extent.priming
    extent.isFilledUp = isFilledUp
    return extent
  }

  /// The layers of the configuration, and those that only the decoder finds in the packets.
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
  /// The format for a container and the bits of its integers, if it has any; nil if it cannot be
  /// written.
  private static func format(
    _ container: SoundFileFormat.Container, _ codec: SoundCodec, _ bits: Int?
  ) -> SoundFileFormat? {
    let encoding =
      container == .caf
      ? SoundFileFormat.Encoding(codec, bits: bits)
      : container.encodings.first { $0.integerBits == bits }
    guard let encoding else { return nil }
    do { return try SoundFileFormat(container, encoding) } catch { return nil }
  }

  /// Opens a file with FFmpeg.
  static func demuxed(_ stream: FileStream, path: String) throws(SoundFileError) -> OpenedSound {
    let library = try unsafe FFmpegLibrary.table(for: path)
    let packets = try unsafe DemuxedPackets(stream, library, path: path)
    let sound = try unsafe DecodedSound(packets, library, path: path)
    let codec = packets.demuxer.codecName
    let known = SoundCodec(ffmpeg: codec)
    var extent = DecodedSound.Extent()
    extent.priming = FFmpegLibrary.primingKept(of: codec, hertz: sound.shape.hertz)
    // Setting the extent starts over with a new decoder.
    guard extent.priming == 0 || sound.setExtent(extent) else {
      throw .notSoundFile(path: path, reason: "it cannot be read twice")
    }
    var metadata = SoundFileMetadata()
    metadata.tags = SoundFileMetadata.tags(named: packets.demuxer.texts)
    metadata.markers = packets.demuxer.chapters(hertz: sound.shape.hertz).map {
      SoundFileMetadata.Marker(position: SampleTime(frames: $0.frame), name: $0.title)
    }
    var opened = try OpenedSound(sound, name: "FFmpeg, \(known)", metadata: metadata, path: path)
    if let count = packets.demuxer.frameCount(hertz: sound.shape.hertz) {
      (opened.frameCount, opened.isEstimated) = (count.value, !count.isExact)
    }
    if let count = SpeechStream.frameCount(of: stream, known) {
      (opened.frameCount, opened.isEstimated) = (count, false)
    }
    if codec == "wavpack" { opened.format = format(.wv, known, sound.integerBits) }
    opened.layers = [
      SoundLayer(
        codec: known, hertz: sound.shape.hertz,
        channelCount: sound.shape.channelCount, framesPerPacket: 0)
    ]
    return opened
  }
}
