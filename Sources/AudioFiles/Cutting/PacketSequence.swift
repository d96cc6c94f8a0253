// SPDX-License-Identifier: Apache-2.0

/// The packets of a new file in their order, as they are stored in other files, and the frames that
/// are padding.
struct PacketSequence {
  /// Consecutive packets of a file.
  struct Run {
    let reader: PacketReader
    /// Their indices in the file's packet table.
    let packets: Range<Int>
  }

  /// The runs in order, at least one.
  let runs: [Run]
  /// The packet before the first one, if that packet uses bytes of earlier packets.
  let reservoir: ReservoirPacket?
  /// Decoded frames before the first frame of sound.
  let primingFrameCount: Int
  /// Decoded frames after the last frame of sound.
  let remainderFrameCount: Int
  /// Padding within the sound, as ranges of decoded frames.
  let gaps: [Range<Int64>]
  /// The number of frames of sound.
  let frameCount: Int64

  /// The first file, whose codec and parameters all files have.
  var reader: PacketReader { runs[0].reader }
}

extension PacketSequence.Run {
  /// Reads a packet of the run by its index in the table.
  ///
  /// - Throws: `SoundFileError.cutOff` if the file was truncated since it was opened.
  func packet(_ number: Int) throws(SoundFileError) -> [UInt8] {
    guard let packet = reader.packet(number) else {
      let missing = packets.upperBound - number
      throw .cutOff(path: reader.path, .packets(missing, of: reader.table.packets.count))
    }
    return packet
  }
}

extension PacketSequence {
  /// The first packet of an MP3 file with packets of these sizes and this checksum; nil if the
  /// packets are too small for it.
  func infoPacket(_ sizes: [Int], _ sum: UInt16) -> InfoPacket? {
    reader.packet(runs[0].packets.lowerBound).flatMap {
      InfoPacket(
        header: Array($0.prefix(4)), sizes: sizes, priming: primingFrameCount,
        remainder: remainderFrameCount, sum: sum)
    }
  }

  /// The magic cookie.
  ///
  /// If several ALAC files are joined, it does not state the largest packet and the bitrate.
  ///
  /// Source: Apple, ALACMagicCookieDescription (0 is unknown).
  private var cookie: [UInt8] {
    var cookie = reader.magicCookie
    if reader.core?.codec == .alac, runs.count > 1, cookie.count >= 36 {
      cookie.replaceSubrange(24..<32, with: Array(repeating: 0, count: 8))
    }
    return cookie
  }

  /// The head of an M4A file with the packets.
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
