// SPDX-License-Identifier: Apache-2.0
public import CCoreAudio
public import CoreAudioTypes
internal import Synchronization

/// Creates a destination to which other clients send.
///
/// Packets are delivered at their times, unless `kMIDIPropertyAdvanceScheduleTimeMuSec` is set.
///
/// - Parameters:
///   - client: the client that owns the destination.
///   - name: the name that other programs see.
///   - readProc: the function that is called with received packets, on the thread that delivers
///     packets; it must return quickly.
///   - refCon: passed to `readProc` as its second argument; may be nil.
///   - outDest: receives the destination, or 0 after an error.
/// - Returns: 0; `kMIDIInvalidClient`; `kMIDIServerStartErr` if the thread cannot be started;
///   `kMIDIUnknownError` if a million objects exist.
/// - Note: Any thread.
@discardableResult
public func MIDIDestinationCreate(
  _ client: MIDIClientRef, _ name: CFString, _ readProc: @escaping MIDIReadProc,
  _ refCon: UnsafeMutableRawPointer?, _ outDest: UnsafeMutablePointer<MIDIEndpointRef>
) -> OSStatus {
  unsafe makeEndpoint(client, name, PacketReader(readProc, refCon), outDest)
}

/// Creates a destination that passes received packets to a block.
///
/// - Parameters:
///   - client: the client that owns the destination.
///   - name: the name that other programs see.
///   - outDest: receives the destination, or 0 after an error.
///   - readBlock: the block that is called with received packets, on the thread that delivers
///     packets; it must return quickly.
/// - Returns: 0; `kMIDIInvalidClient`; `kMIDIServerStartErr` if the thread cannot be started;
///   `kMIDIUnknownError` if a million objects exist.
/// - Note: Any thread.
@discardableResult
public func MIDIDestinationCreateWithBlock(
  _ client: MIDIClientRef, _ name: CFString, _ outDest: UnsafeMutablePointer<MIDIEndpointRef>,
  _ readBlock: @escaping MIDIReadBlock
) -> OSStatus {
  unsafe makeEndpoint(client, name, PacketReader(readBlock), outDest)
}

/// Creates a source from which other clients receive; `MIDIReceived` sends its packets.
///
/// - Parameters:
///   - client: the client that owns the source.
///   - name: the name that other programs see.
///   - outSrc: receives the source, or 0 after an error.
/// - Returns: 0; `kMIDIInvalidClient`; `kMIDIServerStartErr` if the thread cannot be started;
///   `kMIDIUnknownError` if a million objects exist.
/// - Note: Any thread.
@discardableResult
public func MIDISourceCreate(
  _ client: MIDIClientRef, _ name: CFString, _ outSrc: UnsafeMutablePointer<MIDIEndpointRef>
) -> OSStatus {
  unsafe makeEndpoint(client, name, nil, outSrc)
}

/// Frees an endpoint that this process has created.
///
/// - Parameter endpt: the endpoint.
/// - Returns: 0; `kMIDIUnknownEndpoint`; `kMIDINotPermitted` if it belongs to another program or a
///   device.
/// - Note: Any thread.
@discardableResult
public func MIDIEndpointDispose(_ endpt: MIDIEndpointRef) -> OSStatus {
  guard let endpoint = EndpointObject.find(endpt) else { return kMIDIUnknownEndpoint }
  guard endpoint.client != nil else { return kMIDINotPermitted }
  MIDISetup.shared.dispose(endpoint)
  return noErr
}

@unsafe
private func makeEndpoint(
  _ client: MIDIClientRef, _ name: CFString, _ reader: PacketReader?,
  _ place: UnsafeMutablePointer<MIDIEndpointRef>
) -> OSStatus {
  unsafe place.pointee = 0
  guard let owner = ClientObject.find(client) else { return kMIDIInvalidClient }
  guard DeliveryThread.shared != nil else { return kMIDIServerStartErr }
  let name = "\(name)"
  let kind: MIDIObjectType = reader == nil ? .source : .destination
  let endpoint = EndpointObject(
    kind, of: owner, properties: ObjectProperties(name: name), reader: reader,
    link: reader == nil ? owner.alsa.flatMap { OutputLink($0, source: name) } : nil,
    input: reader == nil ? nil : owner.alsa.flatMap { InputFeed($0, name: name) })
  guard endpoint.enroll() else { return kMIDIUnknownError }
  MIDISetup.shared.with { state in
    let number = state.uniqueIDs.unused(for: "\(kind.rawValue) \(owner.name)/\(name)")
    _ = state.uniqueIDs.give(number, to: endpoint)
    endpoint.properties.withLock { $0["uniqueID"] = .integer(number) }
    state.own.append(endpoint)
  }
  owner.keep(endpoint)
  endpoint.input?.start { _, packets in unsafe reader?.read(packets, from: nil) }
  unsafe place.pointee = endpoint.number
  Notice.tell([.added(endpoint)])
  return noErr
}
