// SPDX-License-Identifier: Apache-2.0
internal import AudioToolboxFiles
public import CCoreAudio
internal import CoreAudioHandles
internal import CoreAudioTypes
internal import Synchronization

/// Returns the value of a parameter.
///
/// - Parameters:
///   - inAQ: the queue.
///   - inParamID: the parameter.
///   - outValue: receives the value that was set last.
/// - Returns: 0; `kAudioQueueErr_InvalidParameter`; −50 if the queue does not exist.
@discardableResult
public func AudioQueueGetParameter(
  _ inAQ: AudioQueueRef?, _ inParamID: AudioQueueParameterID,
  _ outValue: UnsafeMutablePointer<AudioQueueParameterValue>?
) -> OSStatus {
  status { () throws(StatusError) in
    let queue: QueueObject = unsafe try object(inAQ)
    let target = unsafe try given(outValue)
    unsafe target.pointee = try queue.parameter(inParamID)
  }
}

/// Sets a parameter.
///
/// The volume is 0…1, the pan −1…1, the play rate 0.25…4, the pitch −2400…2400 cents, and the
/// volume ramp time 0…3600 s. Values outside these ranges are clamped.
///
/// - Parameters:
///   - inAQ: the queue.
///   - inParamID: the parameter.
///   - inValue: the value.
/// - Returns: 0; `kAudioQueueErr_InvalidParameter`; −50 if the queue does not exist or the value is
///   not a number.
@discardableResult
public func AudioQueueSetParameter(
  _ inAQ: AudioQueueRef?, _ inParamID: AudioQueueParameterID, _ inValue: AudioQueueParameterValue
) -> OSStatus {
  status { () throws(StatusError) in
    let queue: QueueObject = unsafe try object(inAQ)
    try queue.set(inParamID, to: inValue)
  }
}

/// Returns the value of a property of the queue or of its converter.
///
/// - Parameters:
///   - inAQ: the queue.
///   - inID: the property.
///   - outData: receives the value.
///   - ioDataSize: the size of the memory in bytes; receives the size of the value.
/// - Returns: 0; `kAudioQueueErr_InvalidProperty`; `kAudioQueueErr_InvalidPropertySize` if the
///   memory is too small; −50 if the queue does not exist.
@discardableResult
public func AudioQueueGetProperty(
  _ inAQ: AudioQueueRef?, _ inID: AudioQueuePropertyID, _ outData: UnsafeMutableRawPointer?,
  _ ioDataSize: UnsafeMutablePointer<UInt32>?
) -> OSStatus {
  status { () throws(StatusError) in
    let queue: QueueObject = unsafe try object(inAQ)
    let target = unsafe try PropertyTarget(
      ioDataSize, outData, badSize: kAudioQueueErr_InvalidPropertySize)
    switch try queue.value(of: inID) {
    case .number(let number): try target.put(number)
    case .rate(let rate): try target.put(rate)
    case .format(let format): try target.put(format)
    case .bytes(let bytes): try target.put(bytes: bytes)
    case .levels(let levels):
      guard target.capacity >= levels.count * MemoryLayout<AudioQueueLevelMeterState>.stride else {
        throw StatusError(kAudioQueueErr_InvalidPropertySize)
      }
      target.put(list: levels)
    case .text(let text): try target.put(text: text)
    }
  }
}

/// Sets a property of the queue or of its converter.
///
/// - Parameters:
///   - inAQ: the queue.
///   - inID: the property.
///   - inData: the value.
///   - inDataSize: the size of the value in bytes.
/// - Returns: 0; `kAudioQueueErr_InvalidProperty`; `kAudioQueueErr_InvalidPropertySize`;
///   `kAudioQueueErr_InvalidPropertyValue`; `kAudioQueueErr_InvalidRunState` if the property cannot
///   be changed while the queue is running; −50 if the queue does not exist.
@discardableResult
public func AudioQueueSetProperty(
  _ inAQ: AudioQueueRef?, _ inID: AudioQueuePropertyID, _ inData: UnsafeRawPointer?,
  _ inDataSize: UInt32
) -> OSStatus {
  status { () throws(StatusError) in
    let queue: QueueObject = unsafe try object(inAQ)
    try queue.set(
      inID,
      unsafe PropertySource(inDataSize, inData, badSize: kAudioQueueErr_InvalidPropertySize))
  }
}

/// Returns the size of a property.
///
/// - Parameters:
///   - inAQ: the queue.
///   - inID: the property.
///   - outDataSize: receives the size in bytes.
/// - Returns: 0; `kAudioQueueErr_InvalidProperty`; −50 if the queue does not exist.
@discardableResult
public func AudioQueueGetPropertySize(
  _ inAQ: AudioQueueRef?, _ inID: AudioQueuePropertyID, _ outDataSize: UnsafeMutablePointer<UInt32>?
) -> OSStatus {
  status { () throws(StatusError) in
    let queue: QueueObject = unsafe try object(inAQ)
    let target = unsafe try given(outDataSize)
    unsafe target.pointee = UInt32(clamping: try queue.value(of: inID).count)
  }
}

/// Adds a function that is called when a property changes.
///
/// The supported properties are `kAudioQueueProperty_IsRunning`,
/// `kAudioQueueProperty_CurrentDevice` and `kAudioQueueProperty_ConverterError`. The function is
/// called on the thread of the queue's callbacks.
///
/// - Parameters:
///   - inAQ: the queue.
///   - inID: the property.
///   - inProc: the function.
///   - inUserData: a value that is passed to the function.
/// - Returns: 0; `kAudioQueueErr_InvalidProperty`; −50 if the queue does not exist.
@discardableResult
public func AudioQueueAddPropertyListener(
  _ inAQ: AudioQueueRef?, _ inID: AudioQueuePropertyID,
  _ inProc: @escaping AudioQueuePropertyListenerProc, _ inUserData: UnsafeMutableRawPointer?
) -> OSStatus {
  status { () throws(StatusError) in
    let queue: QueueObject = unsafe try object(inAQ)
    _ = try queue.value(of: inID)
    let listener = unsafe QueueObject.Listener(
      property: inID, function: inProc, data: inUserData)
    queue.core.withLock { $0.listeners.append(listener) }
  }
}

/// Removes a function that was added with `AudioQueueAddPropertyListener`.
///
/// - Parameters:
///   - inAQ: the queue.
///   - inID: the property.
///   - inProc: the function.
///   - inUserData: the value with which it was added.
/// - Returns: 0, even if the function was not added; −50 if the queue does not exist.
@discardableResult
public func AudioQueueRemovePropertyListener(
  _ inAQ: AudioQueueRef?, _ inID: AudioQueuePropertyID,
  _ inProc: @escaping AudioQueuePropertyListenerProc, _ inUserData: UnsafeMutableRawPointer?
) -> OSStatus {
  status { () throws(StatusError) in
    let queue: QueueObject = unsafe try object(inAQ)
    let sought = unsafe QueueObject.Listener(property: inID, function: inProc, data: inUserData)
    queue.core.withLock { core in
      if let index = core.listeners.firstIndex(where: { $0 == sought }) {
        core.listeners.remove(at: index)
      }
    }
  }
}

extension QueueObject.Listener: Equatable {
  static func == (one: Self, other: Self) -> Bool {
    unsafe one.property == other.property && one.data == other.data
      && unsafeBitCast(one.function, to: UInt.self)
        == unsafeBitCast(other.function, to: UInt.self)
  }
}
