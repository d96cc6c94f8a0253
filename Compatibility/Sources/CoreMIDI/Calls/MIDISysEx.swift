// SPDX-License-Identifier: Apache-2.0
public import CCoreAudio
internal import CoreAudioTypes

/// Sends a SysEx message, or a part of one, in pieces, at the destination's
/// `kMIDIPropertyMaxSysExSpeed`.
///
/// `data` and `bytesToSend` show the progress. Set `complete` to end the transfer early.
///
/// - Parameter request: the request. It and its bytes must stay valid until the completion function
///   is called, on the thread that delivers packets.
/// - Returns: 0; `kMIDIUnknownEndpoint`; `kMIDIWrongEndpointType` if the endpoint is a source;
///   `kMIDIServerStartErr` if the thread cannot be started.
/// - Note: Any thread.
@discardableResult
public func MIDISendSysex(_ request: UnsafeMutablePointer<MIDISysexSendRequest>) -> OSStatus {
  guard let endpoint = unsafe EndpointObject.find(request.pointee.destination) else {
    return kMIDIUnknownEndpoint
  }
  guard !endpoint.isSource else { return kMIDIWrongEndpointType }
  guard let thread = DeliveryThread.shared else { return kMIDIServerStartErr }
  let transfer = unsafe SysExTransfer(request, to: endpoint)
  thread.add(after: 0) { transfer.step() }
  return noErr
}
