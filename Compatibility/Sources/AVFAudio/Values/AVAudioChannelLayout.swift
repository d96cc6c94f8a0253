// SPDX-License-Identifier: Apache-2.0
public import CoreAudio
public import Foundation

/// The order of the channels in a format, as an object that contains an `AudioChannelLayout`.
@safe
open class AVAudioChannelLayout: NSObject, @unchecked Sendable {
  /// The layout, which does not change.
  package let managed: ManagedAudioChannelLayout

  /// Creates a layout from a layout tag.
  ///
  /// The result is nil if the tag refers to channel descriptions or a bitmap, or has 0 channels.
  ///
  /// - Parameter layoutTag: The tag, such as `kAudioChannelLayoutTag_Stereo`.
  public init?(layoutTag: AudioChannelLayoutTag) {
    guard layoutTag != kAudioChannelLayoutTag_UseChannelDescriptions,
      layoutTag != kAudioChannelLayoutTag_UseChannelBitmap,
      AudioChannelLayoutTag_GetNumberOfChannels(layoutTag) > 0
    else { return nil }
    managed = ManagedAudioChannelLayout(tag: layoutTag)
    super.init()
  }

  /// Creates a layout by copying an `AudioChannelLayout`.
  ///
  /// - Parameter layout: The layout to copy. Its memory must include all of its channel
  ///   descriptions.
  public init(layout: UnsafePointer<AudioChannelLayout>) {
    let given = unsafe AudioChannelLayout.UnsafePointer(layout)
    var copy = unsafe ManagedAudioChannelLayout(channelDescriptions: Array(given))
    copy.tag = unsafe layout.pointee.mChannelLayoutTag
    copy.bitmap = unsafe layout.pointee.mChannelBitmap
    managed = copy
    super.init()
  }

  /// The layout tag, or a constant which states that the layout uses channel descriptions or a
  /// bitmap.
  open var layoutTag: AudioChannelLayoutTag { managed.tag }

  /// A pointer to the `AudioChannelLayout`, which is valid while this object exists.
  open var layout: UnsafePointer<AudioChannelLayout> {
    unsafe managed.withUnsafePointer { unsafe $0 }
  }

  /// The number of channels in the layout.
  open var channelCount: AVAudioChannelCount {
    AVAudioChannelCount(clamping: managed.numberOfChannels)
  }

  /// Returns true if another object is an equal layout.
  ///
  /// - Parameter object: The other object.
  /// - Returns: True if the object is a layout with the same tag, bitmap and descriptions.
  override open func isEqual(_ object: Any?) -> Bool {
    (object as? AVAudioChannelLayout)?.managed == managed
  }

  /// The hash value of the tag and the number of channels.
  override open var hash: Int {
    var hasher = Hasher()
    hasher.combine(layoutTag)
    hasher.combine(channelCount)
    return hasher.finalize()
  }
}

extension AVAudioChannelLayout {
  /// Creates a layout from the bytes of the settings key `AVChannelLayoutKey`.
  ///
  /// The result is nil if the bytes are not a whole layout.
  ///
  /// - Parameter data: The bytes of an `AudioChannelLayout`.
  package convenience init?(data: Data) {
    let head = AudioChannelLayout.sizeInBytes(maximumDescriptions: 1)
    let least = head - MemoryLayout<AudioChannelDescription>.stride
    guard data.count >= least else { return nil }
    // A layout without descriptions may end before the first one.
    let bytes = [UInt8](data) + [UInt8](repeating: 0, count: max(0, head - data.count))
    let made: AVAudioChannelLayout? = unsafe bytes.withUnsafeBytes { raw in
      let words = unsafe raw.assumingMemoryBound(to: UInt32.self)
      let count = unsafe Int(words[2])
      guard count <= (data.count - least) / MemoryLayout<AudioChannelDescription>.stride,
        let base = unsafe raw.baseAddress?.assumingMemoryBound(to: AudioChannelLayout.self)
      else { return nil }
      return unsafe AVAudioChannelLayout(layout: base)
    }
    guard let made, made.channelCount > 0 else { return nil }
    unsafe self.init(layout: made.layout)
  }

  /// The bytes of the settings key `AVChannelLayoutKey`.
  package var data: Data {
    unsafe managed.withUnsafePointer { unsafe Data(bytes: $0, count: managed.sizeInBytes) }
  }

  /// True for the layouts that one or two channels have without a layout.
  var isUsual: Bool {
    layoutTag == kAudioChannelLayoutTag_Mono || layoutTag == kAudioChannelLayoutTag_Stereo
  }
}
