// SPDX-License-Identifier: Apache-2.0

internal import MusicalTime

/// The property by which a sound differs from another sound, so that they cannot be joined.
///
/// The first value of a case is that of the sound, and the second that of the other sound.
public enum SoundDifference: Hashable, Sendable {
  /// The codecs differ.
  case codec(SoundCodec, SoundCodec)
  /// The sample rates differ; both are in hertz.
  case rate(Int, Int)
  /// The numbers of channels differ.
  case channels(Int, Int)
  /// The encodings of the samples differ.
  case bits(SoundFileFormat.Encoding, SoundFileFormat.Encoding)
  /// Another setting of the decoder differs, in the magic cookie.
  case settings

  /// Finds the first property that prevents two sounds from being joined; nil if they can be
  /// joined.
  ///
  /// The codecs of lossy files are not compared.
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

  /// Finds the first property that prevents one decoder from decoding the packets of two files; nil
  /// if one can.
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

  /// The difference as words, with the name of the other file.
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

  /// The conversion options that remove the difference.
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
  /// True if samples are stored without loss.
  fileprivate var isExact: Bool { integerBits != nil || isFloatingPoint }
}

extension PacketReader {
  /// The settings of the decoder that must be equal for packets to follow one another.
  fileprivate var settings: [Int] {
    switch formats.last?.codec {
    case .alac:
      // The frames in a packet, the bits, and the packing; the largest packet and the bitrate may
      // differ. Source: Apple, ALACMagicCookieDescription.
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
