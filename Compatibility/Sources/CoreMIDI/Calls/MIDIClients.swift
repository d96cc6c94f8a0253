// SPDX-License-Identifier: Apache-2.0
public import CCoreAudio
public import CoreAudioTypes

/// Creates a client, which owns ports and endpoints.
///
/// If the kernel's ALSA sequencer is available, the client is also one of its clients, with the
/// same name. Notifications are sent on a separate queue, so a run loop is not needed.
///
/// - Parameters:
///   - name: the name that other programs see.
///   - notifyProc: the function that is called for changes; may be nil.
///   - notifyRefCon: passed to `notifyProc` as its second argument; may be nil.
///   - outClient: receives the client, or 0 after an error.
/// - Returns: 0; `kMIDIUnknownError` if a million objects exist.
/// - Note: Any thread.
@discardableResult
public func MIDIClientCreate(
  _ name: CFString, _ notifyProc: MIDINotifyProc?, _ notifyRefCon: UnsafeMutableRawPointer?,
  _ outClient: UnsafeMutablePointer<MIDIClientRef>
) -> OSStatus {
  unsafe makeClient(name, NotificationListener(notifyProc, notifyRefCon), outClient)
}

/// Creates a client whose notifications are sent to a block.
///
/// - Parameters:
///   - name: the name that other programs see.
///   - outClient: receives the client, or 0 after an error.
///   - notifyBlock: the block that is called for changes, on a separate queue; or nil.
/// - Returns: 0; `kMIDIUnknownError` if a million objects exist.
/// - Note: Any thread.
@discardableResult
public func MIDIClientCreateWithBlock(
  _ name: CFString, _ outClient: UnsafeMutablePointer<MIDIClientRef>,
  _ notifyBlock: MIDINotifyBlock?
) -> OSStatus {
  unsafe makeClient(name, notifyBlock.map(NotificationListener.init), outClient)
}

/// Frees a client with its ports and endpoints.
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
  /// Frees a client, or an object that a client has created.
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
