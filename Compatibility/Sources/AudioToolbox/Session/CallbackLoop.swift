// SPDX-License-Identifier: Apache-2.0
internal import CCoreFoundation
internal import CoreFoundation
package import Dispatch

/// Calls functions of programs: on the main run loop if it runs, otherwise on a queue.
package enum CallbackLoop {
  /// Calls a block.
  ///
  /// - Parameters:
  ///   - queue: The queue to use if the main run loop does not run; nil for the caller's thread.
  ///   - block: The block, called once.
  package static func perform(orOn queue: DispatchQueue?, _ block: @escaping @Sendable () -> Void) {
    if let main = CFRunLoopGetMain(), CoreAudioRunLoopRuns(main) {
      CFRunLoopPerformBlock(main, CFRunLoopMode.commonModes.rawValue, block)
    } else if let queue {
      queue.async(execute: block)
    } else {
      block()
    }
  }
}
