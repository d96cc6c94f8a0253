// SPDX-License-Identifier: Apache-2.0
internal import Foundation

/// Plays items one after another.
///
/// - Note: Any thread.
open class AVQueuePlayer: AVPlayer, @unchecked Sendable {
  // Unchecked: the list is used under the lock.

  private var waiting: [AVPlayerItem] = []

  /// Creates a player.
  ///
  /// - Parameter items: The items, in order.
  public convenience init(items: [AVPlayerItem]) {
    self.init()
    lock.withLock { waiting = items }
    advanceToNextItem()
  }

  /// Creates a player without items.
  override public init() {
    super.init()
    actionAtItemEnd = .advance
  }

  /// Returns the present item and those that follow.
  ///
  /// - Returns: The items, in order.
  open func items() -> [AVPlayerItem] {
    lock.withLock { (state.item.map { [$0] } ?? []) + waiting }
  }

  /// Ends the present item and plays the next one, if there is one.
  open func advanceToNextItem() {
    let next = lock.withLock { waiting.isEmpty ? nil : waiting.removeFirst() }
    replaceCurrentItem(with: next)
  }

  /// Returns true if an item can be added.
  ///
  /// - Parameters:
  ///   - item: The item.
  ///   - afterItem: An item of the queue; nil for the end.
  /// - Returns: False if the queue contains the item, or does not contain `afterItem`.
  open func canInsert(_ item: AVPlayerItem, after afterItem: AVPlayerItem?) -> Bool {
    let all = items()
    return !all.contains { $0 === item }
      && (afterItem.map { after in all.contains { $0 === after } } ?? true)
  }

  /// Adds an item; one that cannot be added is left out.
  ///
  /// - Parameters:
  ///   - item: The item.
  ///   - afterItem: The item before it; nil for the end of the queue.
  open func insert(_ item: AVPlayerItem, after afterItem: AVPlayerItem?) {
    guard canInsert(item, after: afterItem) else { return }
    let isFirst = lock.withLock {
      let place = waiting.firstIndex { $0 === afterItem }.map { $0 + 1 }
      let start = afterItem != nil && afterItem === state.item ? 0 : waiting.count
      waiting.insert(item, at: place ?? start)
      return state.item == nil
    }
    if isFirst { advanceToNextItem() }
  }

  /// Removes an item; the present one is followed by the next.
  ///
  /// - Parameter item: The item.
  open func remove(_ item: AVPlayerItem) {
    if currentItem === item { return advanceToNextItem() }
    lock.withLock { waiting.removeAll { $0 === item } }
  }

  /// Removes all items.
  open func removeAllItems() {
    lock.withLock { waiting = [] }
    replaceCurrentItem(with: nil)
  }

  override func itemDidEnd(_ item: AVPlayerItem) {
    if actionAtItemEnd == .advance, currentItem === item { advanceToNextItem() }
  }
}
