// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import Synchronization

/// A clock's name, as an object that lives until the name changes.
final class ClockName: Sendable {
  private struct Box: @unchecked Sendable {
    // Unchecked: this copy never changes.
    let string: NSString?
  }

  private let box = Mutex(Box(string: nil))

  var string: NSString? { box.withLock { $0.string } }

  func set(_ string: NSString?) {
    let copy = Box(string: string.map { NSString(string: "\($0)") })
    box.withLock { $0 = copy }
  }
}
