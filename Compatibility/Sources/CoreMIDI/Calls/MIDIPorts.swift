// SPDX-License-Identifier: Apache-2.0
internal import ALSAMIDI
public import CCoreAudio
public import CoreAudioTypes
internal import Synchronization

/// Creates a port that receives from sources.
///
/// - Parameters:
///   - client: the client that owns the port.
///   - portName: the name that other programs see.
///   - readProc: the function that is called with received packets, on the thread that delivers
///     packets; it must return quickly.
///   - refCon: passed to `readProc` as its second argument; may be nil.
///   - outPort: receives the port, or 0 after an error.
/// - Returns: 0; `kMIDIInvalidClient`; `kMIDIServerStartErr` if the thread cannot be started;
///   `kMIDIUnknownError` if a million objects exist.
/// - Note: Any thread.
@discardableResult
public func MIDIInputPortCreate(
  _ client: MIDIClientRef, _ portName: CFString, _ readProc: @escaping MIDIReadProc,
  _ refCon: UnsafeMutableRawPointer?, _ outPort: UnsafeMutablePointer<MIDIPortRef>
) -> OSStatus {
  unsafe makeInput(client, portName, PacketReader(readProc, refCon), outPort)
}

/// Creates a port that receives from sources and passes the packets to a block.
///
/// - Parameters:
///   - client: the client that owns the port.
///   - portName: the name that other programs see.
///   - outPort: receives the port, or 0 after an error.
///   - readBlock: the block that is called with received packets, on the thread that delivers
///     packets; it must return quickly.
/// - Returns: 0; `kMIDIInvalidClient`; `kMIDIServerStartErr` if the thread cannot be started;
///   `kMIDIUnknownError` if a million objects exist.
/// - Note: Any thread.
@discardableResult
public func MIDIInputPortCreateWithBlock(
  _ client: MIDIClientRef, _ portName: CFString, _ outPort: UnsafeMutablePointer<MIDIPortRef>,
  _ readBlock: @escaping MIDIReadBlock
) -> OSStatus {
  unsafe makeInput(client, portName, PacketReader(readBlock), outPort)
}

/// Creates a port that sends to any destination.
///
/// - Parameters:
///   - client: the client that owns the port.
///   - portName: the name that other programs see.
///   - outPort: receives the port, or 0 after an error.
/// - Returns: 0; `kMIDIInvalidClient`; `kMIDIServerStartErr` if the thread cannot be started;
///   `kMIDIUnknownError` if a million objects exist.
/// - Note: Any thread.
@discardableResult
public func MIDIOutputPortCreate(
  _ client: MIDIClientRef, _ portName: CFString, _ outPort: UnsafeMutablePointer<MIDIPortRef>
) -> OSStatus {
  unsafe outPort.pointee = 0
  guard let owner = ClientObject.find(client) else { return kMIDIInvalidClient }
  guard DeliveryThread.shared != nil else { return kMIDIServerStartErr }
  let port = OutputPortObject(owner, name: "\(portName)")
  guard port.enroll() else { return kMIDIUnknownError }
  owner.keep(port)
  unsafe outPort.pointee = port.number
  return noErr
}

/// Frees a port; packets with a later time are still delivered to destinations of this process.
///
/// - Parameter port: the port.
/// - Returns: 0; `kMIDIInvalidPort`.
/// - Note: Any thread.
@discardableResult
public func MIDIPortDispose(_ port: MIDIPortRef) -> OSStatus {
  let found: MIDIObject? = InputPortObject.find(port) ?? OutputPortObject.find(port)
  guard let found else { return kMIDIInvalidPort }
  MIDISetup.shared.dispose(found)
  return noErr
}

/// Connects an input port to a source.
///
/// If they are already connected, only `connRefCon` is replaced.
///
/// - Parameters:
///   - port: the port.
///   - source: the source.
///   - connRefCon: a pointer that is passed to the port's function or block with packets of this
///     source.
/// - Returns: 0; `kMIDIInvalidPort`; `kMIDIUnknownEndpoint`; `kMIDIWrongEndpointType` if the
///   endpoint is a destination; `kMIDIMessageSendErr` if the sequencer refuses the connection.
/// - Note: Any thread.
@discardableResult
public func MIDIPortConnectSource(
  _ port: MIDIPortRef, _ source: MIDIEndpointRef, _ connRefCon: UnsafeMutableRawPointer?
) -> OSStatus {
  guard let input = InputPortObject.find(port) else { return kMIDIInvalidPort }
  guard let endpoint = EndpointObject.find(source) else { return kMIDIUnknownEndpoint }
  guard endpoint.isSource else { return kMIDIWrongEndpointType }
  unsafe input.connect(endpoint, connRefCon)
  guard let there = endpoint.alsa.withLock({ $0 }) else { return noErr }
  guard let feed = input.input else { return kMIDIUnknownEndpoint }
  do {
    try feed.port.connect(to: there)
  } catch {
    _ = input.disconnect(endpoint)
    return kMIDIMessageSendErr
  }
  return noErr
}

/// Disconnects an input port from a source.
///
/// - Parameters:
///   - port: the port.
///   - source: the source.
/// - Returns: 0; `kMIDIInvalidPort`; `kMIDIUnknownEndpoint`; `kMIDINoConnection`.
/// - Note: Any thread.
@discardableResult
public func MIDIPortDisconnectSource(_ port: MIDIPortRef, _ source: MIDIEndpointRef) -> OSStatus {
  guard let input = InputPortObject.find(port) else { return kMIDIInvalidPort }
  guard let endpoint = EndpointObject.find(source) else { return kMIDIUnknownEndpoint }
  guard input.disconnect(endpoint) else { return kMIDINoConnection }
  input.disconnectInKernel(endpoint)
  return noErr
}

@unsafe
private func makeInput(
  _ client: MIDIClientRef, _ name: CFString, _ reader: PacketReader,
  _ place: UnsafeMutablePointer<MIDIPortRef>
) -> OSStatus {
  unsafe place.pointee = 0
  guard let owner = ClientObject.find(client) else { return kMIDIInvalidClient }
  guard DeliveryThread.shared != nil else { return kMIDIServerStartErr }
  let feed = owner.alsa.flatMap { InputFeed($0, name: "\(name)") }
  let port = InputPortObject(owner, name: "\(name)", reader: reader, input: feed)
  guard port.enroll() else { return kMIDIUnknownError }
  owner.keep(port)
  feed?.start { [weak port] sender, packets in port?.take(packets, from: sender) }
  unsafe place.pointee = port.number
  return noErr
}
