public import CCoreAudio
// SPDX-License-Identifier: Apache-2.0
internal import CoreAudioHandles
internal import CoreAudioTypes
internal import Synchronization

/// Prepares a unit for rendering.
///
/// - Parameter inUnit: the unit.
/// - Returns: 0; `kAudio_ParamError` if the unit is invalid; `kAudioUnitErr_FailedInitialization`
///   if an instrument does not find a soundfont or a synthesiser.
/// - Note: Any thread except a render thread.
@discardableResult
public func AudioUnitInitialize(_ inUnit: AudioUnit?) -> OSStatus {
  guard let unit = unsafe UnitObject.find(inUnit) else { return kAudio_ParamError }
  return unit.initialize()
}

/// Stops a unit and frees the memory with which it renders.
///
/// - Parameter inUnit: the unit.
/// - Returns: 0; `kAudio_ParamError` if the unit is invalid.
/// - Note: Any thread except a render thread.
@discardableResult
public func AudioUnitUninitialize(_ inUnit: AudioUnit?) -> OSStatus {
  guard let unit = unsafe UnitObject.find(inUnit) else { return kAudio_ParamError }
  unit.uninitialize()
  return noErr
}

/// Silences an instrument.
///
/// - Parameters:
///   - inUnit: the unit; units other than instruments do not change.
///   - inScope: not used; the whole unit is silenced.
///   - inElement: not used.
/// - Returns: 0; `kAudio_ParamError` if the unit is invalid.
/// - Note: Any thread.
@discardableResult
public func AudioUnitReset(
  _ inUnit: AudioUnit?, _ inScope: AudioUnitScope, _ inElement: AudioUnitElement
) -> OSStatus {
  guard let unit = unsafe UnitObject.find(inUnit) else { return kAudio_ParamError }
  unit.player?.silence()
  return noErr
}

/// Renders a slice.
///
/// The buffer list has two buffers with one channel each, or one buffer with one channel or two
/// interleaved channels, in 32-bit floating point.
///
/// - Parameters:
///   - inUnit: the unit.
///   - ioActionFlags: flags that are passed to render callbacks and notifications; may be nil.
///   - inTimeStamp: the time of the slice's first frame.
///   - inOutputBusNumber: 0.
///   - inNumberFrames: the number of frames, at most `kAudioUnitProperty_MaximumFramesPerSlice`.
///   - ioData: receives the sound; a buffer whose `mData` is nil receives a pointer to memory of
///     the unit.
/// - Returns: 0; `kAudio_ParamError` if the unit is invalid or the buffer list does not fit;
///   `kAudioUnitErr_Uninitialized`; `kAudioUnitErr_TooManyFramesToProcess`;
///   `kAudioUnitErr_InvalidElement` for another bus than 0; `kAudioUnitErr_NoConnection` if the
///   input of an output or effect is not connected; `kAudioUnitErr_CannotDoInCurrentContext` while
///   a program changes the unit; the error of a render callback.
/// - Note: One thread at a time. Real-time safe.
@discardableResult
public func AudioUnitRender(
  _ inUnit: AudioUnit?, _ ioActionFlags: UnsafeMutablePointer<AudioUnitRenderActionFlags>?,
  _ inTimeStamp: UnsafePointer<AudioTimeStamp>, _ inOutputBusNumber: UInt32,
  _ inNumberFrames: UInt32, _ ioData: UnsafeMutablePointer<AudioBufferList>
) -> OSStatus {
  guard let unit = unsafe UnitObject.find(inUnit) else { return kAudio_ParamError }
  let status = unsafe unit.render(
    ioActionFlags, inTimeStamp, inOutputBusNumber, inNumberFrames, ioData)
  if status != noErr { _ = unit.state.withLockIfAvailable { $0.lastError = status } }
  return status
}

/// Adds a function that is called before and after a unit renders each slice.
///
/// - Parameters:
///   - inUnit: the unit.
///   - inProc: the function, which is called on the render thread. The action flags that it
///     receives distinguish the calls before and after rendering.
///   - inProcUserData: passed to `inProc` as its first argument; may be nil.
/// - Returns: 0; `kAudio_ParamError` if the unit is invalid.
/// - Note: Any thread.
@discardableResult
public func AudioUnitAddRenderNotify(
  _ inUnit: AudioUnit?, _ inProc: @escaping AURenderCallback,
  _ inProcUserData: UnsafeMutableRawPointer?
) -> OSStatus {
  guard let unit = unsafe UnitObject.find(inUnit) else { return kAudio_ParamError }
  let notify = unsafe RenderNotify(function: inProc, data: inProcUserData)
  unit.state.withLock { $0.notifies.append(notify) }
  return noErr
}

/// Removes a function that was added with `AudioUnitAddRenderNotify`.
///
/// - Parameters:
///   - inUnit: the unit.
///   - inProc: the function.
///   - inProcUserData: the argument with which it was added.
/// - Returns: 0, also if the function was not added; `kAudio_ParamError` if the unit is invalid.
/// - Note: Any thread.
@discardableResult
public func AudioUnitRemoveRenderNotify(
  _ inUnit: AudioUnit?, _ inProc: @escaping AURenderCallback,
  _ inProcUserData: UnsafeMutableRawPointer?
) -> OSStatus {
  guard let unit = unsafe UnitObject.find(inUnit) else { return kAudio_ParamError }
  let notify = unsafe RenderNotify(function: inProc, data: inProcUserData)
  unit.state.withLock { $0.notifies.removeAll { $0 == notify } }
  return noErr
}

/// Returns the value of a parameter.
///
/// - Parameters:
///   - inUnit: the unit.
///   - inID: the parameter.
///   - inScope: the scope.
///   - inElement: the element.
///   - outValue: receives the value.
/// - Returns: 0; `kAudio_ParamError` if the unit is invalid; `kAudioUnitErr_InvalidParameter`;
///   `kAudioUnitErr_InvalidElement`.
/// - Note: Any thread.
@discardableResult
public func AudioUnitGetParameter(
  _ inUnit: AudioUnit?, _ inID: AudioUnitParameterID, _ inScope: AudioUnitScope,
  _ inElement: AudioUnitElement, _ outValue: UnsafeMutablePointer<AudioUnitParameterValue>
) -> OSStatus {
  guard let unit = unsafe UnitObject.find(inUnit) else { return kAudio_ParamError }
  let place = ParameterPlace(id: inID, scope: inScope, element: inElement)
  return status { () throws(StatusError) in
    let initial = try unit.initialValue(of: place)
    unsafe outValue.pointee = unit.state.withLock { $0.parameters[place] } ?? initial
  }
}

/// Sets a parameter; the sound changes smoothly during the next slice.
///
/// - Parameters:
///   - inUnit: the unit.
///   - inID: the parameter.
///   - inScope: the scope.
///   - inElement: the element.
///   - inValue: the value; a value out of range is replaced by the nearest one in range.
///   - inBufferOffsetInFrames: not used; the parameter changes with the next slice.
/// - Returns: 0; `kAudio_ParamError` if the unit is invalid or the value is not finite;
///   `kAudioUnitErr_InvalidParameter`; `kAudioUnitErr_InvalidElement`.
/// - Note: Any thread.
@discardableResult
public func AudioUnitSetParameter(
  _ inUnit: AudioUnit?, _ inID: AudioUnitParameterID, _ inScope: AudioUnitScope,
  _ inElement: AudioUnitElement, _ inValue: AudioUnitParameterValue,
  _ inBufferOffsetInFrames: UInt32
) -> OSStatus {
  guard let unit = unsafe UnitObject.find(inUnit), inValue.isFinite else {
    return kAudio_ParamError
  }
  let place = ParameterPlace(id: inID, scope: inScope, element: inElement)
  return status { () throws(StatusError) in
    _ = try unit.initialValue(of: place)
    let value = unit.bounded(inValue, at: place)
    unit.state.withLock { $0.parameters[place] = value }
    if inScope == kAudioUnitScope_Global { unit.player?.set(inID, to: value) }
  }
}

/// Starts an output on its device.
///
/// For a generic output and for a running output, the function does nothing.
///
/// - Parameter ci: the output.
/// - Returns: 0; `kAudio_ParamError` if the unit is invalid; `kAudioUnitErr_Uninitialized`;
///   `kAudioUnitErr_InvalidProperty` if the unit is not an output;
///   `kAudioUnitErr_FailedInitialization` if the output cannot be started.
/// - Note: Any thread.
@discardableResult
public func AudioOutputUnitStart(_ ci: AudioUnit?) -> OSStatus {
  guard let unit = unsafe UnitObject.find(ci) else { return kAudio_ParamError }
  return unit.start()
}

/// Stops an output; when the function returns, the device is silent.
///
/// - Parameter ci: the output.
/// - Returns: 0; `kAudio_ParamError` if the unit is invalid.
/// - Note: Any thread except a render thread.
@discardableResult
public func AudioOutputUnitStop(_ ci: AudioUnit?) -> OSStatus {
  guard let unit = unsafe UnitObject.find(ci) else { return kAudio_ParamError }
  unit.stop()
  return noErr
}
