// SPDX-License-Identifier: Apache-2.0
public import CoreAudio

/// The format of the samples of a sample buffer.
///
/// For audio, it contains an `AudioStreamBasicDescription`, and optionally a channel layout and a
/// magic cookie, which configures the decoder.
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
  ///   - layout: The order of the channels; may be nil.
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

  /// Creates a format description for audio.
  ///
  /// - Parameters:
  ///   - audioStreamBasicDescription: The audio format.
  ///   - layout: The channel layout; may be nil.
  ///   - magicCookie: The configuration of the decoder; may be nil.
  ///   - extensions: Ignored.
  /// - Throws: An `NSError` with `kCMFormatDescriptionError_InvalidParameter` if `mFormatID` is 0.
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

  /// The media type; always audio.
  public var mediaType: MediaType { .audio }

  /// The codec of the samples.
  public var mediaSubType: MediaSubType {
    MediaSubType(rawValue: unsafe description.pointee.mFormatID)
  }

  /// The audio format.
  public var audioStreamBasicDescription: AudioStreamBasicDescription? {
    unsafe description.pointee
  }

  /// The channel layout; nil if it is unknown.
  public var audioChannelLayout: ManagedAudioChannelLayout? { layout }

  /// The magic cookie, which configures the decoder; nil if the codec does not need one.
  public var magicCookie: Data? { unsafe cookie.isEmpty ? nil : Data(cookie) }

  /// The formats to which the packets can be decoded, the richest first.
  public var audioFormatList: [AudioFormatListItem] { unsafe Array(formats) }

  /// The richest format to which the packets can be decoded.
  public var richestDecodableFormat: AudioFormatListItem? { unsafe formats.first }

  /// The most compatible format to which the packets can be decoded.
  public var mostCompatibleFormat: AudioFormatListItem? { unsafe formats.last }
}

/// A format description for audio.
public typealias CMAudioFormatDescription = CMFormatDescription

extension CMFormatDescription: Hashable {
  /// Returns true if two descriptions describe the same format.
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
  /// A media type, such as audio.
  public struct MediaType: RawRepresentable, Hashable, Sendable {
    /// The four-character code of the media type.
    public var rawValue: UInt32

    /// Creates a media type.
    ///
    /// - Parameter rawValue: The four-character code.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Audio.
    public static let audio = MediaType(rawValue: kCMMediaType_Audio)
    /// Video.
    public static let video = MediaType(rawValue: kCMMediaType_Video)
  }

  /// A codec.
  public struct MediaSubType: RawRepresentable, Hashable, Sendable {
    /// The four-character code of the codec, as in `mFormatID`.
    public var rawValue: UInt32

    /// Creates a media subtype.
    ///
    /// - Parameter rawValue: The four-character code of the codec.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Linear PCM.
    public static let linearPCM = MediaSubType(rawValue: kAudioFormatLinearPCM)
    /// AAC.
    public static let mpeg4AAC = MediaSubType(rawValue: kAudioFormatMPEG4AAC)
    /// HE-AAC.
    public static let mpeg4AAC_HE = MediaSubType(rawValue: kAudioFormatMPEG4AAC_HE)
    /// HE-AAC version 2.
    public static let mpeg4AAC_HE_V2 = MediaSubType(rawValue: kAudioFormatMPEG4AAC_HE_V2)
    /// Apple Lossless (ALAC).
    public static let appleLossless = MediaSubType(rawValue: kAudioFormatAppleLossless)
    /// MP3.
    public static let mpegLayer3 = MediaSubType(rawValue: kAudioFormatMPEGLayer3)
    /// FLAC.
    public static let flac = MediaSubType(rawValue: kAudioFormatFLAC)
    /// Opus.
    public static let opus = MediaSubType(rawValue: kAudioFormatOpus)
  }
}
