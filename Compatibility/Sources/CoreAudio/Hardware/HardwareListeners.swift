// SPDX-License-Identifier: Apache-2.0
internal import CoreAudioTypes
internal import Dispatch
internal import Synchronization

/// A function of a program that is called when a property changes.
struct HardwareListener: @unchecked Sendable {
  // Unchecked: the program chooses the queue on which its function is called.

  /// The object and its property, with wildcards.
  let object: AudioObjectID
  let address: AudioObjectPropertyAddress
  /// The function and its value as numbers; nil for a block.
  let function: [Int]?
  /// The queue that it is called on.
  let queue: DispatchQueue
  /// Calls it with the property that has changed.
  let call: (AudioObjectID, AudioObjectPropertyAddress) -> Void

  /// The queue for functions, and for blocks without a queue.
  static let ownQueue = DispatchQueue(label: "CoreAudio.listeners")

  private static let all = Mutex<[HardwareListener]>([])

  /// Adds the listener.
  func add() {
    Self.all.withLock { $0.append(self) }
    HardwareWatch.start()
  }

  /// Removes the first listener that was added for the same property and function; for a block, the
  /// first block on the queue, because blocks cannot be compared in Swift.
  ///
  /// - Returns: true if there was one.
  static func remove(
    _ object: AudioObjectID, _ address: AudioObjectPropertyAddress, function: [Int]?,
    queue: DispatchQueue
  ) -> Bool {
    all.withLock { listeners in
      guard
        let place = listeners.firstIndex(where: {
          $0.object == object && $0.address.isEqual(to: address) && $0.function == function
            && $0.queue === queue
        })
      else { return false }
      listeners.remove(at: place)
      return true
    }
  }

  /// Tests if no listeners are left.
  static var isNoneLeft: Bool { all.withLock { $0.isEmpty } }

  /// Calls the listeners of a property, each on its queue.
  static func notify(_ object: AudioObjectID, _ selector: AudioObjectPropertySelector) {
    let address = AudioObjectPropertyAddress(
      mSelector: selector, mScope: kAudioObjectPropertyScopeGlobal,
      mElement: kAudioObjectPropertyElementMain)
    let called = all.withLock { listeners in
      listeners.filter { $0.object == object && $0.address.includes(address) }
    }
    for listener in called { listener.queue.async { listener.call(object, address) } }
  }
}

extension AudioObjectPropertyAddress {
  fileprivate func isEqual(to other: AudioObjectPropertyAddress) -> Bool {
    mSelector == other.mSelector && mScope == other.mScope && mElement == other.mElement
  }

  /// Tests if the change is of this property; the scope is not compared.
  fileprivate func includes(_ change: AudioObjectPropertyAddress) -> Bool {
    mSelector == change.mSelector || mSelector == kAudioObjectPropertySelectorWildcard
  }
}
