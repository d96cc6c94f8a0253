// SPDX-License-Identifier: Apache-2.0
internal import CCoreAudio
internal import CoreAudioTypes
internal import Foundation

/// A function that is called when a sound is over, and where.
@safe
struct SoundCompletion: @unchecked Sendable {
  // Unchecked: whoever gave the pointer answers for the thread on which it is used.

  private let function: AudioServicesSystemSoundCompletionProc
  private let data: UnsafeMutableRawPointer?
  private let runLoop: RunLoop?
  private let mode: RunLoop.Mode

  @unsafe
  init(
    function: @escaping AudioServicesSystemSoundCompletionProc, data: UnsafeMutableRawPointer?,
    runLoop: CFRunLoop?, mode: CFString?
  ) {
    unsafe self.function = function
    unsafe self.data = data
    self.runLoop = runLoop
    self.mode = mode.map { RunLoop.Mode(rawValue: "\($0)") } ?? .default
  }

  /// Calls the function on its run loop, or here where no loop would ever call it.
  func call(_ sound: SystemSoundID) {
    let runs = runLoop ?? (RunLoop.main.currentMode == nil ? nil : RunLoop.main)
    guard let runs else { return unsafe function(sound, data) }
    runs.perform(inModes: [mode]) { [self] in unsafe function(sound, data) }
  }
}
