public import CCoreAudio
// SPDX-License-Identifier: Apache-2.0
internal import CoreAudioHandles
public import CoreAudioTypes

/// Returns the size of a property, and if it can be set.
///
/// - Parameters:
///   - inUnit: the unit.
///   - inID: the property.
///   - inScope: the scope.
///   - inElement: the element.
///   - outDataSize: receives the size in bytes; may be nil.
///   - outWritable: receives true if the property can be set; may be nil.
/// - Returns: 0; `kAudio_ParamError` if the unit is invalid; `kAudioUnitErr_InvalidProperty`.
/// - Note: Any thread.
@discardableResult
public func AudioUnitGetPropertyInfo(
  _ inUnit: AudioUnit?, _ inID: AudioUnitPropertyID, _ inScope: AudioUnitScope,
  _ inElement: AudioUnitElement, _ outDataSize: UnsafeMutablePointer<UInt32>?,
  _ outWritable: UnsafeMutablePointer<DarwinBoolean>?
) -> OSStatus {
  guard let unit = unsafe UnitObject.find(inUnit) else { return kAudio_ParamError }
  guard let size = UnitObject.propertySize(inID) else { return kAudioUnitErr_InvalidProperty }
  _ = unit
  unsafe outDataSize?.pointee = UInt32(size)
  unsafe outWritable?.pointee = DarwinBoolean(UnitObject.isWritable(inID))
  return noErr
}

/// Returns the value of a property.
///
/// - Parameters:
///   - inUnit: the unit.
///   - inID: the property.
///   - inScope: the scope.
///   - inElement: the element.
///   - outData: receives the value; nil returns only the size.
///   - ioDataSize: the size of the memory in bytes; receives the size of the value.
/// - Returns: 0; `kAudio_ParamError` if the unit is invalid or the memory is too small;
///   `kAudioUnitErr_InvalidProperty`; `kAudioUnitErr_PropertyNotInUse`.
/// - Note: Any thread.
@discardableResult
public func AudioUnitGetProperty(
  _ inUnit: AudioUnit?, _ inID: AudioUnitPropertyID, _ inScope: AudioUnitScope,
  _ inElement: AudioUnitElement, _ outData: UnsafeMutableRawPointer?,
  _ ioDataSize: UnsafeMutablePointer<UInt32>
) -> OSStatus {
  guard let unit = unsafe UnitObject.find(inUnit) else { return kAudio_ParamError }
  return status { () throws(StatusError) in
    let bytes = try unit.property(inID, inScope, inElement)
    let room = unsafe Int(ioDataSize.pointee)
    unsafe ioDataSize.pointee = UInt32(bytes.count)
    guard let place = unsafe outData else { return }
    guard room >= bytes.count else { throw .parameter }
    unsafe bytes.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return }
      unsafe place.copyMemory(from: base, byteCount: bytes.count)
    }
  }
}

/// Sets a property of a unit.
///
/// - Parameters:
///   - inUnit: the unit.
///   - inID: the property.
///   - inScope: the scope.
///   - inElement: the element.
///   - inData: the value; nil removes a connection or a render callback.
///   - inDataSize: the size of the value in bytes.
/// - Returns: 0; `kAudio_ParamError` if the unit is invalid or the value too short;
///   `kAudioUnitErr_InvalidProperty`; `kAudioUnitErr_PropertyNotWritable`;
///   `kAudioUnitErr_Initialized` for properties that cannot change while the unit is initialized;
///   `kAudioUnitErr_FormatNotSupported` for a rate out of range, or a format other than 32-bit
///   floating point with one or two channels; `kAudioUnitErr_InvalidElement`;
///   `kAudioUnitErr_InvalidPropertyValue`.
/// - Note: Any thread.
@discardableResult
public func AudioUnitSetProperty(
  _ inUnit: AudioUnit?, _ inID: AudioUnitPropertyID, _ inScope: AudioUnitScope,
  _ inElement: AudioUnitElement, _ inData: UnsafeRawPointer?, _ inDataSize: UInt32
) -> OSStatus {
  guard let unit = unsafe UnitObject.find(inUnit) else { return kAudio_ParamError }
  return status { () throws(StatusError) in
    guard let size = UnitObject.propertySize(inID) else {
      throw StatusError(kAudioUnitErr_InvalidProperty)
    }
    guard UnitObject.isWritable(inID) else { throw StatusError(kAudioUnitErr_PropertyNotWritable) }
    let isGiven = unsafe inData != nil
    guard !isGiven || Int(inDataSize) >= size else { throw .parameter }
    let bytes =
      unsafe isGiven
      ? [UInt8](UnsafeRawBufferPointer(start: inData, count: size)) : []
    try unit.setProperty(inID, inScope, inElement, bytes)
  }
}
