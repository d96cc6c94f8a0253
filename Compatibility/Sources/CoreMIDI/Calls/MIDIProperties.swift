// SPDX-License-Identifier: Apache-2.0
public import CCoreAudio
public import CoreAudioTypes
public import Foundation
internal import Synchronization

/// Returns an integer property of an object, or of its owner if the object does not have it.
///
/// - Parameters:
///   - obj: the object.
///   - propertyID: the property.
///   - outValue: receives the value.
/// - Returns: 0; `kMIDIObjectNotFound`; `kMIDIUnknownProperty`; `kMIDIWrongPropertyType`.
/// - Note: Any thread.
@discardableResult
public func MIDIObjectGetIntegerProperty(
  _ obj: MIDIObjectRef, _ propertyID: CFString, _ outValue: UnsafeMutablePointer<Int32>
) -> OSStatus {
  read(obj, propertyID) { value in
    guard case .integer(let number) = value else { return false }
    unsafe outValue.pointee = number
    return true
  }
}

/// Sets an integer property.
///
/// - Parameters:
///   - obj: the object.
///   - propertyID: the property.
///   - value: the value.
/// - Returns: 0; `kMIDIObjectNotFound`; `kMIDIIDNotUnique` for a unique ID that is 0 or belongs to
///   another object; `kMIDINotPermitted` for `kMIDIPropertyDisplayName`.
/// - Note: Any thread.
@discardableResult
public func MIDIObjectSetIntegerProperty(
  _ obj: MIDIObjectRef, _ propertyID: CFString, _ value: Int32
) -> OSStatus {
  write(obj, propertyID, .integer(value))
}

/// Returns a string property of an object, or of its owner if the object does not have it.
///
/// - Parameters:
///   - obj: the object.
///   - propertyID: the property.
///   - str: receives the string, which the caller releases.
/// - Returns: 0; `kMIDIObjectNotFound`; `kMIDIUnknownProperty`; `kMIDIWrongPropertyType`.
/// - Note: Any thread.
@discardableResult
public func MIDIObjectGetStringProperty(
  _ obj: MIDIObjectRef, _ propertyID: CFString,
  _ str: UnsafeMutablePointer<Unmanaged<CFString>?>
) -> OSStatus {
  read(obj, propertyID) { value in
    guard case .string(let string) = value else { return false }
    unsafe str.pointee = Unmanaged.passRetained(NSString(string: string))
    return true
  }
}

/// Sets a string property.
///
/// - Parameters:
///   - obj: the object.
///   - propertyID: the property.
///   - str: the string.
/// - Returns: 0; `kMIDIObjectNotFound`; `kMIDIWrongPropertyType` for `kMIDIPropertyUniqueID`;
///   `kMIDINotPermitted` for `kMIDIPropertyDisplayName`.
/// - Note: Any thread.
@discardableResult
public func MIDIObjectSetStringProperty(
  _ obj: MIDIObjectRef, _ propertyID: CFString, _ str: CFString
) -> OSStatus {
  write(obj, propertyID, .string("\(str)"))
}

/// Returns a data property of an object, or of its owner if the object does not have it.
///
/// - Parameters:
///   - obj: the object.
///   - propertyID: the property.
///   - outData: receives the bytes, which the caller releases.
/// - Returns: 0; `kMIDIObjectNotFound`; `kMIDIUnknownProperty`; `kMIDIWrongPropertyType`.
/// - Note: Any thread.
@discardableResult
public func MIDIObjectGetDataProperty(
  _ obj: MIDIObjectRef, _ propertyID: CFString,
  _ outData: UnsafeMutablePointer<Unmanaged<CFData>?>
) -> OSStatus {
  read(obj, propertyID) { value in
    guard case .data(let data) = value else { return false }
    unsafe outData.pointee = Unmanaged.passRetained(NSData(data: data))
    return true
  }
}

/// Sets a data property.
///
/// - Parameters:
///   - obj: the object.
///   - propertyID: the property.
///   - data: the bytes.
/// - Returns: 0; `kMIDIObjectNotFound`; `kMIDIWrongPropertyType` for `kMIDIPropertyUniqueID`;
///   `kMIDINotPermitted` for `kMIDIPropertyDisplayName`.
/// - Note: Any thread.
@discardableResult
public func MIDIObjectSetDataProperty(
  _ obj: MIDIObjectRef, _ propertyID: CFString, _ data: CFData
) -> OSStatus {
  write(obj, propertyID, .data(Data(referencing: data)))
}

/// Returns a dictionary property of an object, or of its owner if the object does not have it.
///
/// - Parameters:
///   - obj: the object.
///   - propertyID: the property.
///   - outDict: receives the dictionary, which the caller releases.
/// - Returns: 0; `kMIDIObjectNotFound`; `kMIDIUnknownProperty`; `kMIDIWrongPropertyType`.
/// - Note: Any thread.
@discardableResult
public func MIDIObjectGetDictionaryProperty(
  _ obj: MIDIObjectRef, _ propertyID: CFString,
  _ outDict: UnsafeMutablePointer<Unmanaged<CFDictionary>?>
) -> OSStatus {
  read(obj, propertyID) { value in
    guard case .dictionary(let dictionary) = value else { return false }
    unsafe outDict.pointee = Unmanaged.passRetained(dictionary)
    return true
  }
}

/// Sets a dictionary property.
///
/// - Parameters:
///   - obj: the object.
///   - propertyID: the property.
///   - dict: the dictionary, which is copied.
/// - Returns: 0; `kMIDIObjectNotFound`; `kMIDIWrongPropertyType` for `kMIDIPropertyUniqueID`;
///   `kMIDINotPermitted` for `kMIDIPropertyDisplayName`.
/// - Note: Any thread.
@discardableResult
public func MIDIObjectSetDictionaryProperty(
  _ obj: MIDIObjectRef, _ propertyID: CFString, _ dict: CFDictionary
) -> OSStatus {
  write(obj, propertyID, PropertyValue(dict))
}

/// Removes a property of an object.
///
/// - Parameters:
///   - obj: the object.
///   - propertyID: the property.
/// - Returns: 0; `kMIDIObjectNotFound`; `kMIDIUnknownProperty` if the object itself does not have
///   the property; `kMIDINotPermitted` for `kMIDIPropertyName` and `kMIDIPropertyUniqueID`.
/// - Note: Any thread.
@discardableResult
public func MIDIObjectRemoveProperty(_ obj: MIDIObjectRef, _ propertyID: CFString) -> OSStatus {
  guard let object = MIDIObject.find(obj) else { return kMIDIObjectNotFound }
  let key = "\(propertyID)"
  guard key != "name", key != "uniqueID" else { return kMIDINotPermitted }
  let wasThere = object.properties.withLock { properties in
    defer { properties[key] = nil }
    return properties[key] != nil
  }
  guard wasThere else { return kMIDIUnknownProperty }
  Notice.tell([.property(key, of: object)])
  return noErr
}

/// Finds the object with a unique ID.
///
/// - Parameters:
///   - inUniqueID: the unique ID.
///   - outObject: receives the object, or 0 after an error; may be nil.
///   - outObjectType: receives the kind of the object; may be nil.
/// - Returns: 0; `kMIDIObjectNotFound`.
/// - Note: Any thread.
@discardableResult
public func MIDIObjectFindByUniqueID(
  _ inUniqueID: MIDIUniqueID, _ outObject: UnsafeMutablePointer<MIDIObjectRef>?,
  _ outObjectType: UnsafeMutablePointer<MIDIObjectType>?
) -> OSStatus {
  let found = MIDISetup.shared.with { $0.uniqueIDs.owner(of: inUniqueID) }
  unsafe outObject?.pointee = found?.number ?? 0
  unsafe outObjectType?.pointee = found?.kind ?? .other
  return found == nil ? kMIDIObjectNotFound : noErr
}

private func read(
  _ number: MIDIObjectRef, _ property: CFString, _ take: (PropertyValue) -> Bool
) -> OSStatus {
  guard let object = MIDIObject.find(number) else { return kMIDIObjectNotFound }
  let key = "\(property)"
  let value = key == "displayName" ? .string(object.displayName) : object.value(of: key)
  guard let value else { return kMIDIUnknownProperty }
  return take(value) ? noErr : kMIDIWrongPropertyType
}

private func write(
  _ number: MIDIObjectRef, _ property: CFString, _ value: PropertyValue
) -> OSStatus {
  guard let object = MIDIObject.find(number) else { return kMIDIObjectNotFound }
  let key = "\(property)"
  guard key != "displayName" else { return kMIDINotPermitted }
  if key == "uniqueID" {
    guard case .integer(let number) = value else { return kMIDIWrongPropertyType }
    guard MIDISetup.shared.with({ $0.uniqueIDs.give(number, to: object) }) else {
      return kMIDIIDNotUnique
    }
  }
  object.properties.withLock { $0[key] = value }
  Notice.tell([.property(key, of: object)])
  return noErr
}
