// SPDX-License-Identifier: Apache-2.0
public import CCoreAudio
internal import CoreAudioTypes
internal import Realtime

/// Sends packets to a destination, each at its time.
///
/// A packet with time 0, or with a time in the past, is sent at once.
///
/// - Parameters:
///   - port: an output port.
///   - dest: the destination.
///   - pktlist: the packets, in order of time.
/// - Returns: 0; `kMIDIInvalidPort`; `kMIDIUnknownEndpoint`; `kMIDIWrongEndpointType` if the
///   endpoint is a source; `kMIDIMessageSendErr` if the sequencer is not available any more.
/// - Note: Any thread. Not real-time safe.
@discardableResult
public func MIDISend(
  _ port: MIDIPortRef, _ dest: MIDIEndpointRef, _ pktlist: UnsafePointer<MIDIPacketList>
) -> OSStatus {
  guard let output = OutputPortObject.find(port) else { return kMIDIInvalidPort }
  guard let endpoint = EndpointObject.find(dest) else { return kMIDIUnknownEndpoint }
  guard !endpoint.isSource else { return kMIDIWrongEndpointType }
  return unsafe output.send([TimedBytes](pktlist), to: endpoint)
}

/// Sends packets from a source of this process to all connected ports.
///
/// Ports of this process receive the packets at once, with unchanged times, including time 0. Other
/// programs receive each packet at its time.
///
/// - Parameters:
///   - src: the source.
///   - pktlist: the packets, in order of time.
/// - Returns: 0; `kMIDIUnknownEndpoint`; `kMIDIWrongEndpointType` if the endpoint is a destination;
///   `kMIDINotPermitted` if the source belongs to another program.
/// - Note: Any thread. Not real-time safe.
@discardableResult
public func MIDIReceived(
  _ src: MIDIEndpointRef, _ pktlist: UnsafePointer<MIDIPacketList>
) -> OSStatus {
  guard let endpoint = EndpointObject.find(src) else { return kMIDIUnknownEndpoint }
  guard endpoint.isSource else { return kMIDIWrongEndpointType }
  guard endpoint.client != nil else { return kMIDINotPermitted }
  let packets = unsafe [TimedBytes](pktlist)
  endpoint.distribute(packets)
  return noErr
}

/// Cancels packets with a later time, and releases sounding notes whose note-offs are cancelled.
///
/// - Parameter dest: the destination, or 0 for all. Packets from other programs are not cancelled.
/// - Returns: 0; `kMIDIUnknownEndpoint`; `kMIDIWrongEndpointType` if the endpoint is a source.
/// - Note: Any thread.
@discardableResult
public func MIDIFlushOutput(_ dest: MIDIEndpointRef) -> OSStatus {
  var target: EndpointObject?
  if dest != 0 {
    guard let endpoint = EndpointObject.find(dest) else { return kMIDIUnknownEndpoint }
    guard !endpoint.isSource else { return kMIDIWrongEndpointType }
    target = endpoint
  }
  if target == nil || target?.client != nil { DeliveryThread.shared?.takeBack(target?.number) }
  for port in OutputPortObject.all {
    for link in port.links(to: target) { link.takeBack() }
  }
  return noErr
}

/// Searches for the sequencer and its ports again.
///
/// - Returns: 0.
/// - Note: Any thread.
@discardableResult
public func MIDIRestart() -> OSStatus {
  MIDISetup.shared.restart()
  return noErr
}
