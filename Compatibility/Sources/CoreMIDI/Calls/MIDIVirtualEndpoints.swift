// SPDX-License-Identifier: Apache-2.0
public import CCoreAudio
public import CoreAudioTypes
internal import Synchronization

/// Creates a destination that others send to.
///
/// Packets are handed over at their times, unless `kMIDIPropertyAdvanceScheduleTimeMuSec` is set.
///
/// - Parameters:
///   - client: its client.
///   - name: what other programs see.
///   - readProc: called with what comes, on the thread that delivers; it must not take long.
///   - refCon: its second argument.
///   - outDest: takes the endpoint's number; 0 where there is none.
/// - Returns: 0; `kMIDIInvalidClient`; `kMIDIServerStartErr` where no thread can be had.
/// - Note: Any thread.
@discardableResult
public func MIDIDestinationCreate(
  _ client: MIDIClientRef, _ name: CFString, _ readProc: @escaping MIDIReadProc,
  _ refCon: UnsafeMutableRawPointer?, _ outDest: UnsafeMutablePointer<MIDIEndpointRef>
) -> OSStatus {
  unsafe makeEndpoint(client, name, PacketReader(readProc, refCon), outDest)
}

/// Creates a destination that others send to, and that tells a block.
///
/// - Parameters:
///   - client: its client.
///   - name: what other programs see.
///   - outDest: takes the endpoint's number; 0 where there is none.
///   - readBlock: called with what comes, on the thread that delivers; it must not take long.
/// - Returns: 0; `kMIDIInvalidClient`; `kMIDIServerStartErr` where no thread can be had.
/// - Note: Any thread.
@discardableResult
public func MIDIDestinationCreateWithBlock(
  _ client: MIDIClientRef, _ name: CFString, _ outDest: UnsafeMutablePointer<MIDIEndpointRef>,
  _ readBlock: @escaping MIDIReadBlock
) -> OSStatus {
  unsafe makeEndpoint(client, name, PacketReader(readBlock), outDest)
}

/// Creates a source that others receive from; `MIDIReceived` sends from it.
///
/// - Parameters:
///   - client: its client.
///   - name: what other programs see.
///   - outSrc: takes the endpoint's number; 0 where there is none.
/// - Returns: 0; `kMIDIInvalidClient`; `kMIDIServerStartErr` where no thread can be had.
/// - Note: Any thread.
@discardableResult
public func MIDISourceCreate(
  _ client: MIDIClientRef, _ name: CFString, _ outSrc: UnsafeMutablePointer<MIDIEndpointRef>
) -> OSStatus {
  unsafe makeEndpoint(client, name, nil, outSrc)
}

/// Lets an endpoint go that this process made.
///
/// - Parameter endpt: the endpoint.
/// - Returns: 0; `kMIDIUnknownEndpoint`; `kMIDINotPermitted` for one of another program.
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
