// SPDX-License-Identifier: Apache-2.0
public import CCoreAudio
internal import CoreAudioHandles
public import CoreAudioTypes
public import Foundation

/// Makes a description of a thru connection that has no ends yet and changes nothing.
///
/// - Parameter inConnectionParams: the description; all of it is written.
/// - Note: Any thread.
public func MIDIThruConnectionParamsInitialize(
  _ inConnectionParams: UnsafeMutablePointer<MIDIThruConnectionParams>
) {
  var params = MIDIThruConnectionParams()
  params.highNote = 127
  unsafe withUnsafeMutableBytes(of: &params.channelMap) { map in
    for channel in map.indices { unsafe map[channel] = UInt8(channel) }
  }
  unsafe inConnectionParams.pointee = params
}

/// Connects sources with destinations.
///
/// Endpoints that are not there now are left out. A key goes up where it went down, whatever the
/// description has become since.
///
/// - Parameters:
///   - inPersistentOwnerID: the name under which it is found; it lasts as long as this process.
///   - inConnectionParams: a `MIDIThruConnectionParams` and what it says follows it.
///   - outConnection: takes the connection's number; 0 where there is none.
/// - Returns: 0; −50 for a description that is shorter than it says; `kMIDIServerStartErr`.
/// - Note: Any thread.
@discardableResult
public func MIDIThruConnectionCreate(
  _ inPersistentOwnerID: CFString?, _ inConnectionParams: CFData,
  _ outConnection: UnsafeMutablePointer<MIDIThruConnectionRef>
) -> OSStatus {
  unsafe outConnection.pointee = 0
  let bytes = [UInt8](Data(referencing: inConnectionParams))
  guard let settings = ThruSettings(bytes) else { return kAudio_ParamError }
  guard DeliveryThread.shared != nil else { return kMIDIServerStartErr }
  let thru = ThruObject(owner: inPersistentOwnerID.map { "\($0)" }, settings, bytes)
  guard thru.enroll() else { return kMIDIUnknownError }
  unsafe outConnection.pointee = thru.number
  Notice.tell([.thruConnections])
  return noErr
}

/// Ends a thru connection.
///
/// - Parameter connection: the connection.
/// - Returns: 0; `kMIDIObjectNotFound`.
/// - Note: Any thread.
@discardableResult
public func MIDIThruConnectionDispose(_ connection: MIDIThruConnectionRef) -> OSStatus {
  guard let thru = ThruObject.find(connection) else { return kMIDIObjectNotFound }
  thru.end()
  Notice.tell([.thruConnections])
  return noErr
}

/// Reads the description of a thru connection.
///
/// - Parameters:
///   - connection: the connection.
///   - outConnectionParams: takes the description, which the caller releases.
/// - Returns: 0; `kMIDIObjectNotFound`.
/// - Note: Any thread.
@discardableResult
public func MIDIThruConnectionGetParams(
  _ connection: MIDIThruConnectionRef,
  _ outConnectionParams: UnsafeMutablePointer<Unmanaged<CFData>>
) -> OSStatus {
  guard let thru = ThruObject.find(connection) else { return kMIDIObjectNotFound }
  unsafe outConnectionParams.pointee = Unmanaged.passRetained(NSData(data: Data(thru.bytes)))
  return noErr
}

/// Changes the description of a thru connection.
///
/// - Parameters:
///   - connection: the connection.
///   - inConnectionParams: the description.
/// - Returns: 0; `kMIDIObjectNotFound`; −50 for a description that is shorter than it says.
/// - Note: Any thread.
@discardableResult
public func MIDIThruConnectionSetParams(
  _ connection: MIDIThruConnectionRef, _ inConnectionParams: CFData
) -> OSStatus {
  guard let thru = ThruObject.find(connection) else { return kMIDIObjectNotFound }
  let bytes = [UInt8](Data(referencing: inConnectionParams))
  guard let settings = ThruSettings(bytes) else { return kAudio_ParamError }
  thru.use(settings, bytes)
  Notice.tell([.thruConnections])
  return noErr
}

/// Finds the thru connections of a name.
///
/// - Parameters:
///   - inPersistentOwnerID: the name.
///   - outConnectionList: takes their numbers, 4 bytes each, which the caller releases.
/// - Returns: 0.
/// - Note: Any thread.
@discardableResult
public func MIDIThruConnectionFind(
  _ inPersistentOwnerID: CFString, _ outConnectionList: UnsafeMutablePointer<Unmanaged<CFData>>
) -> OSStatus {
  let name = "\(inPersistentOwnerID)"
  let all = HandleTable.shared.all(ThruObject.self).map(\.1).filter { $0.ownerName == name }
  let bytes = all.flatMap { thru in
    unsafe withUnsafeBytes(of: thru.number) { unsafe [UInt8]($0) }
  }
  unsafe outConnectionList.pointee = Unmanaged.passRetained(NSData(data: Data(bytes)))
  return noErr
}
