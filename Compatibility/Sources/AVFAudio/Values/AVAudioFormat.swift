// SPDX-License-Identifier: Apache-2.0
public import CoreAudio
public import Foundation

/// A format of sound: an `AudioStreamBasicDescription` with a channel layout, as an object.
///
/// More than two channels need a channel layout.
@safe
open class AVAudioFormat: NSObject, @unchecked Sendable {
  private let description_: UnsafeMutablePointer<AudioStreamBasicDescription>
  private let cookie = CookieStore()
  /// The order of the channels; nil for one or two channels in the usual order.
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

  /// Creates a format from a description.
  ///
  /// The result is nil for more than two channels.
  ///
  /// - Parameter asbd: The description.
  public convenience init?(streamDescription asbd: UnsafePointer<AudioStreamBasicDescription>) {
    unsafe self.init(streamDescription: asbd, channelLayout: nil)
  }

  /// Creates a format from a description and a channel layout.
  ///
  /// The result is nil for no channel, for more than two channels without a layout, and if the
  /// layout has another number of channels.
  ///
  /// - Parameters:
  ///   - asbd: The description.
  ///   - layout: The order of the channels; may be nil.
  public convenience init?(
    streamDescription asbd: UnsafePointer<AudioStreamBasicDescription>,
    channelLayout layout: AVAudioChannelLayout?
  ) {
    let description = unsafe asbd.pointee
    guard Self.fits(description.mChannelsPerFrame, layout) else { return nil }
    self.init(description, layout: layout)
  }

  /// Creates a format of single precision with a separate buffer for each channel.
  ///
  /// The result is nil for no channel and for more than two channels.
  ///
  /// - Parameters:
  ///   - sampleRate: Frames per second.
  ///   - channels: The number of channels, 1 or 2.
  public convenience init?(
    standardFormatWithSampleRate sampleRate: Double, channels: AVAudioChannelCount
  ) {
    self.init(
      commonFormat: .pcmFormatFloat32, sampleRate: sampleRate, channels: channels,
      interleaved: false)
  }

  /// Creates a format of single precision with a separate buffer for each channel.
  ///
  /// - Parameters:
  ///   - sampleRate: Frames per second.
  ///   - layout: The order of the channels.
  public convenience init(
    standardFormatWithSampleRate sampleRate: Double, channelLayout layout: AVAudioChannelLayout
  ) {
    self.init(
      commonFormat: .pcmFormatFloat32, sampleRate: sampleRate, interleaved: false,
      channelLayout: layout)
  }

  /// Creates a format of PCM samples.
  ///
  /// The result is nil for `otherFormat`, for no channel and for more than two channels.
  ///
  /// - Parameters:
  ///   - format: The type of a sample.
  ///   - sampleRate: Frames per second.
  ///   - channels: The number of channels, 1 or 2.
  ///   - interleaved: True if the samples of a frame are in one buffer.
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

  /// Creates a format of PCM samples.
  ///
  /// - Parameters:
  ///   - format: The type of a sample; `otherFormat` is taken for `pcmFormatFloat32`.
  ///   - sampleRate: Frames per second.
  ///   - interleaved: True if the samples of a frame are in one buffer.
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

  /// The description, which is valid during the life of this object.
  open var streamDescription: UnsafePointer<AudioStreamBasicDescription> {
    unsafe UnsafePointer(description_)
  }

  /// The description as a value.
  package var asbd: AudioStreamBasicDescription { unsafe description_.pointee }

  /// True for single precision with a separate buffer for each channel.
  open var isStandard: Bool { commonFormat == .pcmFormatFloat32 && !isInterleaved }

  /// The type of a PCM sample; `otherFormat` if it is not one of the common formats.
  open var commonFormat: AVAudioCommonFormat { asbd.commonFormat }

  /// The number of channels.
  open var channelCount: AVAudioChannelCount { asbd.mChannelsPerFrame }

  /// Frames per second.
  open var sampleRate: Double { asbd.mSampleRate }

  /// True if the samples of a frame are in one buffer; of PCM formats only.
  open var isInterleaved: Bool {
    asbd.mFormatFlags & kAudioFormatFlagIsNonInterleaved == 0
  }

  /// The format as settings, from which `init(settings:)` creates an equal format.
  open var settings: [String: Any] { settingsOfFormat }

  /// Data that a decoder of the format needs, or nil.
  open var magicCookie: Data? {
    get { cookie.data }
    set { cookie.data = newValue }
  }

  /// True for a format that means the same.
  ///
  /// One channel is the same with and without interleaving; the layouts mono and stereo are the
  /// same as no layout; alignment counts only if a sample does not fill its bytes.
  ///
  /// - Parameter object: Another object.
  /// - Returns: True if it is an equal format.
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

  /// A hash of the sample rate, the format and the number of channels.
  override open var hash: Int {
    var hasher = Hasher()
    hasher.combine(sampleRate)
    hasher.combine(asbd.mFormatID)
    hasher.combine(channelCount)
    return hasher.finalize()
  }

  /// The format in a few words, such as `2 ch, 44100 Hz, Float32, deinterleaved`.
  override open var description: String {
    let address = String(UInt(bitPattern: ObjectIdentifier(self)), radix: 16)
    return "<AVAudioFormat 0x\(address): \(asbd.words)>"
  }
}
