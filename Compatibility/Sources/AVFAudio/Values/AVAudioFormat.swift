// SPDX-License-Identifier: Apache-2.0
public import CoreAudio
public import Foundation

/// An audio format: an `AudioStreamBasicDescription` with an optional channel layout, as an object.
///
/// A format with more than two channels requires a channel layout.
@safe
open class AVAudioFormat: NSObject, @unchecked Sendable {
  private let description_: UnsafeMutablePointer<AudioStreamBasicDescription>
  private let cookie = CookieStore()
  /// The order of the channels; nil if a format with one or two channels was created without a
  /// layout.
  public let channelLayout: AVAudioChannelLayout?

  /// Creates a format without checks.
  ///
  /// - Parameters:
  ///   - description: The description.
  ///   - layout: A layout with as many channels; more than two channels have one.
  package init(_ description: AudioStreamBasicDescription, layout: AVAudioChannelLayout?) {
    unsafe description_ = .allocate(capacity: 1)
    unsafe description_.initialize(to: description)
    channelLayout = layout
    super.init()
  }

  deinit {
    unsafe description_.deallocate()
  }

  /// Creates a format from a stream description.
  ///
  /// The result is nil if the description does not have one or two channels.
  ///
  /// - Parameter asbd: The stream description.
  public convenience init?(streamDescription asbd: UnsafePointer<AudioStreamBasicDescription>) {
    unsafe self.init(streamDescription: asbd, channelLayout: nil)
  }

  /// Creates a format from a stream description and a channel layout.
  ///
  /// The result is nil if the description has 0 channels, if it has more than two channels and the
  /// layout is nil, or if the numbers of channels differ.
  ///
  /// - Parameters:
  ///   - asbd: The stream description.
  ///   - layout: The order of the channels; may be nil for one or two channels.
  public convenience init?(
    streamDescription asbd: UnsafePointer<AudioStreamBasicDescription>,
    channelLayout layout: AVAudioChannelLayout?
  ) {
    let description = unsafe asbd.pointee
    guard Self.fits(description.mChannelsPerFrame, layout) else { return nil }
    self.init(description, layout: layout)
  }

  /// Creates a standard format: 32-bit floating-point samples with a separate buffer for each
  /// channel.
  ///
  /// The result is nil if the number of channels is not 1 or 2.
  ///
  /// - Parameters:
  ///   - sampleRate: The sample rate in hertz.
  ///   - channels: The number of channels, 1 or 2.
  public convenience init?(
    standardFormatWithSampleRate sampleRate: Double, channels: AVAudioChannelCount
  ) {
    self.init(
      commonFormat: .pcmFormatFloat32, sampleRate: sampleRate, channels: channels,
      interleaved: false)
  }

  /// Creates a standard format with a channel layout: 32-bit floating-point samples with a separate
  /// buffer for each channel.
  ///
  /// - Parameters:
  ///   - sampleRate: The sample rate in hertz.
  ///   - layout: The order of the channels.
  public convenience init(
    standardFormatWithSampleRate sampleRate: Double, channelLayout layout: AVAudioChannelLayout
  ) {
    self.init(
      commonFormat: .pcmFormatFloat32, sampleRate: sampleRate, interleaved: false,
      channelLayout: layout)
  }

  /// Creates a PCM format.
  ///
  /// The result is nil for `otherFormat`, or if the number of channels is not 1 or 2.
  ///
  /// - Parameters:
  ///   - format: The type of the samples.
  ///   - sampleRate: The sample rate in hertz.
  ///   - channels: The number of channels, 1 or 2.
  ///   - interleaved: True to store all channels in one buffer; false for a separate buffer for
  ///     each channel.
  public convenience init?(
    commonFormat format: AVAudioCommonFormat, sampleRate: Double, channels: AVAudioChannelCount,
    interleaved: Bool
  ) {
    guard format != .otherFormat, Self.fits(channels, nil) else { return nil }
    self.init(
      AudioStreamBasicDescription(
        format, sampleRate: sampleRate, channels: channels, interleaved: interleaved),
      layout: nil)
  }

  /// Creates a PCM format with a channel layout.
  ///
  /// - Parameters:
  ///   - format: The type of the samples; `otherFormat` is treated as `pcmFormatFloat32`.
  ///   - sampleRate: The sample rate in hertz.
  ///   - interleaved: True to store all channels in one buffer; false for a separate buffer for
  ///     each channel.
  ///   - layout: The order of the channels.
  public convenience init(
    commonFormat format: AVAudioCommonFormat, sampleRate: Double, interleaved: Bool,
    channelLayout layout: AVAudioChannelLayout
  ) {
    self.init(
      AudioStreamBasicDescription(
        format, sampleRate: sampleRate, channels: layout.channelCount, interleaved: interleaved),
      layout: layout)
  }

  /// True if the channels need no layout, or have one.
  private static func fits(_ channels: UInt32, _ layout: AVAudioChannelLayout?) -> Bool {
    guard let layout else { return (1...2).contains(channels) }
    return channels > 0 && layout.channelCount == channels
  }

  /// A pointer to the stream description of the format, which is valid while this object exists.
  open var streamDescription: UnsafePointer<AudioStreamBasicDescription> {
    unsafe UnsafePointer(description_)
  }

  /// The description as a value.
  package var asbd: AudioStreamBasicDescription { unsafe description_.pointee }

  /// True if the format is standard: 32-bit floating-point samples with a separate buffer for each
  /// channel.
  open var isStandard: Bool { commonFormat == .pcmFormatFloat32 && !isInterleaved }

  /// The type of the PCM samples; `otherFormat` if it is not one of the common types.
  open var commonFormat: AVAudioCommonFormat { asbd.commonFormat }

  /// The number of channels.
  open var channelCount: AVAudioChannelCount { asbd.mChannelsPerFrame }

  /// The sample rate in hertz.
  open var sampleRate: Double { asbd.mSampleRate }

  /// True if all channels are stored in one buffer; meaningful only for PCM formats.
  open var isInterleaved: Bool {
    asbd.mFormatFlags & kAudioFormatFlagIsNonInterleaved == 0
  }

  /// The format as a dictionary of settings, from which `init(settings:)` creates an equal format.
  open var settings: [String: Any] { settingsOfFormat }

  /// The magic cookie: bytes that a decoder needs before the first packet; nil if the format does
  /// not have any.
  open var magicCookie: Data? {
    get { cookie.data }
    set { cookie.data = newValue }
  }

  /// Returns true if another object is an equivalent format.
  ///
  /// Mono formats with and without interleaving are equivalent, and a mono or stereo layout is
  /// equivalent to no layout. The alignment of samples matters only if a sample does not fill its
  /// bytes.
  ///
  /// - Parameter object: The other object.
  /// - Returns: True if the formats are equivalent.
  override open func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? AVAudioFormat else { return false }
    return self === other
      || asbd.essential == other.asbd.essential && Self.same(channelLayout, other.channelLayout)
        && magicCookie == other.magicCookie
  }

  private static func same(_ one: AVAudioChannelLayout?, _ other: AVAudioChannelLayout?) -> Bool {
    let layouts = (one?.isUsual == true ? nil : one, other?.isUsual == true ? nil : other)
    return layouts.0?.managed == layouts.1?.managed
  }

  /// The hash value of the sample rate, the format identifier and the number of channels.
  override open var hash: Int {
    var hasher = Hasher()
    hasher.combine(sampleRate)
    hasher.combine(asbd.mFormatID)
    hasher.combine(channelCount)
    return hasher.finalize()
  }

  /// A short description of the format, such as `2 ch, 44100 Hz, Float32, deinterleaved`.
  override open var description: String {
    let address = String(UInt(bitPattern: ObjectIdentifier(self)), radix: 16)
    return "<AVAudioFormat 0x\(address): \(asbd.words)>"
  }
}
