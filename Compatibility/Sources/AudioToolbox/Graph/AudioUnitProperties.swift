public import CCoreAudio
// SPDX-License-Identifier: Apache-2.0
internal import CoreAudioHandles
public import CoreAudioTypes

/// Tells of a property of a unit how long it is and whether it can be set.
///
/// - Parameters:
///   - inUnit: the unit.
///   - inID: the property.
///   - inScope: the scope.
///   - inElement: the element.
///   - outDataSize: takes the number of bytes; nil for nobody.
///   - outWritable: takes whether it can be set; nil for nobody.
/// - Returns: 0; −50 for an invalid unit; `kAudioUnitErr_InvalidProperty`.
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

/// Reads a property of a unit.
///
/// - Parameters:
///   - inUnit: the unit.
///   - inID: the property.
///   - inScope: the scope.
///   - inElement: the element.
///   - outData: takes the value; nil asks for the size alone.
///   - ioDataSize: the room there is; takes the bytes that were written.
/// - Returns: 0; −50 for an invalid unit, or too little room;
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
///   - inData: the value; nil takes a connection or a function away.
///   - inDataSize: the bytes there are.
/// - Returns: 0; −50 for an invalid unit, and for another size;
///   `kAudioUnitErr_InvalidProperty`; `kAudioUnitErr_PropertyNotWritable`;
///   `kAudioUnitErr_Initialized` for what a unit that is ready has fixed;
///   `kAudioUnitErr_FormatNotSupported` for anything but floating point;
///   `kAudioUnitErr_InvalidElement`; `kAudioUnitErr_InvalidPropertyValue`.
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
