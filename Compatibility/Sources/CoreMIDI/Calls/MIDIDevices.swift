// SPDX-License-Identifier: Apache-2.0
public import CCoreAudio
internal import CoreAudioTypes
internal import Synchronization

/// Returns the number of devices of the kernel, including devices that are unplugged.
///
/// - Returns: the number; 0 without a sequencer.
/// - Note: Any thread.
public func MIDIGetNumberOfDevices() -> Int {
  MIDISetup.shared.with { $0.directory.devices.count }
}

/// Returns the device at an index.
///
/// - Parameter deviceIndex0: the index, from 0.
/// - Returns: the device; 0 if the index is out of range.
/// - Note: Any thread.
public func MIDIGetDevice(_ deviceIndex0: Int) -> MIDIDeviceRef {
  MIDISetup.shared.with { $0.directory.devices.number(at: deviceIndex0) }
}

/// Returns 0: the list of external devices is always empty.
///
/// - Returns: 0.
/// - Note: Any thread.
public func MIDIGetNumberOfExternalDevices() -> Int { 0 }

/// Returns 0: the list of external devices is always empty.
///
/// - Parameter deviceIndex0: the index, from 0.
/// - Returns: 0.
/// - Note: Any thread.
public func MIDIGetExternalDevice(_ deviceIndex0: Int) -> MIDIDeviceRef { 0 }

/// Returns the number of entities of a device.
///
/// - Parameter device: the device.
/// - Returns: the number; 0 if the device is invalid.
/// - Note: Any thread.
public func MIDIDeviceGetNumberOfEntities(_ device: MIDIDeviceRef) -> Int {
  DeviceObject.find(device)?.entities.withLock { $0.count } ?? 0
}

/// Returns the entity of a device at an index.
///
/// - Parameters:
///   - device: the device.
///   - entityIndex0: the index, from 0.
/// - Returns: the entity; 0 if the device is invalid or the index is out of range.
/// - Note: Any thread.
public func MIDIDeviceGetEntity(_ device: MIDIDeviceRef, _ entityIndex0: Int) -> MIDIEntityRef {
  DeviceObject.find(device)?.entities.withLock { $0.number(at: entityIndex0) } ?? 0
}

/// Returns the number of sources of an entity.
///
/// - Parameter entity: the entity.
/// - Returns: the number; 0 if the entity is invalid.
/// - Note: Any thread.
public func MIDIEntityGetNumberOfSources(_ entity: MIDIEntityRef) -> Int {
  EntityObject.find(entity)?.endpoints(source: true).count ?? 0
}

/// Returns the source of an entity at an index.
///
/// - Parameters:
///   - entity: the entity.
///   - sourceIndex0: the index, from 0.
/// - Returns: the source; 0 if the entity is invalid or the index is out of range.
/// - Note: Any thread.
public func MIDIEntityGetSource(_ entity: MIDIEntityRef, _ sourceIndex0: Int) -> MIDIEndpointRef {
  EntityObject.find(entity)?.endpoints(source: true).number(at: sourceIndex0) ?? 0
}

/// Returns the number of destinations of an entity.
///
/// - Parameter entity: the entity.
/// - Returns: the number; 0 if the entity is invalid.
/// - Note: Any thread.
public func MIDIEntityGetNumberOfDestinations(_ entity: MIDIEntityRef) -> Int {
  EntityObject.find(entity)?.endpoints(source: false).count ?? 0
}

/// Returns the destination of an entity at an index.
///
/// - Parameters:
///   - entity: the entity.
///   - destIndex0: the index, from 0.
/// - Returns: the destination; 0 if the entity is invalid or the index is out of range.
/// - Note: Any thread.
public func MIDIEntityGetDestination(
  _ entity: MIDIEntityRef, _ destIndex0: Int
) -> MIDIEndpointRef {
  EntityObject.find(entity)?.endpoints(source: false).number(at: destIndex0) ?? 0
}

/// Returns the device of an entity.
///
/// - Parameters:
///   - inEntity: the entity.
///   - outDevice: receives the device, or 0 after an error; may be nil.
/// - Returns: 0; `kMIDIObjectNotFound` if the entity is invalid.
/// - Note: Any thread.
@discardableResult
public func MIDIEntityGetDevice(
  _ inEntity: MIDIEntityRef, _ outDevice: UnsafeMutablePointer<MIDIDeviceRef>?
) -> OSStatus {
  let device = EntityObject.find(inEntity)?.owner
  unsafe outDevice?.pointee = device?.number ?? 0
  return device == nil ? kMIDIObjectNotFound : noErr
}

/// Returns the number of sources: those of the sequencer, then those of this process.
///
/// - Returns: the number.
/// - Note: Any thread.
public func MIDIGetNumberOfSources() -> Int {
  MIDISetup.shared.with { $0.endpoints(source: true).count }
}

/// Returns the source at an index.
///
/// - Parameter sourceIndex0: the index, from 0.
/// - Returns: the source; 0 if the index is out of range.
/// - Note: Any thread.
public func MIDIGetSource(_ sourceIndex0: Int) -> MIDIEndpointRef {
  MIDISetup.shared.with { $0.endpoints(source: true).number(at: sourceIndex0) }
}

/// Returns the number of destinations: those of the sequencer, then those of this process.
///
/// - Returns: the number.
/// - Note: Any thread.
public func MIDIGetNumberOfDestinations() -> Int {
  MIDISetup.shared.with { $0.endpoints(source: false).count }
}

/// Returns the destination at an index.
///
/// - Parameter destIndex0: the index, from 0.
/// - Returns: the destination; 0 if the index is out of range.
/// - Note: Any thread.
public func MIDIGetDestination(_ destIndex0: Int) -> MIDIEndpointRef {
  MIDISetup.shared.with { $0.endpoints(source: false).number(at: destIndex0) }
}

/// Returns the entity of an endpoint.
///
/// - Parameters:
///   - inEndpoint: the endpoint.
///   - outEntity: receives the entity, or 0 after an error; may be nil.
/// - Returns: 0; `kMIDIObjectNotFound` if the endpoint is invalid or belongs to a program.
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
  /// The object at an index; 0 if the index is out of range.
  fileprivate func number(at index: Int) -> MIDIObjectRef {
    indices.contains(index) ? self[index].number : 0
  }
}
