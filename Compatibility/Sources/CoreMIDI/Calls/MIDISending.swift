// SPDX-License-Identifier: Apache-2.0
public import CCoreAudio
internal import CoreAudioTypes
internal import Realtime

/// Sends packets to a destination, each at its time; time 0, and what is past, is now.
///
/// - Parameters:
///   - port: an output port.
///   - dest: the destination.
///   - pktlist: the packets, in order of time.
/// - Returns: 0; `kMIDIInvalidPort`; `kMIDIUnknownEndpoint`; `kMIDIWrongEndpointType` for a source;
///   `kMIDIMessageSendErr` where the sequencer is gone.
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

/// Hands packets on from a source of this process, at once, to all that are connected with it.
///
/// Times are handed on as they are: 0 does not become now. What other programs receive, they receive
/// at its time.
///
/// - Parameters:
///   - src: the source.
///   - pktlist: the packets, in order of time.
/// - Returns: 0; `kMIDIUnknownEndpoint`; `kMIDIWrongEndpointType` for a destination;
///   `kMIDINotPermitted` for another program's source.
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

/// Takes back what was sent to a destination for later, and releases the keys whose releases are
/// taken back with it.
///
/// - Parameter dest: the destination; 0 for all. What other programs have sent stays.
/// - Returns: 0; `kMIDIUnknownEndpoint`; `kMIDIWrongEndpointType` for a source.
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

/// Looks for the sequencer and its ports anew.
///
/// - Returns: 0.
/// - Note: Any thread.
@discardableResult
public func MIDIRestart() -> OSStatus {
  MIDISetup.shared.restart()
  return noErr
}
