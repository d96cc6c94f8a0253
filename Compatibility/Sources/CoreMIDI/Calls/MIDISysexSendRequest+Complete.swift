// SPDX-License-Identifier: Apache-2.0
public import CCoreAudio
public import CoreAudioTypes

extension MIDISysexSendRequest {
  /// Creates a request.
  ///
  /// - Parameters:
  ///   - destination: The destination.
  ///   - data: The bytes that are sent; they must remain until the request is complete.
  ///   - bytesToSend: The number of bytes.
  ///   - complete: False; set it to end the request early.
  ///   - reserved: Zeros.
  ///   - completionProc: Called when the request is complete.
  ///   - completionRefCon: A pointer for the completion function.
  public init(
    destination: MIDIEndpointRef, data: UnsafePointer<UInt8>, bytesToSend: UInt32,
    complete: DarwinBoolean, reserved: (UInt8, UInt8, UInt8),
    completionProc: @escaping MIDICompletionProc, completionRefCon: UnsafeMutableRawPointer?
  ) {
    unsafe self.init(
      destination: destination, data: data, bytesToSend: bytesToSend,
      __complete: complete.boolValue ? 1 : 0, reserved: reserved, completionProc: completionProc,
      completionRefCon: completionRefCon)
  }

  /// True if the request is complete.
  ///
  /// Set it to end the request early.
  public var complete: DarwinBoolean {
    get { DarwinBoolean(unsafe __complete != 0) }
    set { unsafe __complete = newValue.boolValue ? 1 : 0 }
  }
}
