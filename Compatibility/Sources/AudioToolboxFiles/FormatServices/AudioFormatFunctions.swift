// SPDX-License-Identifier: Apache-2.0
internal import CoreAudioHandles
public import CoreAudioTypes

/// Returns the size of a property of audio formats.
///
/// - Parameters:
///   - inPropertyID: the property.
///   - inSpecifierSize: the size of the specifier in bytes.
///   - inSpecifier: the format, layout or other value to which the property refers; may be nil.
///   - outPropertyDataSize: receives the size in bytes.
/// - Returns: the same codes as `AudioFormatGetProperty`.
@discardableResult
public func AudioFormatGetPropertyInfo(
  _ inPropertyID: AudioFormatPropertyID, _ inSpecifierSize: UInt32,
  _ inSpecifier: UnsafeRawPointer?,
  _ outPropertyDataSize: UnsafeMutablePointer<UInt32>?
) -> OSStatus {
  status { () throws(StatusError) in
    let size = unsafe try given(outPropertyDataSize)
    if inPropertyID == kAudioFormatProperty_FormatInfo {
      unsafe size.pointee = UInt32(MemoryLayout<AudioStreamBasicDescription>.size)
      return
    }
    let specifier = unsafe FormatSpecifier(inSpecifierSize, inSpecifier)
    let value = try FormatProperty.value(inPropertyID, specifier)
    unsafe size.pointee = UInt32(clamping: value.byteCount)
  }
}

/// Returns the value of a property of audio formats.
///
/// - Parameters:
///   - inPropertyID: the property.
///   - inSpecifierSize: the size of the specifier in bytes.
///   - inSpecifier: the format, layout or other value to which the property refers; may be nil.
///   - ioPropertyDataSize: the size of the memory in bytes; receives the size of the value.
///   - outPropertyData: receives the value. For `kAudioFormatProperty_FormatInfo`, it contains a
///     description whose `mFormatID` is set; the function fills in the other fields.
/// - Returns: `noErr`; `kAudioFormatUnsupportedPropertyError`, `kAudioFormatBadPropertySizeError`,
///   `kAudioFormatBadSpecifierSizeError`, `kAudioFormatUnknownFormatError`,
///   `kAudioFormatUnsupportedDataFormatError`; `kAudio_ParamError`.
@discardableResult
public func AudioFormatGetProperty(
  _ inPropertyID: AudioFormatPropertyID, _ inSpecifierSize: UInt32,
  _ inSpecifier: UnsafeRawPointer?,
  _ ioPropertyDataSize: UnsafeMutablePointer<UInt32>?, _ outPropertyData: UnsafeMutableRawPointer?
) -> OSStatus {
  status { () throws(StatusError) in
    let target = unsafe try PropertyTarget(
      ioPropertyDataSize, outPropertyData, badSize: kAudioFormatBadPropertySizeError)
    let specifier = unsafe FormatSpecifier(inSpecifierSize, inSpecifier)
    if inPropertyID == kAudioFormatProperty_FormatInfo {
      let size = MemoryLayout<AudioStreamBasicDescription>.size
      guard target.capacity >= size, let data = unsafe outPropertyData else {
        throw StatusError(kAudioFormatBadPropertySizeError)
      }
      let given = unsafe data.loadUnaligned(as: AudioStreamBasicDescription.self)
      return try target.put(FormatProperty.completed(given, cookie: specifier.bytes))
    }
    switch try FormatProperty.value(inPropertyID, specifier) {
    case .bytes(let bytes): try target.put(bytes: bytes)
    case .list(let bytes, let element):
      // Lists are cut off after the last element that fits; single values are not.
      guard FormatProperty.isList(inPropertyID) else { return try target.put(bytes: bytes) }
      let count = min(bytes.count, target.capacity / element * element)
      try target.put(bytes: Array(bytes[..<count]))
    case .text(let text): try target.put(text: text)
    }
  }
}
