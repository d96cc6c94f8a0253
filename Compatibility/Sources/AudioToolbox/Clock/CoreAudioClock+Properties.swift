// SPDX-License-Identifier: Apache-2.0
public import CCoreAudio
public import CoreAudioTypes

/// Tells of a property of a clock how long it is and whether it can be set.
///
/// - Parameters:
///   - inCAClock: the clock.
///   - inPropertyID: the property.
///   - outSize: takes the number of bytes; nil for nobody.
///   - outWritable: takes whether it can be set; nil for nobody.
/// - Returns: 0; −50 for an invalid clock; `kCAClock_UnknownPropertyError`.
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

/// Reads a property of a clock.
///
/// The name is a string that is borrowed: it stays while the clock has it.
///
/// - Parameters:
///   - inCAClock: the clock.
///   - inPropertyID: the property.
///   - ioPropertyDataSize: the room there is; takes the bytes that were written.
///   - outPropertyData: takes the value.
/// - Returns: 0; −50 for an invalid clock; `kCAClock_UnknownPropertyError`;
///   `kCAClock_InvalidPropertySizeError` where there is too little room.
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
/// The sync mode changes only while the clock is stopped.
///
/// - Parameters:
///   - inCAClock: the clock.
///   - inPropertyID: the property.
///   - inPropertyDataSize: the bytes there are.
///   - inPropertyData: the value.
/// - Returns: 0; −50 for an invalid clock or map;
///   `kCAClock_UnknownPropertyError`; `kCAClock_InvalidPropertySizeError`; the property's own error
///   for a value that is none of its.
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
