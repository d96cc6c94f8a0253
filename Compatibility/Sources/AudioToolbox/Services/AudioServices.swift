// SPDX-License-Identifier: Apache-2.0
internal import AudioToolboxFiles
public import CCoreAudio
internal import CoreAudioHandles
public import CoreAudioTypes
internal import Foundation

/// Reads a sound file into memory.
///
/// Every format that libsndfile reads is accepted, up to 30 s of sound.
///
/// - Parameters:
///   - inFileURL: the file.
///   - outSystemSoundID: receives the sound's number, or 0 after an error.
/// - Returns: 0; `kAudioServicesSystemSoundUnspecifiedError` if the file cannot be read;
///   `kAudioServicesSystemSoundExceededMaximumDurationError` if it is longer than 30 s.
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

/// Frees a sound; if it is playing, it plays to its end.
///
/// - Parameter inSystemSoundID: the sound.
/// - Returns: 0; `kAudioServicesSystemSoundUnspecifiedError` if the sound is invalid.
/// - Note: Any thread.
@discardableResult
public func AudioServicesDisposeSystemSoundID(_ inSystemSoundID: SystemSoundID) -> OSStatus {
  SoundServer.shared.remove(inSystemSoundID)
    ? kAudioServicesNoError : kAudioServicesSystemSoundUnspecifiedError
}

/// Plays a sound.
///
/// If the sound cannot be played, its completion function is called at once.
///
/// - Parameter inSystemSoundID: the sound.
/// - Note: Any thread.
public func AudioServicesPlaySystemSound(_ inSystemSoundID: SystemSoundID) {
  SoundServer.shared.play(inSystemSoundID)
}

/// Plays a sound as an alert.
///
/// - Parameter inSystemSoundID: the sound.
/// - Note: Any thread.
public func AudioServicesPlayAlertSound(_ inSystemSoundID: SystemSoundID) {
  SoundServer.shared.play(inSystemSoundID, asAlert: true)
}

/// Plays a sound and calls a block after its end.
///
/// If the sound cannot be played, the block is called at once.
///
/// - Parameters:
///   - inSystemSoundID: the sound.
///   - inCompletionBlock: the block, which is called once, on a serial queue.
/// - Note: Any thread.
public func AudioServicesPlaySystemSoundWithCompletion(
  _ inSystemSoundID: SystemSoundID, _ inCompletionBlock: (() -> Void)?
) {
  SoundServer.shared.play(inSystemSoundID, inCompletionBlock)
}

/// Plays a sound as an alert and calls a block after its end.
///
/// If the sound cannot be played, the block is called at once.
///
/// - Parameters:
///   - inSystemSoundID: the sound.
///   - inCompletionBlock: the block, which is called once, on a serial queue.
/// - Note: Any thread.
public func AudioServicesPlayAlertSoundWithCompletion(
  _ inSystemSoundID: SystemSoundID, _ inCompletionBlock: (() -> Void)?
) {
  SoundServer.shared.play(inSystemSoundID, asAlert: true, inCompletionBlock)
}
