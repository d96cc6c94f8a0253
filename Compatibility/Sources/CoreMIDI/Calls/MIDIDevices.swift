// SPDX-License-Identifier: Apache-2.0
public import CCoreAudio
internal import CoreAudioTypes
internal import Synchronization

/// How many devices there are: the kernel's, those that are away among them.
///
/// - Returns: the number; 0 where there is no sequencer.
/// - Note: Any thread.
public func MIDIGetNumberOfDevices() -> Int {
  MIDISetup.shared.with { $0.directory.devices.count }
}

/// A device.
///
/// - Parameter deviceIndex0: its index, from 0.
/// - Returns: its number; 0 where there is none.
/// - Note: Any thread.
public func MIDIGetDevice(_ deviceIndex0: Int) -> MIDIDeviceRef {
  MIDISetup.shared.with { $0.directory.devices.number(at: deviceIndex0) }
}

/// How many devices a person has described that are on a cable: none, for nobody can here.
///
/// - Returns: 0.
/// - Note: Any thread.
public func MIDIGetNumberOfExternalDevices() -> Int { 0 }

/// A device that a person has described.
///
/// - Parameter deviceIndex0: its index, from 0.
/// - Returns: 0, for there is none.
/// - Note: Any thread.
public func MIDIGetExternalDevice(_ deviceIndex0: Int) -> MIDIDeviceRef { 0 }

/// How many entities a device has.
///
/// - Parameter device: the device.
/// - Returns: the number; 0 for an invalid device.
/// - Note: Any thread.
public func MIDIDeviceGetNumberOfEntities(_ device: MIDIDeviceRef) -> Int {
  DeviceObject.find(device)?.entities.withLock { $0.count } ?? 0
}

/// An entity of a device.
///
/// - Parameters:
///   - device: the device.
///   - entityIndex0: its index, from 0.
/// - Returns: its number; 0 where there is none.
/// - Note: Any thread.
public func MIDIDeviceGetEntity(_ device: MIDIDeviceRef, _ entityIndex0: Int) -> MIDIEntityRef {
  DeviceObject.find(device)?.entities.withLock { $0.number(at: entityIndex0) } ?? 0
}

/// How many sources an entity has.
///
/// - Parameter entity: the entity.
/// - Returns: the number; 0 for an invalid entity.
/// - Note: Any thread.
public func MIDIEntityGetNumberOfSources(_ entity: MIDIEntityRef) -> Int {
  EntityObject.find(entity)?.endpoints(source: true).count ?? 0
}

/// A source of an entity.
///
/// - Parameters:
///   - entity: the entity.
///   - sourceIndex0: its index, from 0.
/// - Returns: its number; 0 where there is none.
/// - Note: Any thread.
public func MIDIEntityGetSource(_ entity: MIDIEntityRef, _ sourceIndex0: Int) -> MIDIEndpointRef {
  EntityObject.find(entity)?.endpoints(source: true).number(at: sourceIndex0) ?? 0
}

/// How many destinations an entity has.
///
/// - Parameter entity: the entity.
/// - Returns: the number; 0 for an invalid entity.
/// - Note: Any thread.
public func MIDIEntityGetNumberOfDestinations(_ entity: MIDIEntityRef) -> Int {
  EntityObject.find(entity)?.endpoints(source: false).count ?? 0
}

/// A destination of an entity.
///
/// - Parameters:
///   - entity: the entity.
///   - destIndex0: its index, from 0.
/// - Returns: its number; 0 where there is none.
/// - Note: Any thread.
public func MIDIEntityGetDestination(
  _ entity: MIDIEntityRef, _ destIndex0: Int
) -> MIDIEndpointRef {
  EntityObject.find(entity)?.endpoints(source: false).number(at: destIndex0) ?? 0
}

/// The device of an entity.
///
/// - Parameters:
///   - inEntity: the entity.
///   - outDevice: takes the device's number; 0 where there is none; nil asks only whether there is.
/// - Returns: 0; `kMIDIObjectNotFound`.
/// - Note: Any thread.
@discardableResult
public func MIDIEntityGetDevice(
  _ inEntity: MIDIEntityRef, _ outDevice: UnsafeMutablePointer<MIDIDeviceRef>?
) -> OSStatus {
  let device = EntityObject.find(inEntity)?.owner
  unsafe outDevice?.pointee = device?.number ?? 0
  return device == nil ? kMIDIObjectNotFound : noErr
}

/// How many sources there are: the sequencer's, then those of this process.
///
/// - Returns: the number.
/// - Note: Any thread.
public func MIDIGetNumberOfSources() -> Int {
  MIDISetup.shared.with { $0.endpoints(source: true).count }
}

/// A source.
///
/// - Parameter sourceIndex0: its index, from 0.
/// - Returns: its number; 0 where there is none.
/// - Note: Any thread.
public func MIDIGetSource(_ sourceIndex0: Int) -> MIDIEndpointRef {
  MIDISetup.shared.with { $0.endpoints(source: true).number(at: sourceIndex0) }
}

/// How many destinations there are: the sequencer's, then those of this process.
///
/// - Returns: the number.
/// - Note: Any thread.
public func MIDIGetNumberOfDestinations() -> Int {
  MIDISetup.shared.with { $0.endpoints(source: false).count }
}

/// A destination.
///
/// - Parameter destIndex0: its index, from 0.
/// - Returns: its number; 0 where there is none.
/// - Note: Any thread.
public func MIDIGetDestination(_ destIndex0: Int) -> MIDIEndpointRef {
  MIDISetup.shared.with { $0.endpoints(source: false).number(at: destIndex0) }
}

/// The entity of an endpoint.
///
/// - Parameters:
///   - inEndpoint: the endpoint.
///   - outEntity: takes the entity's number; 0 where there is none; nil asks only whether there is.
/// - Returns: 0; `kMIDIObjectNotFound`, for a program's endpoint too.
/// - Note: Any thread.
@discardableResult
public func MIDIEndpointGetEntity(
  _ inEndpoint: MIDIEndpointRef, _ outEntity: UnsafeMutablePointer<MIDIEntityRef>?
) -> OSStatus {
  let entity = EndpointObject.find(inEndpoint)?.owner
  unsafe outEntity?.pointee = entity?.number ?? 0
  return entity == nil ? kMIDIObjectNotFound : noErr
}

extension Array where Element: MIDIObject {
  /// The number of the object at an index; 0 where there is none.
  fileprivate func number(at index: Int) -> MIDIObjectRef {
    indices.contains(index) ? self[index].number : 0
  }
}
