// SPDX-License-Identifier: Apache-2.0
public import CCoreAudio
public import CoreAudioTypes

/// Sets the function that is called whenever a sound stops; it replaces an earlier function.
///
/// - Parameters:
///   - inSystemSoundID: the sound.
///   - inRunLoop: the run loop that calls the function. If it is nil, the function is called on the
///     main run loop if that loop runs, otherwise on a queue.
///   - inRunLoopMode: the mode of the run loop; nil for the default mode.
///   - inCompletionRoutine: the function.
///   - inClientData: passed to the function as its second argument; may be nil.
/// - Returns: 0; `kAudioServicesSystemSoundUnspecifiedError` if the sound is invalid.
/// - Note: Any thread.
@discardableResult
public func AudioServicesAddSystemSoundCompletion(
  _ inSystemSoundID: SystemSoundID, _ inRunLoop: CFRunLoop?, _ inRunLoopMode: CFString?,
  _ inCompletionRoutine: @escaping AudioServicesSystemSoundCompletionProc,
  _ inClientData: UnsafeMutableRawPointer?
) -> OSStatus {
  let completion = unsafe SoundCompletion(
    function: inCompletionRoutine, data: inClientData, runLoop: inRunLoop, mode: inRunLoopMode)
  return SoundServer.shared.setCompletion(completion, of: inSystemSoundID)
    ? kAudioServicesNoError : kAudioServicesSystemSoundUnspecifiedError
}

/// Removes the function that was set with `AudioServicesAddSystemSoundCompletion`.
///
/// - Parameter inSystemSoundID: the sound; an invalid sound is ignored.
/// - Note: Any thread.
public func AudioServicesRemoveSystemSoundCompletion(_ inSystemSoundID: SystemSoundID) {
  _ = SoundServer.shared.setCompletion(nil, of: inSystemSoundID)
}
