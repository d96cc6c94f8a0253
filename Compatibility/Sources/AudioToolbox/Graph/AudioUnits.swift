public import CCoreAudio
// SPDX-License-Identifier: Apache-2.0
internal import CoreAudioHandles
internal import CoreAudioTypes
internal import Synchronization

/// Makes a unit ready to render.
///
/// - Parameter inUnit: the unit.
/// - Returns: 0; −50 for an invalid unit; `kAudioUnitErr_FailedInitialization` for an
///   instrument without a soundfont or a synthesiser.
/// - Note: Any thread but one that renders.
@discardableResult
public func AudioUnitInitialize(_ inUnit: AudioUnit?) -> OSStatus {
  guard let unit = unsafe UnitObject.find(inUnit) else { return kAudio_ParamError }
  return unit.initialize()
}

/// Frees what a unit renders with.
///
/// - Parameter inUnit: the unit.
/// - Returns: 0; −50 for an invalid unit.
/// - Note: Any thread but one that renders.
@discardableResult
public func AudioUnitUninitialize(_ inUnit: AudioUnit?) -> OSStatus {
  guard let unit = unsafe UnitObject.find(inUnit) else { return kAudio_ParamError }
  unit.uninitialize()
  return noErr
}

/// Ends what sounds of a unit.
///
/// - Parameters:
///   - inUnit: the unit.
///   - inScope: the scope; all of the unit is meant, whatever it is.
///   - inElement: the element.
/// - Returns: 0; −50 for an invalid unit.
/// - Note: Any thread.
@discardableResult
public func AudioUnitReset(
  _ inUnit: AudioUnit?, _ inScope: AudioUnitScope, _ inElement: AudioUnitElement
) -> OSStatus {
  guard let unit = unsafe UnitObject.find(inUnit) else { return kAudio_ParamError }
  unit.player?.silence()
  return noErr
}

/// Renders a slice: of two channels in floating point, a buffer each, or one buffer of both.
///
/// - Parameters:
///   - inUnit: the unit.
///   - ioActionFlags: handed on to those who are asked and told; nil for none.
///   - inTimeStamp: the slice's first frame.
///   - inOutputBusNumber: 0.
///   - inNumberFrames: its length, at most `kAudioUnitProperty_MaximumFramesPerSlice`.
///   - ioData: takes the sound; a buffer without memory is to point to the unit's.
/// - Returns: 0; −50 for an invalid unit, or a list that does not fit;
///   `kAudioUnitErr_Uninitialized`; `kAudioUnitErr_TooManyFramesToProcess`;
///   `kAudioUnitErr_InvalidElement`; `kAudioUnitErr_NoConnection` for an output that hears nothing;
///   what a function returned.
/// - Note: One thread at a time; real-time safe.
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

/// Has a function called before and after each slice.
///
/// - Parameters:
///   - inUnit: the unit.
///   - inProc: the function; its flags say which it is.
///   - inProcUserData: its first argument.
/// - Returns: 0; −50 for an invalid unit.
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

/// Ends what `AudioUnitAddRenderNotify` began.
///
/// - Parameters:
///   - inUnit: the unit.
///   - inProc: the function.
///   - inProcUserData: its first argument.
/// - Returns: 0, and where it was not there too; −50 for an invalid unit.
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

/// Reads a parameter.
///
/// - Parameters:
///   - inUnit: the unit.
///   - inID: the parameter.
///   - inScope: the scope.
///   - inElement: the element.
///   - outValue: takes the value.
/// - Returns: 0; −50 for an invalid unit; `kAudioUnitErr_InvalidParameter`;
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

/// Sets a parameter; what is heard goes over to it within a slice.
///
/// - Parameters:
///   - inUnit: the unit.
///   - inID: the parameter.
///   - inScope: the scope.
///   - inElement: the element.
///   - inValue: the value; out of the parameter's bounds the nearest of them counts.
///   - inBufferOffsetInFrames: has no effect: it is set for the next slice.
/// - Returns: 0; −50 for an invalid unit, and for a value that is not a number;
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

/// Plays a unit that is an output: on the device where it is one of a device.
///
/// - Parameter ci: the unit.
/// - Returns: 0; −50 for an invalid unit; `kAudioUnitErr_Uninitialized`;
///   `kAudioUnitErr_InvalidProperty` for a unit that is no output.
/// - Note: Any thread.
@discardableResult
public func AudioOutputUnitStart(_ ci: AudioUnit?) -> OSStatus {
  guard let unit = unsafe UnitObject.find(ci) else { return kAudio_ParamError }
  return unit.start()
}

/// Ends what `AudioOutputUnitStart` began.
///
/// - Parameter ci: the unit.
/// - Returns: 0; −50 for an invalid unit.
/// - Note: Any thread but one that renders.
@discardableResult
public func AudioOutputUnitStop(_ ci: AudioUnit?) -> OSStatus {
  guard let unit = unsafe UnitObject.find(ci) else { return kAudio_ParamError }
  unit.stop()
  return noErr
}
