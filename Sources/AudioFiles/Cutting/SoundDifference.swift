// SPDX-License-Identifier: Apache-2.0

internal import MusicalTime

/// In what a sound differs from another that it is to be joined to: its own, then the other's.
public enum SoundDifference: Hashable, Sendable {
  /// The codec.
  case codec(SoundCodec, SoundCodec)
  /// Frames a second.
  case rate(Int, Int)
  /// The samples in a frame.
  case channels(Int, Int)
  /// How a sample is stored.
  case bits(SoundFileFormat.Encoding, SoundFileFormat.Encoding)
  /// What a decoder is to know besides.
  case settings

  /// The first difference between two sounds whose samples are to follow one another; nil where there
  /// is none.
  ///
  /// How a lossy codec stores them is none.
  public init?(_ reader: SoundFileReader, _ first: SoundFileReader) {
    let (own, other) = (reader.format?.encoding, first.format?.encoding)
    if reader.rate != first.rate {
      self = .rate(Int(reader.rate.hertz), Int(first.rate.hertz))
    } else if reader.channelCount != first.channelCount {
      self = .channels(reader.channelCount, first.channelCount)
    } else if let own, let other, own != other, own.isExact, other.isExact {
      self = .bits(own, other)
    } else {
      return nil
    }
  }

  /// The first difference between two files whose packets are to be decoded as one; nil where there
  /// is none.
  init?(_ reader: PacketReader, _ first: PacketReader) {
    let (own, other) = (reader.core, first.core)
    if reader.formats.first?.codec != first.formats.first?.codec, let own = reader.formats.first,
      let other = first.formats.first
    {
      self = .codec(own.codec, other.codec)
    } else if reader.table.hertz != first.table.hertz {
      self = .rate(reader.table.hertz, first.table.hertz)
    } else if let own, let other, own.channelCount != other.channelCount {
      self = .channels(own.channelCount, other.channelCount)
    } else if reader.settings != first.settings {
      self = .settings
    } else {
      return nil
    }
  }

  /// What is to be said of the one file, where the other has a name.
  func words(besides first: String) -> String {
    switch self {
    case .codec(let own, let other): "its codec is \(own), that of \(first) is \(other)"
    case .rate(let own, let other): "its sample rate is \(own) Hz, that of \(first) is \(other) Hz"
    case .channels(let own, let other):
      "it has \(Self.count(own)), \(first) has \(Self.count(other))"
    case .bits(let own, let other):
      "it contains \(Self.name(own)), \(first) contains \(Self.name(other))"
    case .settings: "its encoder settings differ from those of \(first)"
    }
  }

  /// What makes it alike, as options of a conversion.
  var remedy: String {
    switch self {
    case .codec, .settings: "re-encode both files with downbeat sound convert"
    case .rate(_, let hertz): "use downbeat sound convert --rate \(hertz)"
    case .channels(_, let count): "use downbeat sound convert --channels \(count)"
    case .bits(_, let encoding): "use downbeat sound convert --bits \(encoding.rawValue)"
    }
  }

  private static func count(_ channels: Int) -> String {
    channels == 1 ? "one channel" : "\(channels) channels"
  }

  private static func name(_ encoding: SoundFileFormat.Encoding) -> String {
    encoding.integerBits.map { "\($0)-bit integers" } ?? encoding.rawValue
  }
}

extension SoundFileFormat.Encoding {
  /// Whether samples are stored as they are.
  fileprivate var isExact: Bool { integerBits != nil || isFloatingPoint }
}

extension PacketReader {
  /// What a decoder is to know, in a form that is the same where the packets can follow one another.
  fileprivate var settings: [Int] {
    switch formats.last?.codec {
    case .alac:
      // Frames in a packet, bits, and how it is packed; not the largest packet and the bitrate, which
      // are the file's own. Source: Apple, ALACMagicCookieDescription.
      return magicCookie.dropFirst(12).prefix(12).map(Int.init)
    case .mp3:
      guard let header = packet(0).flatMap({ MPEGAudioHeader($0[...]) }) else { return [] }
      return [header.version, header.layer]
    default:
      guard let config = AudioSpecificConfig(magicCookie) else { return magicCookie.map(Int.init) }
      return [config.objectType, config.framesPerPacket]
    }
  }
}
