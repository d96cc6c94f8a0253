// SPDX-License-Identifier: Apache-2.0
public import CCoreAudio
public import CoreAudioTypes

/// Has a function called whenever a sound is over; a sound has one at most.
///
/// - Parameters:
///   - inSystemSoundID: the sound.
///   - inRunLoop: the run loop that calls; nil for the main one where it runs, and for a queue of
///     the service's where it does not, so that the call comes in any case.
///   - inRunLoopMode: the mode in which it calls; nil for the default.
///   - inCompletionRoutine: the function.
///   - inClientData: its second argument.
/// - Returns: 0; −1500 for an invalid sound.
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

/// Ends what `AudioServicesAddSystemSoundCompletion` began.
///
/// - Parameter inSystemSoundID: the sound; nothing happens where there is none.
/// - Note: Any thread.
public func AudioServicesRemoveSystemSoundCompletion(_ inSystemSoundID: SystemSoundID) {
  _ = SoundServer.shared.setCompletion(nil, of: inSystemSoundID)
}
