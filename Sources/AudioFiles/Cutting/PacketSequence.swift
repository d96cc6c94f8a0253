// SPDX-License-Identifier: Apache-2.0

/// The packets of a new file in their order, as they stand in others, and which of their frames are
/// not sound.
struct PacketSequence {
  /// Packets that follow one another in a file.
  struct Run {
    let reader: PacketReader
    /// Their numbers in its table.
    let packets: Range<Int>
  }

  /// One or more.
  let runs: [Run]
  /// What stands before the first, where that one begins in bytes of those before.
  let reservoir: ReservoirPacket?
  /// Decoded frames before the first that is sound.
  let primingFrameCount: Int
  /// Decoded frames behind the last that is sound.
  let remainderFrameCount: Int
  /// Decoded frames amid the sound that are none, counted from the first that is decoded.
  let gaps: [Range<Int64>]
  /// Frames of sound.
  let frameCount: Int64

  /// The file whose codec and parameters all have.
  var reader: PacketReader { runs[0].reader }
}

extension PacketSequence.Run {
  /// A packet of the run by its number in the table.
  ///
  /// - Throws: `SoundFileError.cutOff` where the file has become shorter.
  func packet(_ number: Int) throws(SoundFileError) -> [UInt8] {
    guard let packet = reader.packet(number) else {
      let missing = packets.upperBound - number
      throw .cutOff(path: reader.path, .packets(missing, of: reader.table.packets.count))
    }
    return packet
  }
}

extension PacketSequence {
  /// What begins an MP3 file of the packets, whose sizes and sum it has; nil where they have no room
  /// for it.
  func infoPacket(_ sizes: [Int], _ sum: UInt16) -> InfoPacket? {
    reader.packet(runs[0].packets.lowerBound).flatMap {
      InfoPacket(
        header: Array($0.prefix(4)), sizes: sizes, priming: primingFrameCount,
        remainder: remainderFrameCount, sum: sum)
    }
  }

  /// What a decoder is to know: of ALAC without its largest packet and its bitrate, where several
  /// files have their own.
  ///
  /// Source: Apple, ALACMagicCookieDescription (0 is unknown).
  private var cookie: [UInt8] {
    var cookie = reader.magicCookie
    if reader.core?.codec == .alac, runs.count > 1, cookie.count >= 36 {
      cookie.replaceSubrange(24..<32, with: Array(repeating: 0, count: 8))
    }
    return cookie
  }

  /// What begins an M4A file of the packets.
  func head(_ tags: [SoundFileMetadata.Tag: String]) -> MP4Head {
    let layer = reader.core
    let packets = runs.flatMap { run in
      run.packets.map {
        MP4Head.Packet(
          byteCount: run.reader.table.packets[$0].byteCount,
          frameCount: run.reader.wholeFrameCount(of: $0))
      }
    }
    return MP4Head(
      codec: layer?.codec ?? .aac, cookie: cookie,
      channelCount: layer?.channelCount ?? 2, hertz: reader.table.hertz, packets: packets,
      primingFrameCount: primingFrameCount, frameCount: frameCount, gaps: gaps, tags: tags)
  }
}
