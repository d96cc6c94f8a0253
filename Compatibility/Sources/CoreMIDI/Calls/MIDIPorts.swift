// SPDX-License-Identifier: Apache-2.0
internal import ALSAMIDI
public import CCoreAudio
public import CoreAudioTypes
internal import Synchronization

/// Creates a port that receives from the sources it is connected with.
///
/// - Parameters:
///   - client: its client.
///   - portName: what other programs see.
///   - readProc: called with what comes, on the thread that delivers; it must not take long.
///   - refCon: its second argument.
///   - outPort: takes the port's number; 0 where there is none.
/// - Returns: 0; `kMIDIInvalidClient`; `kMIDIServerStartErr` where no thread can be had.
/// - Note: Any thread.
@discardableResult
public func MIDIInputPortCreate(
  _ client: MIDIClientRef, _ portName: CFString, _ readProc: @escaping MIDIReadProc,
  _ refCon: UnsafeMutableRawPointer?, _ outPort: UnsafeMutablePointer<MIDIPortRef>
) -> OSStatus {
  unsafe makeInput(client, portName, PacketReader(readProc, refCon), outPort)
}

/// Creates a port that receives from the sources it is connected with, and tells a block.
///
/// - Parameters:
///   - client: its client.
///   - portName: what other programs see.
///   - outPort: takes the port's number; 0 where there is none.
///   - readBlock: called with what comes, on the thread that delivers; it must not take long.
/// - Returns: 0; `kMIDIInvalidClient`; `kMIDIServerStartErr` where no thread can be had.
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
///   - client: its client.
///   - portName: what other programs see.
///   - outPort: takes the port's number; 0 where there is none.
/// - Returns: 0; `kMIDIInvalidClient`; `kMIDIServerStartErr` where no thread can be had.
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

/// Lets a port go; what it has sent for later is delivered still, where the destination is of this
/// process.
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

/// Connects an input port with a source; one that is connected already gets the new pointer.
///
/// - Parameters:
///   - port: the port.
///   - source: the source.
///   - connRefCon: what tells the source from others: an argument of what is called.
/// - Returns: 0; `kMIDIInvalidPort`; `kMIDIUnknownEndpoint`; `kMIDIWrongEndpointType` for a
///   destination; `kMIDIMessageSendErr` where the sequencer refuses.
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

/// Ends what `MIDIPortConnectSource` began.
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
