// SPDX-License-Identifier: Apache-2.0
public import CoreAudio

/// A kind of media, as four letters.
public typealias CMMediaType = UInt32
/// A number of samples or entries.
public typealias CMItemCount = Int
/// The number of a sample or entry, from 0.
public typealias CMItemIndex = Int
/// The number of a track in a file.
public typealias CMPersistentTrackID = Int32

/// Sound: `soun`.
public let kCMMediaType_Audio: CMMediaType = 0x736F_756E
/// Pictures: `vide`.
public let kCMMediaType_Video: CMMediaType = 0x7669_6465
/// The number of no track: 0.
public let kCMPersistentTrackID_Invalid: CMPersistentTrackID = 0

/// Creates a description of sound.
///
/// - Parameters:
///   - allocator: Not used.
///   - asbd: The format.
///   - layoutSize: The bytes of `layout`.
///   - layout: The order of the channels, or nil.
///   - magicCookieSize: The bytes of `magicCookie`.
///   - magicCookie: The configuration of a decoder, or nil.
///   - extensions: Not used.
///   - formatDescriptionOut: Receives the description.
/// - Returns: 0, or `kCMFormatDescriptionError_InvalidParameter` for a format without an id or a
///   layout that is longer than its bytes.
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

/// Returns the kind of media of a description.
///
/// - Parameter desc: The description.
/// - Returns: `kCMMediaType_Audio`.
public func CMFormatDescriptionGetMediaType(_ desc: CMFormatDescription) -> CMMediaType {
  desc.mediaType.rawValue
}

/// Returns the codec of a description.
///
/// - Parameter desc: The description.
/// - Returns: The codec, as in `mFormatID`.
public func CMFormatDescriptionGetMediaSubType(_ desc: CMFormatDescription) -> UInt32 {
  desc.mediaSubType.rawValue
}

/// Returns true if two descriptions mean the same.
///
/// - Parameters:
///   - formatDescription: A description, or nil.
///   - otherFormatDescription: Another one, or nil.
/// - Returns: False if one of them is nil.
public func CMFormatDescriptionEqual(
  _ formatDescription: CMFormatDescription?, otherFormatDescription: CMFormatDescription?
) -> Bool {
  formatDescription != nil && formatDescription == otherFormatDescription
}

/// Returns the format of sound.
///
/// - Parameter desc: The description.
/// - Returns: The format, which is valid while the description exists.
public func CMAudioFormatDescriptionGetStreamBasicDescription(
  _ desc: CMAudioFormatDescription
) -> UnsafePointer<AudioStreamBasicDescription>? {
  unsafe UnsafePointer(desc.description)
}

/// Returns the order of the channels.
///
/// - Parameters:
///   - desc: The description.
///   - sizeOut: Receives the bytes of the layout, 0 without one; or nil.
/// - Returns: The layout, which is valid while the description exists, or nil.
public func CMAudioFormatDescriptionGetChannelLayout(
  _ desc: CMAudioFormatDescription, sizeOut: UnsafeMutablePointer<Int>?
) -> UnsafePointer<AudioChannelLayout>? {
  unsafe sizeOut?.pointee = desc.layout?.sizeInBytes ?? 0
  return unsafe desc.layout?.withUnsafePointer { unsafe $0 }
}

/// Returns the configuration of a decoder.
///
/// - Parameters:
///   - desc: The description.
///   - sizeOut: Receives the bytes of the configuration, 0 without one; or nil.
/// - Returns: The configuration, which is valid while the description exists, or nil.
public func CMAudioFormatDescriptionGetMagicCookie(
  _ desc: CMAudioFormatDescription, sizeOut: UnsafeMutablePointer<Int>?
) -> UnsafeRawPointer? {
  unsafe sizeOut?.pointee = desc.cookie.count
  return unsafe desc.cookie.isEmpty ? nil : UnsafeRawPointer(desc.cookie.baseAddress)
}

/// Returns the ways to decode packets, the richest first.
///
/// - Parameters:
///   - desc: The description.
///   - sizeOut: Receives the bytes of the list, or nil.
/// - Returns: The list, which is valid while the description exists.
public func CMAudioFormatDescriptionGetFormatList(
  _ desc: CMAudioFormatDescription, sizeOut: UnsafeMutablePointer<Int>?
) -> UnsafePointer<AudioFormatListItem>? {
  unsafe sizeOut?.pointee = desc.formats.count * MemoryLayout<AudioFormatListItem>.stride
  return unsafe UnsafePointer(desc.formats.baseAddress)
}
