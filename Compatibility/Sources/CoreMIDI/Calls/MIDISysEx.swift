// SPDX-License-Identifier: Apache-2.0
public import CCoreAudio
internal import CoreAudioTypes

/// Sends a SysEx, or a part of one, bit by bit, at the destination's `kMIDIPropertyMaxSysExSpeed`.
///
/// `data` and `bytesToSend` tell how far it has come; set `complete` to end it before its time.
///
/// - Parameter request: what is sent; it and the bytes stay where they are until its completion
///   function has been called, on the thread that delivers.
/// - Returns: 0; `kMIDIUnknownEndpoint`; `kMIDIWrongEndpointType` for a source;
///   `kMIDIServerStartErr` where no thread can be had.
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
