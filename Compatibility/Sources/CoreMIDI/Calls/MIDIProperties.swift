// SPDX-License-Identifier: Apache-2.0
public import CCoreAudio
public import CoreAudioTypes
public import Foundation
internal import Synchronization

/// Reads a property that is a number; where the object has none, that of who it belongs to.
///
/// - Parameters:
///   - obj: the object.
///   - propertyID: the property.
///   - outValue: takes the value.
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

/// Sets a property that is a number.
///
/// - Parameters:
///   - obj: the object.
///   - propertyID: the property.
///   - value: the value.
/// - Returns: 0; `kMIDIObjectNotFound`; `kMIDIIDNotUnique` for a unique number that another object
///   has, or 0; `kMIDINotPermitted` for the name that is displayed.
/// - Note: Any thread.
@discardableResult
public func MIDIObjectSetIntegerProperty(
  _ obj: MIDIObjectRef, _ propertyID: CFString, _ value: Int32
) -> OSStatus {
  write(obj, propertyID, .integer(value))
}

/// Reads a property that is a string; where the object has none, that of who it belongs to.
///
/// - Parameters:
///   - obj: the object.
///   - propertyID: the property.
///   - str: takes the string, which the caller releases.
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

/// Sets a property that is a string.
///
/// - Parameters:
///   - obj: the object.
///   - propertyID: the property.
///   - str: the string.
/// - Returns: 0; `kMIDIObjectNotFound`; `kMIDIWrongPropertyType` for the unique number;
///   `kMIDINotPermitted` for the name that is displayed.
/// - Note: Any thread.
@discardableResult
public func MIDIObjectSetStringProperty(
  _ obj: MIDIObjectRef, _ propertyID: CFString, _ str: CFString
) -> OSStatus {
  write(obj, propertyID, .string("\(str)"))
}

/// Reads a property that is bytes; where the object has none, that of who it belongs to.
///
/// - Parameters:
///   - obj: the object.
///   - propertyID: the property.
///   - outData: takes the bytes, which the caller releases.
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

/// Sets a property that is bytes.
///
/// - Parameters:
///   - obj: the object.
///   - propertyID: the property.
///   - data: the bytes.
/// - Returns: 0; `kMIDIObjectNotFound`; `kMIDIWrongPropertyType` for the unique number;
///   `kMIDINotPermitted` for the name that is displayed.
/// - Note: Any thread.
@discardableResult
public func MIDIObjectSetDataProperty(
  _ obj: MIDIObjectRef, _ propertyID: CFString, _ data: CFData
) -> OSStatus {
  write(obj, propertyID, .data(Data(referencing: data)))
}

/// Reads a property that is a dictionary; where the object has none, that of who it belongs to.
///
/// - Parameters:
///   - obj: the object.
///   - propertyID: the property.
///   - outDict: takes the dictionary, which the caller releases.
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

/// Sets a property that is a dictionary.
///
/// - Parameters:
///   - obj: the object.
///   - propertyID: the property.
///   - dict: the dictionary, which is copied.
/// - Returns: 0; `kMIDIObjectNotFound`; `kMIDIWrongPropertyType` for the unique number;
///   `kMIDINotPermitted` for the name that is displayed.
/// - Note: Any thread.
@discardableResult
public func MIDIObjectSetDictionaryProperty(
  _ obj: MIDIObjectRef, _ propertyID: CFString, _ dict: CFDictionary
) -> OSStatus {
  write(obj, propertyID, PropertyValue(dict))
}

/// Takes a property away.
///
/// - Parameters:
///   - obj: the object.
///   - propertyID: the property.
/// - Returns: 0; `kMIDIObjectNotFound`; `kMIDIUnknownProperty` where the object has none of its own;
///   `kMIDINotPermitted` for name and unique number.
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

/// Finds the object that has a unique number.
///
/// - Parameters:
///   - inUniqueID: the number.
///   - outObject: takes the object; 0 where there is none; nil asks only whether there is.
///   - outObjectType: takes what it is.
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
