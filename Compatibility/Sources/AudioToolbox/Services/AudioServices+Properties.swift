// SPDX-License-Identifier: Apache-2.0
public import CCoreAudio
internal import ClipPlayback
public import CoreAudioTypes

/// Returns the size of a property of a sound, and true, since every property can be set.
///
/// - Parameters:
///   - inPropertyID: the property.
///   - inSpecifierSize: 4.
///   - inSpecifier: a pointer to the sound's number.
///   - outPropertyDataSize: receives the size in bytes, 4; may be nil.
///   - outWritable: receives true; may be nil.
/// - Returns: 0; `kAudioServicesUnsupportedPropertyError`; `kAudioServicesBadSpecifierSizeError`;
///   `kAudioServicesSystemSoundUnspecifiedError` if the sound is invalid.
/// - Note: Any thread.
@discardableResult
public func AudioServicesGetPropertyInfo(
  _ inPropertyID: AudioServicesPropertyID, _ inSpecifierSize: UInt32,
  _ inSpecifier: UnsafeRawPointer?, _ outPropertyDataSize: UnsafeMutablePointer<UInt32>?,
  _ outWritable: UnsafeMutablePointer<DarwinBoolean>?
) -> OSStatus {
  unsafe withSound(inPropertyID, inSpecifierSize, inSpecifier) { _, _ in
    unsafe outPropertyDataSize?.pointee = 4
    unsafe outWritable?.pointee = true
    return kAudioServicesNoError
  }
}

/// Returns the value of a sound's property.
///
/// - Parameters:
///   - inPropertyID: the property.
///   - inSpecifierSize: 4.
///   - inSpecifier: a pointer to the sound's number.
///   - ioPropertyDataSize: the size of the memory in bytes, at least 4; receives 4.
///   - outPropertyData: receives a `UInt32`, 0 or 1; nil returns only the size.
/// - Returns: 0; the errors of `AudioServicesGetPropertyInfo`; `kAudioServicesBadPropertySizeError`
///   if the memory is too small.
/// - Note: Any thread.
@discardableResult
public func AudioServicesGetProperty(
  _ inPropertyID: AudioServicesPropertyID, _ inSpecifierSize: UInt32,
  _ inSpecifier: UnsafeRawPointer?, _ ioPropertyDataSize: UnsafeMutablePointer<UInt32>,
  _ outPropertyData: UnsafeMutableRawPointer?
) -> OSStatus {
  unsafe withSound(inPropertyID, inSpecifierSize, inSpecifier) { sound, property in
    let room = unsafe ioPropertyDataSize.pointee
    unsafe ioPropertyDataSize.pointee = 4
    guard let place = unsafe outPropertyData else { return kAudioServicesNoError }
    guard room >= 4 else { return kAudioServicesBadPropertySizeError }
    unsafe place.storeBytes(of: sound[keyPath: property] ? 1 : 0, as: UInt32.self)
    return kAudioServicesNoError
  }
}

/// Sets a property of a sound.
///
/// - Parameters:
///   - inPropertyID: the property.
///   - inSpecifierSize: 4.
///   - inSpecifier: a pointer to the sound's number.
///   - inPropertyDataSize: 4.
///   - inPropertyData: a `UInt32`; 0 means no.
/// - Returns: 0; the errors of `AudioServicesGetPropertyInfo`; `kAudioServicesBadPropertySizeError`
///   for another size.
/// - Note: Any thread.
@discardableResult
public func AudioServicesSetProperty(
  _ inPropertyID: AudioServicesPropertyID, _ inSpecifierSize: UInt32,
  _ inSpecifier: UnsafeRawPointer?, _ inPropertyDataSize: UInt32,
  _ inPropertyData: UnsafeRawPointer?
) -> OSStatus {
  unsafe withSound(inPropertyID, inSpecifierSize, inSpecifier) { sound, property in
    guard inPropertyDataSize == 4, let data = unsafe inPropertyData else {
      return kAudioServicesBadPropertySizeError
    }
    sound[keyPath: property] = unsafe data.loadUnaligned(as: UInt32.self) != 0
    return kAudioServicesNoError
  }
}

/// Finds the sound and the property of a call.
@unsafe
private func withSound(
  _ property: AudioServicesPropertyID, _ size: UInt32, _ specifier: UnsafeRawPointer?,
  _ body: (SystemSound, ReferenceWritableKeyPath<SystemSound, Bool>) -> OSStatus
) -> OSStatus {
  let path: ReferenceWritableKeyPath<SystemSound, Bool>
  switch property {
  case kAudioServicesPropertyIsUISound: path = \.isUISound
  case kAudioServicesPropertyCompletePlaybackIfAppDies: path = \.completesIfProcessDies
  default: return kAudioServicesUnsupportedPropertyError
  }
  guard size == 4, let specifier = unsafe specifier else {
    return kAudioServicesBadSpecifierSizeError
  }
  let number = unsafe specifier.loadUnaligned(as: SystemSoundID.self)
  guard let sound = SoundServer.shared.sound(number) else {
    return kAudioServicesSystemSoundUnspecifiedError
  }
  return body(sound, path)
}
