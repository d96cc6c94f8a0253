// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import CoreAudioHandles
internal import CoreAudioTypes

/// The packets of an encoded file, to read.
final class PacketContent: AudioFileContent {
  private let reader: PacketReader
  let type: AudioFileTypeID
  let formats: [AudioStreamBasicDescription]
  let cookie: [UInt8]
  let maximumPacketSize: Int
  /// The first byte of each packet in the sound, and the end of the last.
  private let starts: [Int64]

  /// Opens the content of a file; nil if its codec cannot be described.
  init?(_ reader: PacketReader) {
    guard let first = reader.formats.first else { return nil }
    self.reader = reader
    type = Self.type(reader, first.codec)
    formats = reader.formats.map {
      AudioStreamBasicDescription($0, bits: Self.bits(reader.magicCookie, $0.codec))
    }
    cookie = MagicCookie.coreAudioCookie(reader.magicCookie, for: first.codec)
    maximumPacketSize = reader.table.packets.reduce(0) { max($0, $1.byteCount) }
    var (starts, end) = ([Int64](), Int64(0))
    starts.reserveCapacity(reader.table.packets.count + 1)
    for packet in reader.table.packets {
      starts.append(end)
      end += Int64(packet.byteCount)
    }
    self.starts = starts + [end]
  }

  /// The bits of the samples that a lossless codec has encoded, from its configuration.
  private static func bits(_ cookie: [UInt8], _ codec: SoundCodec) -> Int? {
    switch codec {
    case .alac where cookie.count > 17: Int(cookie[17])
    case .flac where cookie.count > 13: Int(cookie[12] & 1) << 4 + Int(cookie[13] >> 4) + 1
    default: nil
    }
  }

  private static func type(_ reader: PacketReader, _ codec: SoundCodec) -> AudioFileTypeID {
    switch reader.container {
    case .caf: kAudioFileCAFType
    case .adts: kAudioFileAAC_ADTSType
    case .ac3: kAudioFileAC3Type
    case .flac: kAudioFileFLACType
    case .mpegAudio:
      codec == .mp1 ? kAudioFileMP1Type : codec == .mp2 ? kAudioFileMP2Type : kAudioFileMP3Type
    case .mp4:
      switch reader.brand.prefix(3) {
      case "M4A": kAudioFileM4AType
      case "M4B": kAudioFileM4BType
      case "3gp": kAudioFile3GPType
      case "3g2": kAudioFile3GP2Type
      default: kAudioFileMPEG4Type
      }
    }
  }

  private var table: PacketTable { reader.table }
  var dataOffset: Int64 { table.packets.first?.offset ?? 0 }
  var byteCount: Int64 { starts[starts.count - 1] }
  var packetCount: Int64 { Int64(table.packets.count) }
  var validFrameCount: Int64 { table.frameCount }
  var hertz: Int { table.hertz }
  var bitRate: Double { table.bitsPerSecond }

  /// The table, in which all packets are complete: a shorter last one ends in frames after the sound.
  var packetTable: AudioFilePacketTableInfo? {
    var info = AudioFilePacketTableInfo(table)
    let length = Int64(table.packets.first?.frameCount ?? 0)
    guard format.mFramesPerPacket > 0, let last = table.packets.last else { return info }
    info.mRemainderFrames = Int32(
      clamping: Int64(info.mRemainderFrames) + max(0, length - Int64(last.frameCount)))
    return info
  }

  var layout: ChannelLayout { .usual(channelCount: reader.formats[0].channelCount) }

  func packet(_ number: Int64) -> AudioFilePacket? {
    guard (0..<packetCount).contains(number) else { return nil }
    let packet = table.packets[Int(number)]
    return AudioFilePacket(
      byte: starts[Int(number)], byteCount: packet.byteCount, frame: packet.firstFrame,
      frameCount: packet.frameCount)
  }

  func packet(ofFrame frame: Int64) -> Int64? {
    guard (0..<table.decodedFrameCount).contains(frame) else { return nil }
    return Self.last(Int(packetCount)) { table.packets[$0].firstFrame <= frame }.map(Int64.init)
  }

  func packet(ofByte byte: Int64) -> Int64? {
    guard (0..<byteCount).contains(byte) else { return nil }
    return Self.last(Int(packetCount)) { starts[$0] <= byte }.map(Int64.init)
  }

  /// The last of a number of places that has a property which the later ones do not have.
  private static func last(_ count: Int, _ has: (Int) -> Bool) -> Int? {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if has(middle) { low = middle + 1 } else { high = middle }
    }
    return low > 0 ? low - 1 : nil
  }

  func read(_ buffer: UnsafeMutableRawBufferPointer, at byte: Int64) throws(StatusError) -> Int {
    guard var number = packet(ofByte: byte).map(Int.init) else { return 0 }
    var (done, skipped) = (0, Int(byte - starts[number]))
    while done < buffer.count, number < table.packets.count {
      guard let bytes = reader.packet(number) else {
        throw StatusError(kAudioFileInvalidFileError)
      }
      let part = bytes.dropFirst(skipped).prefix(buffer.count - done)
      unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[done...]).copyBytes(from: part)
      (done, skipped, number) = (done + part.count, 0, number + 1)
    }
    return done
  }
}
