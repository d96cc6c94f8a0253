// SPDX-License-Identifier: Apache-2.0
public import CCoreAudio
public import CoreAudioTypes

/// Creates a client, the owner of ports and endpoints.
///
/// Where the kernel's sequencer is, it is a client there too, by the same name. Changes are told of
/// on a queue of their own: no run loop is needed.
///
/// - Parameters:
///   - name: what other programs see.
///   - notifyProc: called with changes; nil for nobody.
///   - notifyRefCon: its second argument.
///   - outClient: takes the client's number; 0 where there is none.
/// - Returns: 0; `kMIDIUnknownError` where a million objects are there.
/// - Note: Any thread.
@discardableResult
public func MIDIClientCreate(
  _ name: CFString, _ notifyProc: MIDINotifyProc?, _ notifyRefCon: UnsafeMutableRawPointer?,
  _ outClient: UnsafeMutablePointer<MIDIClientRef>
) -> OSStatus {
  unsafe makeClient(name, NotificationListener(notifyProc, notifyRefCon), outClient)
}

/// Creates a client that tells a block of changes.
///
/// - Parameters:
///   - name: what other programs see.
///   - outClient: takes the client's number; 0 where there is none.
///   - notifyBlock: called with changes, on a queue of their own; nil for nobody.
/// - Returns: 0; `kMIDIUnknownError` where a million objects are there.
/// - Note: Any thread.
@discardableResult
public func MIDIClientCreateWithBlock(
  _ name: CFString, _ outClient: UnsafeMutablePointer<MIDIClientRef>,
  _ notifyBlock: MIDINotifyBlock?
) -> OSStatus {
  unsafe makeClient(name, notifyBlock.map(NotificationListener.init), outClient)
}

/// Lets a client go, with its ports and endpoints.
///
/// - Parameter client: the client.
/// - Returns: 0; `kMIDIInvalidClient`.
/// - Note: Any thread.
@discardableResult
public func MIDIClientDispose(_ client: MIDIClientRef) -> OSStatus {
  guard let found = ClientObject.find(client) else { return kMIDIInvalidClient }
  for object in found.takeBelongings() { MIDISetup.shared.dispose(object) }
  MIDISetup.shared.dispose(found)
  return noErr
}

@unsafe
private func makeClient(
  _ name: CFString, _ listener: NotificationListener?,
  _ place: UnsafeMutablePointer<MIDIClientRef>
) -> OSStatus {
  unsafe place.pointee = 0
  let name = "\(name)"
  let client = ClientObject(
    name: name, alsa: MIDISetup.shared.openClient(name: name), listener: listener)
  guard client.enroll() else { return kMIDIUnknownError }
  MIDISetup.shared.with { $0.clients = $0.clients + [client] }
  unsafe place.pointee = client.number
  return noErr
}

extension MIDISetup {
  /// Lets something go that a client made, or a client.
  func dispose(_ object: MIDIObject) {
    switch object {
    case let client as ClientObject:
      with { state in state.clients = state.clients.filter { $0 !== client } }
    case let port as InputPortObject:
      port.input?.stop()
      port.client.forget(port)
    case let port as OutputPortObject:
      port.client.forget(port)
    case let endpoint as EndpointObject:
      endpoint.input?.stop()
      endpoint.client?.forget(endpoint)
      with { state in
        state.own.removeAll { $0 === endpoint }
        state.uniqueIDs.take(from: endpoint)
      }
      Notice.tell([.removed(endpoint)])
    default: break
    }
    object.dismiss()
  }
}
