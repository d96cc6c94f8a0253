// SPDX-License-Identifier: Apache-2.0
public import CoreAudio

/// The format of samples: of sound, an `AudioStreamBasicDescription` with a channel layout and the
/// configuration of a decoder.
///
/// - Note: Any thread; a description does not change.
@safe
public final class CMFormatDescription: @unchecked Sendable {
  // Unchecked: the memory is written in the initialiser only.

  let description: UnsafeMutablePointer<AudioStreamBasicDescription>
  let formats: UnsafeMutableBufferPointer<AudioFormatListItem>
  let cookie: UnsafeMutableRawBufferPointer
  let layout: ManagedAudioChannelLayout?

  /// Creates a description.
  ///
  /// - Parameters:
  ///   - description: The format.
  ///   - layout: The order of the channels, or nil.
  ///   - cookie: The configuration of a decoder in Core Audio's form; empty for none.
  ///   - formats: Other ways to decode the same packets, the richest first.
  package init(
    _ description: AudioStreamBasicDescription, layout: ManagedAudioChannelLayout? = nil,
    cookie: [UInt8] = [], formats: [AudioStreamBasicDescription] = []
  ) {
    unsafe self.description = .allocate(capacity: 1)
    unsafe self.description.initialize(to: description)
    self.layout = layout
    let items = (formats.isEmpty ? [description] : formats).map {
      AudioFormatListItem(mASBD: $0, mChannelLayoutTag: layout?.tag ?? Self.tag($0))
    }
    unsafe self.formats = .allocate(capacity: items.count)
    _ = unsafe self.formats.initialize(from: items)
    unsafe self.cookie = .allocate(byteCount: cookie.count, alignment: 16)
    unsafe self.cookie.copyBytes(from: cookie)
  }

  deinit {
    unsafe description.deallocate()
    unsafe formats.deallocate()
    unsafe cookie.deallocate()
  }

  private static func tag(_ description: AudioStreamBasicDescription) -> AudioChannelLayoutTag {
    switch description.mChannelsPerFrame {
    case 1: kAudioChannelLayoutTag_Mono
    case 2: kAudioChannelLayoutTag_Stereo
    default: kAudioChannelLayoutTag_Unknown | (description.mChannelsPerFrame & 0xFFFF)
    }
  }

  /// Creates a description of sound.
  ///
  /// - Parameters:
  ///   - audioStreamBasicDescription: The format.
  ///   - layout: The order of the channels, or nil.
  ///   - magicCookie: The configuration of a decoder, or nil.
  ///   - extensions: Not used.
  /// - Throws: An `NSError` with `kCMFormatDescriptionError_InvalidParameter` for a format without an
  ///   id.
  public convenience init(
    audioStreamBasicDescription: AudioStreamBasicDescription,
    layout: ManagedAudioChannelLayout? = nil, magicCookie: Data? = nil,
    extensions: CFDictionary? = nil
  ) throws {
    guard audioStreamBasicDescription.mFormatID != 0 else {
      throw NSError(
        domain: NSOSStatusErrorDomain, code: Int(kCMFormatDescriptionError_InvalidParameter))
    }
    self.init(
      audioStreamBasicDescription, layout: layout, cookie: magicCookie.map { [UInt8]($0) } ?? [])
  }

  /// The kind of media: sound.
  public var mediaType: MediaType { .audio }

  /// The codec.
  public var mediaSubType: MediaSubType {
    MediaSubType(rawValue: unsafe description.pointee.mFormatID)
  }

  /// The format of the sound.
  public var audioStreamBasicDescription: AudioStreamBasicDescription? {
    unsafe description.pointee
  }

  /// The order of the channels, or nil.
  public var audioChannelLayout: ManagedAudioChannelLayout? { layout }

  /// The configuration of a decoder, or nil.
  public var magicCookie: Data? { unsafe cookie.isEmpty ? nil : Data(cookie) }

  /// The ways to decode the packets, the richest first.
  public var audioFormatList: [AudioFormatListItem] { unsafe Array(formats) }

  /// The richest way to decode the packets.
  public var richestDecodableFormat: AudioFormatListItem? { unsafe formats.first }

  /// The most compatible way to decode the packets.
  public var mostCompatibleFormat: AudioFormatListItem? { unsafe formats.last }
}

/// A format of sound.
public typealias CMAudioFormatDescription = CMFormatDescription

extension CMFormatDescription: Hashable {
  /// True if two descriptions mean the same.
  public static func == (lhs: CMFormatDescription, rhs: CMFormatDescription) -> Bool {
    let (one, two) = unsafe (lhs.description.pointee, rhs.description.pointee)
    let fields = { (format: AudioStreamBasicDescription) in
      [
        format.mFormatID, format.mFormatFlags, format.mBytesPerPacket, format.mFramesPerPacket,
        format.mBytesPerFrame, format.mChannelsPerFrame, format.mBitsPerChannel,
      ]
    }
    return one.mSampleRate == two.mSampleRate && fields(one) == fields(two)
      && lhs.layout == rhs.layout && lhs.magicCookie == rhs.magicCookie
  }

  /// Hashes the codec, the sample rate and the number of channels.
  public func hash(into hasher: inout Hasher) {
    let format = unsafe description.pointee
    hasher.combine(format.mFormatID)
    hasher.combine(format.mSampleRate)
    hasher.combine(format.mChannelsPerFrame)
  }
}

extension CMFormatDescription {
  /// A kind of media.
  public struct MediaType: RawRepresentable, Hashable, Sendable {
    /// Four letters.
    public var rawValue: UInt32

    /// Creates a kind.
    ///
    /// - Parameter rawValue: Four letters.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Sound.
    public static let audio = MediaType(rawValue: kCMMediaType_Audio)
    /// Pictures.
    public static let video = MediaType(rawValue: kCMMediaType_Video)
  }

  /// A codec.
  public struct MediaSubType: RawRepresentable, Hashable, Sendable {
    /// Four letters, as in Core Audio.
    public var rawValue: UInt32

    /// Creates a codec.
    ///
    /// - Parameter rawValue: Four letters.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// PCM samples.
    public static let linearPCM = MediaSubType(rawValue: kAudioFormatLinearPCM)
    /// AAC.
    public static let mpeg4AAC = MediaSubType(rawValue: kAudioFormatMPEG4AAC)
    /// HE-AAC.
    public static let mpeg4AAC_HE = MediaSubType(rawValue: kAudioFormatMPEG4AAC_HE)
    /// HE-AAC version 2.
    public static let mpeg4AAC_HE_V2 = MediaSubType(rawValue: kAudioFormatMPEG4AAC_HE_V2)
    /// Apple's lossless codec.
    public static let appleLossless = MediaSubType(rawValue: kAudioFormatAppleLossless)
    /// MP3.
    public static let mpegLayer3 = MediaSubType(rawValue: kAudioFormatMPEGLayer3)
    /// FLAC.
    public static let flac = MediaSubType(rawValue: kAudioFormatFLAC)
    /// Opus.
    public static let opus = MediaSubType(rawValue: kAudioFormatOpus)
  }
}
