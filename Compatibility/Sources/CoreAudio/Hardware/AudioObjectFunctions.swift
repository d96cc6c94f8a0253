// SPDX-License-Identifier: Apache-2.0
public import CCoreAudio
public import CoreAudioTypes
internal import CoreFoundation

/// Reads the value of an object's property.
///
/// - Throws: `HardwareError` for an object or property that does not exist.
private func value(
  _ object: AudioObjectID, _ address: AudioObjectPropertyAddress, _ qualifierSize: UInt32 = 0,
  _ qualifier: UnsafeRawPointer? = nil
) throws(HardwareError) -> HardwareValue {
  guard let found = HardwareObject(object) else {
    throw HardwareError(code: kAudioHardwareBadObjectError)
  }
  var text: String?
  if address.mSelector == kAudioHardwarePropertyTranslateUIDToDevice, qualifierSize > 0 {
    guard unsafe Int(qualifierSize) == MemoryLayout<Unmanaged<CFString>>.size,
      let qualifier = unsafe qualifier
    else { throw HardwareError(code: kAudioHardwareBadPropertySizeError) }
    if let string = unsafe qualifier.loadUnaligned(as: UnsafeRawPointer?.self) {
      text = unsafe String(Unmanaged<CFString>.fromOpaque(string).takeUnretainedValue())
    }
  }
  guard let value = try found.value(address, qualifier: text) else {
    throw HardwareError(code: kAudioHardwareUnknownPropertyError)
  }
  return value
}

/// Returns true if an object has a property.
public func AudioObjectHasProperty(
  _ inObjectID: AudioObjectID, _ inAddress: UnsafePointer<AudioObjectPropertyAddress>
) -> Bool {
  do {
    _ = unsafe try value(inObjectID, inAddress.pointee)
    return true
  } catch {
    // The property is there, but the device is in use.
    return error.code == kAudioHardwareNotReadyError
  }
}

/// Returns true if a property can be set: the default devices, and the sample rate and buffer size
/// of a device.
@discardableResult
public func AudioObjectIsPropertySettable(
  _ inObjectID: AudioObjectID, _ inAddress: UnsafePointer<AudioObjectPropertyAddress>,
  _ outIsSettable: UnsafeMutablePointer<DarwinBoolean>
) -> OSStatus {
  guard let object = HardwareObject(inObjectID) else { return kAudioHardwareBadObjectError }
  guard unsafe AudioObjectHasProperty(inObjectID, inAddress) else {
    return kAudioHardwareUnknownPropertyError
  }
  unsafe outIsSettable.pointee = DarwinBoolean(
    object.settableSize(inAddress.pointee.mSelector) != nil)
  return noErr
}

/// Returns the size of a property in bytes.
@discardableResult
public func AudioObjectGetPropertyDataSize(
  _ inObjectID: AudioObjectID, _ inAddress: UnsafePointer<AudioObjectPropertyAddress>,
  _ inQualifierDataSize: UInt32, _ inQualifierData: UnsafeRawPointer?,
  _ outDataSize: UnsafeMutablePointer<UInt32>
) -> OSStatus {
  do {
    let size = unsafe try value(
      inObjectID, inAddress.pointee, inQualifierDataSize, inQualifierData
    ).size
    unsafe outDataSize.pointee = UInt32(size)
    return noErr
  } catch {
    return error.code
  }
}

/// Returns the value of a property, and its size in bytes.
///
/// You own strings in the result, and must release them.
@discardableResult
public func AudioObjectGetPropertyData(
  _ inObjectID: AudioObjectID, _ inAddress: UnsafePointer<AudioObjectPropertyAddress>,
  _ inQualifierDataSize: UInt32, _ inQualifierData: UnsafeRawPointer?,
  _ ioDataSize: UnsafeMutablePointer<UInt32>, _ outData: UnsafeMutableRawPointer
) -> OSStatus {
  do {
    return unsafe try value(
      inObjectID, inAddress.pointee, inQualifierDataSize, inQualifierData
    ).write(to: outData, size: ioDataSize)
  } catch {
    return error.code
  }
}

/// Sets a property, which applies to outputs that the process opens later.
@discardableResult
public func AudioObjectSetPropertyData(
  _ inObjectID: AudioObjectID, _ inAddress: UnsafePointer<AudioObjectPropertyAddress>,
  _ inQualifierDataSize: UInt32, _ inQualifierData: UnsafeRawPointer?, _ inDataSize: UInt32,
  _ inData: UnsafeRawPointer
) -> OSStatus {
  let address = unsafe inAddress.pointee
  do {
    _ = try value(inObjectID, address)
    guard let object = HardwareObject(inObjectID),
      let size = object.settableSize(address.mSelector)
    else { return kAudioHardwareUnsupportedOperationError }
    guard Int(inDataSize) == size else { return kAudioHardwareBadPropertySizeError }
    unsafe try object.set(address, inData)
    for selector in HardwareObject.changes(with: address.mSelector) {
      HardwareListener.notify(inObjectID, selector)
    }
    return noErr
  } catch {
    return error.code
  }
}
