// SPDX-License-Identifier: Apache-2.0
public import CCoreAudio
internal import CoreAudioHandles
public import CoreAudioTypes

/// Initializes the session; the other functions also work without this call.
///
/// - Parameters:
///   - inRunLoop: Not used: the listener is called on the main run loop if that loop runs, otherwise
///     on a queue of the session.
///   - inRunLoopMode: Not used.
///   - inInterruptionListener: A function that is called when the device is disconnected and when it
///     is back; nil for none.
///   - inClientData: The first argument of the function.
/// - Returns: 0; `kAudioSessionAlreadyInitialized` for a second call.
/// - Note: Any thread.
@discardableResult
public func AudioSessionInitialize(
  _ inRunLoop: CFRunLoop?, _ inRunLoopMode: CFString?,
  _ inInterruptionListener: AudioSessionInterruptionListener?,
  _ inClientData: UnsafeMutableRawPointer?
) -> OSStatus {
  unsafe SessionListeners.shared.initialize(inInterruptionListener, inClientData)
    ? kAudioSessionNoError : kAudioSessionAlreadyInitialized
}

/// Makes the session active or inactive; players are not affected.
///
/// - Parameter active: True for active.
/// - Returns: 0.
/// - Note: Any thread.
@discardableResult
public func AudioSessionSetActive(_ active: Bool) -> OSStatus {
  SystemSession.shared.set { $0.isActive = active }
  return kAudioSessionNoError
}

/// Makes the session active or inactive; players are not affected.
///
/// - Parameters:
///   - active: True for active.
///   - inFlags: Not used.
/// - Returns: 0.
/// - Note: Any thread.
@discardableResult
public func AudioSessionSetActiveWithFlags(_ active: Bool, _ inFlags: UInt32) -> OSStatus {
  AudioSessionSetActive(active)
}

/// Returns the value of a property.
///
/// - Parameters:
///   - inID: The property.
///   - ioDataSize: The size of the memory in bytes; receives the size of the value.
///   - outData: Receives the value.
/// - Returns: 0; `kAudioSessionUnsupportedPropertyError`; `kAudioSessionBadPropertySizeError` if
///   the memory is too small; `kAudio_ParamError` for nil.
/// - Note: Any thread.
@discardableResult
public func AudioSessionGetProperty(
  _ inID: AudioSessionPropertyID, _ ioDataSize: UnsafeMutablePointer<UInt32>?,
  _ outData: UnsafeMutableRawPointer?
) -> OSStatus {
  status { () throws(StatusError) in
    let size = unsafe try given(ioDataSize)
    let data = unsafe try given(outData)
    let value = try SessionProperty.value(of: inID)
    guard unsafe Int(size.pointee) >= value.count else {
      throw StatusError(kAudioSessionBadPropertySizeError)
    }
    for (index, byte) in value.enumerated() {
      unsafe data.storeBytes(of: byte, toByteOffset: index, as: UInt8.self)
    }
    unsafe size.pointee = UInt32(value.count)
  }
}

/// Returns the size of a property.
///
/// - Parameters:
///   - inID: The property.
///   - outDataSize: Receives the size in bytes.
/// - Returns: 0; `kAudioSessionUnsupportedPropertyError`; `kAudio_ParamError` for nil.
/// - Note: Any thread.
@discardableResult
public func AudioSessionGetPropertySize(
  _ inID: AudioSessionPropertyID, _ outDataSize: UnsafeMutablePointer<UInt32>?
) -> OSStatus {
  status { () throws(StatusError) in
    let value = try SessionProperty.value(of: inID)
    unsafe try given(outDataSize).pointee = UInt32(value.count)
  }
}

/// Sets a property: the category and its option to mix, the preferred rate, or the preferred length
/// of a period.
///
/// - Parameters:
///   - inID: The property.
///   - inDataSize: The size of the value in bytes.
///   - inData: The value.
/// - Returns: 0; `kAudioSessionUnsupportedPropertyError`; `kAudioSessionBadPropertySizeError`;
///   `kAudioSessionIncompatibleCategory` for an unknown category; `kAudio_ParamError` for nil, and
///   for numbers that are negative or not finite.
/// - Note: Any thread.
@discardableResult
public func AudioSessionSetProperty(
  _ inID: AudioSessionPropertyID, _ inDataSize: UInt32, _ inData: UnsafeRawPointer?
) -> OSStatus {
  status { () throws(StatusError) in
    let data = unsafe try given(inData)
    let bytes = unsafe UnsafeRawBufferPointer(start: data, count: Int(inDataSize))
    try unsafe SessionProperty.set(inID, bytes)
  }
}

/// Adds a function that is called when a property has changed.
///
/// The function is called for `kAudioSessionProperty_AudioRouteChange`, with a dictionary that
/// contains the reason, and for `kAudioSessionProperty_AudioInputAvailable`.
///
/// - Parameters:
///   - inID: The property.
///   - inProc: The function.
///   - inClientData: The first argument of the function.
/// - Returns: 0; `kAudio_ParamError` for nil.
/// - Note: Any thread.
@discardableResult
public func AudioSessionAddPropertyListener(
  _ inID: AudioSessionPropertyID, _ inProc: AudioSessionPropertyListener?,
  _ inClientData: UnsafeMutableRawPointer?
) -> OSStatus {
  status { () throws(StatusError) in
    let function = unsafe try given(inProc)
    unsafe SessionListeners.shared.add(inID, function, inClientData)
  }
}

/// Removes a function that was added with the same arguments.
///
/// - Parameters:
///   - inID: The property.
///   - inProc: The function.
///   - inClientData: The first argument of the function.
/// - Returns: 0; `kAudio_ParamError` for nil, or if the function was not added.
/// - Note: Any thread.
@discardableResult
public func AudioSessionRemovePropertyListenerWithUserData(
  _ inID: AudioSessionPropertyID, _ inProc: AudioSessionPropertyListener?,
  _ inClientData: UnsafeMutableRawPointer?
) -> OSStatus {
  status { () throws(StatusError) in
    let function = unsafe try given(inProc)
    guard unsafe SessionListeners.shared.remove(inID, function, inClientData) else {
      throw .parameter
    }
  }
}
