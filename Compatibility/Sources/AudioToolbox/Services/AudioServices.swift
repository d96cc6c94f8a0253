// SPDX-License-Identifier: Apache-2.0
internal import AudioToolboxFiles
public import CCoreAudio
internal import CoreAudioHandles
public import CoreAudioTypes
internal import Foundation

/// Reads a sound file into memory, to be played at any time.
///
/// Every format that libsndfile reads will do, of up to 30 seconds.
///
/// - Parameters:
///   - inFileURL: the file.
///   - outSystemSoundID: takes the sound's number; 0 where there is none.
/// - Returns: 0; −1500 where the file cannot be read; −1502 where it lasts more than 30 seconds.
/// - Note: Any thread.
@discardableResult
public func AudioServicesCreateSystemSoundID(
  _ inFileURL: CFURL, _ outSystemSoundID: UnsafeMutablePointer<SystemSoundID>
) -> OSStatus {
  unsafe outSystemSoundID.pointee = 0
  guard let path = (inFileURL as URL).fileName else {
    return kAudioServicesSystemSoundUnspecifiedError
  }
  do {
    unsafe outSystemSoundID.pointee = try SoundServer.shared.add(path: path)
    return kAudioServicesNoError
  } catch {
    return SoundServer.status(of: error)
  }
}

/// Lets a sound go; where it sounds it is heard to its end.
///
/// - Parameter inSystemSoundID: the sound.
/// - Returns: 0; −1500 for an invalid sound.
/// - Note: Any thread.
@discardableResult
public func AudioServicesDisposeSystemSoundID(_ inSystemSoundID: SystemSoundID) -> OSStatus {
  SoundServer.shared.remove(inSystemSoundID)
    ? kAudioServicesNoError : kAudioServicesSystemSoundUnspecifiedError
}

/// Plays a sound at once; where it cannot be played nothing happens, but that its completion is
/// called.
///
/// - Parameter inSystemSoundID: the sound.
/// - Note: Any thread.
public func AudioServicesPlaySystemSound(_ inSystemSoundID: SystemSoundID) {
  SoundServer.shared.play(inSystemSoundID)
}

/// Plays a sound at once, as an alert.
///
/// - Parameter inSystemSoundID: the sound.
/// - Note: Any thread.
public func AudioServicesPlayAlertSound(_ inSystemSoundID: SystemSoundID) {
  SoundServer.shared.play(inSystemSoundID, asAlert: true)
}

/// Plays a sound at once and calls a block when it is over, whether it was heard or not.
///
/// - Parameters:
///   - inSystemSoundID: the sound.
///   - inCompletionBlock: called once, on a serial queue.
/// - Note: Any thread.
public func AudioServicesPlaySystemSoundWithCompletion(
  _ inSystemSoundID: SystemSoundID, _ inCompletionBlock: (() -> Void)?
) {
  SoundServer.shared.play(inSystemSoundID, inCompletionBlock)
}

/// Plays a sound at once, as an alert, and calls a block when it is over, whether it was heard or
/// not.
///
/// - Parameters:
///   - inSystemSoundID: the sound.
///   - inCompletionBlock: called once, on a serial queue.
/// - Note: Any thread.
public func AudioServicesPlayAlertSoundWithCompletion(
  _ inSystemSoundID: SystemSoundID, _ inCompletionBlock: (() -> Void)?
) {
  SoundServer.shared.play(inSystemSoundID, asAlert: true, inCompletionBlock)
}
