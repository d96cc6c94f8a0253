// SPDX-License-Identifier: Apache-2.0
public import CCoreAudio
internal import CoreAudioHandles
public import CoreAudioTypes
public import Foundation

/// Initializes the parameters of a thru connection, without endpoints and with unchanged messages.
///
/// - Parameter inConnectionParams: the parameters, all of which are written.
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

/// Creates a thru connection, which sends the messages of sources to destinations.
///
/// Endpoints that do not exist now are left out. A note is released at the destination at which it
/// started, even if the parameters have changed. The connection ends with this process.
///
/// - Parameters:
///   - inPersistentOwnerID: a name with which the connection can be found; may be nil.
///   - inConnectionParams: a `MIDIThruConnectionParams`, followed by its control transforms and
///     value maps.
///   - outConnection: receives the connection, or 0 after an error.
/// - Returns: 0; `kAudio_ParamError` if the parameters are incomplete or have more than eight
///   sources or destinations; `kMIDIServerStartErr` if the thread that delivers packets cannot be
///   started; `kMIDIUnknownError` if a million objects exist.
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

/// Returns the parameters of a thru connection.
///
/// - Parameters:
///   - connection: the connection.
///   - outConnectionParams: receives the parameters, which the caller releases.
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

/// Changes the parameters of a thru connection.
///
/// - Parameters:
///   - connection: the connection.
///   - inConnectionParams: a `MIDIThruConnectionParams`, followed by its control transforms and
///     value maps.
/// - Returns: 0; `kMIDIObjectNotFound`; `kAudio_ParamError` if the parameters are incomplete or
///   have more than eight sources or destinations.
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

/// Finds the thru connections with a name.
///
/// - Parameters:
///   - inPersistentOwnerID: the name.
///   - outConnectionList: receives an array of `MIDIThruConnectionRef`, which the caller releases.
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
