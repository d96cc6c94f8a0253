// SPDX-License-Identifier: Apache-2.0
internal import CFFmpeg
internal import MusicalTime

extension OpenedSound {
  /// Opens a Core Audio Format file: samples by libsndfile, packets by FFmpeg's decoders.
  ///
  /// - Throws: `SoundFileError.notSoundFile` if a required chunk is missing or the codec is not
  ///   supported; `.codecsMissing` if FFmpeg is needed and not installed.
  static func caf(
    _ stream: FileStream, path: String, layer: SoundCodec?
  ) throws(SoundFileError) -> OpenedSound {
    guard let file = CAFSound(of: stream) else {
      throw .notSoundFile(
        path: path, reason: "its description (desc) or its sound (data) is missing or damaged")
    }
    var sound = try decoded(file, stream, path: path, layer: layer)
    let hertz = file.description.hertz
    sound.metadata =
      CAFMetadata(
        file.chunks, hertz: hertz,
        seconds: sound.frameCount == .max ? nil : Double(sound.frameCount) / hertz
      ).metadata
    return sound
  }

  private static func decoded(
    _ file: CAFSound, _ stream: FileStream, path: String, layer: SoundCodec?
  ) throws(SoundFileError) -> OpenedSound {
    let codec = file.description.codec
    guard !CAFSound.isPlain(codec) else {
      var sound = try sndFile(stream, path: path)
      // FFmpeg, which reads files that libsndfile rejects, calculates the length from a duration.
      if sound.isEstimated || sound.format == nil, let count = file.plainFrameCount {
        (sound.frameCount, sound.isEstimated) = (count, false)
      }
      return sound
    }
    guard let packets = file.packets else {
      guard file.description.bytesPerPacket > 0 else {
        throw .notSoundFile(path: path, reason: "its packet table (pakt) is missing or damaged")
      }
      return try demuxed(stream, path: path)
    }
    guard CodecParameters.identifier(of: codec) != nil else {
      return try others(packets.table, stream, path: path)
    }
    if codec == .alac, unsafe cffmpeg_table() == nil {
      var sound = try sndFile(stream, path: path)
      sound.frameCount = Int(clamping: packets.table.frameCount)
      return sound
    }
    guard !packets.table.packets.isEmpty || packets.missingCount == 0 else {
      throw .cutOff(path: path, .packets(packets.missingCount, of: packets.missingCount))
    }
    let found = try Self.packets(
      stream, packets.table, codec, cookie: file.cookie,
      channelCount: file.description.channelCount, container: .caf, layer: layer, path: path)
    guard var sound = found else { return try demuxed(stream, path: path) }
    if packets.missingCount > 0 {
      let all = packets.missingCount + packets.table.packets.count
      sound.shortfall = .packets(packets.missingCount, of: all)
    }
    return sound
  }

  /// Opens packets of a codec that only FFmpeg's reader of CAF supports; the length is that of the
  /// table.
  private static func others(
    _ table: PacketTable, _ stream: FileStream, path: String
  ) throws(SoundFileError) -> OpenedSound {
    var sound = try demuxed(stream, path: path)
    if table.frameCount > 0, table.hertz == Int(sound.rate.hertz) {
      (sound.frameCount, sound.isEstimated) = (Int(clamping: table.frameCount), false)
    }
    return sound
  }
}
