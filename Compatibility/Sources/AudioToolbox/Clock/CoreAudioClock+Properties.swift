// SPDX-License-Identifier: Apache-2.0
public import CCoreAudio
public import CoreAudioTypes

/// Returns the size of a clock's property, and true because every property can be set.
///
/// - Parameters:
///   - inCAClock: the clock.
///   - inPropertyID: the property.
///   - outSize: receives the size in bytes; may be nil.
///   - outWritable: receives true; may be nil.
/// - Returns: 0; `kAudio_ParamError` if the clock is invalid; `kCAClock_UnknownPropertyError`.
/// - Note: Any thread.
@discardableResult
public func CAClockGetPropertyInfo(
  _ inCAClock: CAClockRef?, _ inPropertyID: CAClockPropertyID,
  _ outSize: UnsafeMutablePointer<UInt32>?, _ outWritable: UnsafeMutablePointer<DarwinBoolean>?
) -> OSStatus {
  guard let clock = unsafe ClockObject.find(inCAClock) else { return kAudio_ParamError }
  guard let bytes = clock.property(inPropertyID) else { return kCAClock_UnknownPropertyError }
  unsafe outSize?.pointee = UInt32(bytes.count)
  unsafe outWritable?.pointee = true
  return noErr
}

/// Returns the value of a clock's property.
///
/// The name is not retained for the caller: it is valid until the clock's name changes.
///
/// - Parameters:
///   - inCAClock: the clock.
///   - inPropertyID: the property.
///   - ioPropertyDataSize: the size of the memory in bytes; receives the size of the value.
///   - outPropertyData: receives the value; nil returns only the size.
/// - Returns: 0; `kAudio_ParamError` if the clock is invalid; `kCAClock_UnknownPropertyError`;
///   `kCAClock_InvalidPropertySizeError` if the memory is too small.
/// - Note: Any thread.
@discardableResult
public func CAClockGetProperty(
  _ inCAClock: CAClockRef?, _ inPropertyID: CAClockPropertyID,
  _ ioPropertyDataSize: UnsafeMutablePointer<UInt32>, _ outPropertyData: UnsafeMutableRawPointer?
) -> OSStatus {
  guard let clock = unsafe ClockObject.find(inCAClock) else { return kAudio_ParamError }
  guard let bytes = clock.property(inPropertyID) else { return kCAClock_UnknownPropertyError }
  let room = unsafe Int(ioPropertyDataSize.pointee)
  unsafe ioPropertyDataSize.pointee = UInt32(bytes.count)
  guard let place = unsafe outPropertyData else { return noErr }
  guard room >= bytes.count else { return kCAClock_InvalidPropertySizeError }
  unsafe bytes.withUnsafeBytes { bytes in
    guard let base = bytes.baseAddress else { return }
    unsafe place.copyMemory(from: base, byteCount: bytes.count)
  }
  return noErr
}

/// Sets a property of a clock.
///
/// The sync mode can only be changed while the clock is stopped.
///
/// - Parameters:
///   - inCAClock: the clock.
///   - inPropertyID: the property.
///   - inPropertyDataSize: the size of the value in bytes.
///   - inPropertyData: the value.
/// - Returns: 0; `kAudio_ParamError` if the clock, a tempo or a meter is invalid;
///   `kCAClock_UnknownPropertyError`; `kCAClock_InvalidPropertySizeError`; for an invalid value,
///   the error of the property, such as `kCAClock_InvalidSyncModeError`.
/// - Note: Any thread.
@discardableResult
public func CAClockSetProperty(
  _ inCAClock: CAClockRef?, _ inPropertyID: CAClockPropertyID, _ inPropertyDataSize: UInt32,
  _ inPropertyData: UnsafeRawPointer?
) -> OSStatus {
  guard let clock = unsafe ClockObject.find(inCAClock) else { return kAudio_ParamError }
  guard inPropertyDataSize < 1 << 28, unsafe inPropertyData != nil || inPropertyDataSize == 0 else {
    return kCAClock_InvalidPropertySizeError
  }
  let bytes = unsafe [UInt8](
    UnsafeRawBufferPointer(start: inPropertyData, count: Int(inPropertyDataSize)))
  do {
    try clock.setProperty(inPropertyID, bytes)
  } catch let failure as ClockFailure {
    return failure.status
  } catch {
    return kAudio_ParamError
  }
  clock.settle()
  clock.listeners.tell(.propertyChanged)
  return noErr
}
