// SPDX-License-Identifier: Apache-2.0
public import CoreAudio

/// The four-character code of a media type.
public typealias CMMediaType = UInt32
/// A number of samples or entries.
public typealias CMItemCount = Int
/// The index of a sample or entry, from 0.
public typealias CMItemIndex = Int
/// The identifier of a track in a file.
public typealias CMPersistentTrackID = Int32

/// The media type of audio, `soun`.
public let kCMMediaType_Audio: CMMediaType = 0x736F_756E
/// The media type of video, `vide`.
public let kCMMediaType_Video: CMMediaType = 0x7669_6465
/// An invalid track identifier.
public let kCMPersistentTrackID_Invalid: CMPersistentTrackID = 0

/// Creates a format description for audio.
///
/// - Parameters:
///   - allocator: Ignored.
///   - asbd: The audio format.
///   - layoutSize: The size of `layout` in bytes.
///   - layout: The channel layout; may be nil.
///   - magicCookieSize: The size of `magicCookie` in bytes.
///   - magicCookie: The configuration of the decoder; may be nil.
///   - extensions: Ignored.
///   - formatDescriptionOut: Receives the format description.
/// - Returns: 0; `kCMFormatDescriptionError_InvalidParameter` if `mFormatID` is 0 or the layout
///   does not fit into `layoutSize`.
@discardableResult
public func CMAudioFormatDescriptionCreate(
  allocator: CFAllocator?, asbd: UnsafePointer<AudioStreamBasicDescription>, layoutSize: Int,
  layout: UnsafePointer<AudioChannelLayout>?, magicCookieSize: Int,
  magicCookie: UnsafeRawPointer?, extensions: CFDictionary?,
  formatDescriptionOut: UnsafeMutablePointer<CMAudioFormatDescription?>
) -> OSStatus {
  let description = unsafe asbd.pointee
  var channels: ManagedAudioChannelLayout?
  if let layout = unsafe layout, layoutSize > 0 {
    channels = unsafe ManagedAudioChannelLayout(UnsafeRawPointer(layout), size: layoutSize)
    if channels == nil { return kCMFormatDescriptionError_InvalidParameter }
  }
  guard description.mFormatID != 0, magicCookieSize >= 0 else {
    return kCMFormatDescriptionError_InvalidParameter
  }
  let cookie = unsafe magicCookie.map {
    unsafe Array(UnsafeRawBufferPointer(start: $0, count: magicCookieSize))
  }
  unsafe formatDescriptionOut.pointee = CMFormatDescription(
    description, layout: channels, cookie: cookie ?? [])
  return noErr
}

extension ManagedAudioChannelLayout {
  /// Copies a layout; nil if its descriptions are longer than its bytes.
  @unsafe
  fileprivate init?(_ memory: UnsafeRawPointer, size: Int) {
    let (head, step) = (12, MemoryLayout<AudioChannelDescription>.stride)
    guard size >= head else { return nil }
    let count = Int(unsafe memory.loadUnaligned(fromByteOffset: 8, as: UInt32.self))
    guard count <= (size - head) / step else { return nil }
    self.init(
      channelDescriptions: (0..<count).map { index in
        unsafe memory.loadUnaligned(
          fromByteOffset: head + index * step, as: AudioChannelDescription.self)
      })
    tag = unsafe memory.loadUnaligned(as: UInt32.self)
    bitmap = AudioChannelBitmap(
      rawValue: unsafe memory.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
  }
}

/// Returns the media type of a format description.
///
/// - Parameter desc: The format description.
/// - Returns: `kCMMediaType_Audio`.
public func CMFormatDescriptionGetMediaType(_ desc: CMFormatDescription) -> CMMediaType {
  desc.mediaType.rawValue
}

/// Returns the codec of a format description.
///
/// - Parameter desc: The format description.
/// - Returns: The codec, as in `mFormatID`.
public func CMFormatDescriptionGetMediaSubType(_ desc: CMFormatDescription) -> UInt32 {
  desc.mediaSubType.rawValue
}

/// Returns true if two descriptions describe the same format.
///
/// - Parameters:
///   - formatDescription: A format description; may be nil.
///   - otherFormatDescription: Another format description; may be nil.
/// - Returns: True if the formats are the same; false if a description is nil.
public func CMFormatDescriptionEqual(
  _ formatDescription: CMFormatDescription?, otherFormatDescription: CMFormatDescription?
) -> Bool {
  formatDescription != nil && formatDescription == otherFormatDescription
}

/// Returns the audio format of a description.
///
/// - Parameter desc: The format description.
/// - Returns: The audio format, which is valid while the description exists.
public func CMAudioFormatDescriptionGetStreamBasicDescription(
  _ desc: CMAudioFormatDescription
) -> UnsafePointer<AudioStreamBasicDescription>? {
  unsafe UnsafePointer(desc.description)
}

/// Returns the channel layout of a description.
///
/// - Parameters:
///   - desc: The format description.
///   - sizeOut: Receives the size of the layout in bytes, or 0 if the result is nil; may be nil.
/// - Returns: The layout, which is valid while the description exists; nil if it is unknown.
public func CMAudioFormatDescriptionGetChannelLayout(
  _ desc: CMAudioFormatDescription, sizeOut: UnsafeMutablePointer<Int>?
) -> UnsafePointer<AudioChannelLayout>? {
  unsafe sizeOut?.pointee = desc.layout?.sizeInBytes ?? 0
  return unsafe desc.layout?.withUnsafePointer { unsafe $0 }
}

/// Returns the magic cookie of a description, which configures the decoder.
///
/// - Parameters:
///   - desc: The format description.
///   - sizeOut: Receives the size of the magic cookie in bytes, or 0 if the result is nil; may be
///     nil.
/// - Returns: The magic cookie, which is valid while the description exists; nil if the description
///   does not have one.
public func CMAudioFormatDescriptionGetMagicCookie(
  _ desc: CMAudioFormatDescription, sizeOut: UnsafeMutablePointer<Int>?
) -> UnsafeRawPointer? {
  unsafe sizeOut?.pointee = desc.cookie.count
  return unsafe desc.cookie.isEmpty ? nil : UnsafeRawPointer(desc.cookie.baseAddress)
}

/// Returns the formats to which the packets can be decoded, the richest first.
///
/// - Parameters:
///   - desc: The format description.
///   - sizeOut: Receives the size of the list in bytes; may be nil.
/// - Returns: The list, which is valid while the description exists.
public func CMAudioFormatDescriptionGetFormatList(
  _ desc: CMAudioFormatDescription, sizeOut: UnsafeMutablePointer<Int>?
) -> UnsafePointer<AudioFormatListItem>? {
  unsafe sizeOut?.pointee = desc.formats.count * MemoryLayout<AudioFormatListItem>.stride
  return unsafe UnsafePointer(desc.formats.baseAddress)
}
