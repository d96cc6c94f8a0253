// SPDX-License-Identifier: Apache-2.0
internal import CCoreAudio
internal import CCoreFoundation
internal import CoreAudioTypes
internal import CoreFoundation

/// A function that is called when a sound has ended, and the run loop that calls it.
@safe
struct SoundCompletion: @unchecked Sendable {
  // Unchecked: the caller that passed the pointer is responsible for the threads that use it.

  private let function: AudioServicesSystemSoundCompletionProc
  private let data: UnsafeMutableRawPointer?
  private let runLoop: CFRunLoop?
  private let mode: CFString

  @unsafe
  init(
    function: @escaping AudioServicesSystemSoundCompletionProc, data: UnsafeMutableRawPointer?,
    runLoop: CFRunLoop?, mode: CFString?
  ) {
    unsafe self.function = function
    unsafe self.data = data
    self.runLoop = runLoop
    self.mode = mode ?? CFRunLoopMode.defaultMode.rawValue
  }

  /// Calls the function on its run loop, or at once if it does not have one and the main loop does
  /// not run.
  func call(_ sound: SystemSoundID) {
    guard let loop = runLoop ?? Self.mainLoop else { return unsafe function(sound, data) }
    CFRunLoopPerformBlock(loop, mode) { [self] in unsafe function(sound, data) }
  }

  /// The main thread's run loop, or nil if it does not run.
  private static var mainLoop: CFRunLoop? {
    guard let main = CFRunLoopGetMain(), CoreAudioRunLoopRuns(main) else { return nil }
    return main
  }
}
