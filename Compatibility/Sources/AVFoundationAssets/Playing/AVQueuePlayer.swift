// SPDX-License-Identifier: Apache-2.0
internal import Foundation

/// A player that plays a queue of items in order.
///
/// - Note: Any thread.
open class AVQueuePlayer: AVPlayer, @unchecked Sendable {
  // Unchecked: the list is used under the lock.

  private var waiting: [AVPlayerItem] = []

  /// Creates a player for a queue of items.
  ///
  /// - Parameter items: The items, in the order of playback.
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

  /// Returns the current item and the items after it.
  ///
  /// - Returns: The items, in the order of playback.
  open func items() -> [AVPlayerItem] {
    lock.withLock { (state.item.map { [$0] } ?? []) + waiting }
  }

  /// Ends the current item, and plays the next one if the queue has one.
  open func advanceToNextItem() {
    let next = lock.withLock { waiting.isEmpty ? nil : waiting.removeFirst() }
    replaceCurrentItem(with: next)
  }

  /// Returns true if an item can be inserted.
  ///
  /// - Parameters:
  ///   - item: The item.
  ///   - afterItem: The item after which to insert; nil for the end of the queue.
  /// - Returns: False if the queue already contains the item, or does not contain `afterItem`.
  open func canInsert(_ item: AVPlayerItem, after afterItem: AVPlayerItem?) -> Bool {
    let all = items()
    return !all.contains { $0 === item }
      && (afterItem.map { after in all.contains { $0 === after } } ?? true)
  }

  /// Inserts an item into the queue, unless `canInsert` returns false for it.
  ///
  /// - Parameters:
  ///   - item: The item.
  ///   - afterItem: The item after which to insert; nil for the end of the queue.
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

  /// Removes an item from the queue.
  ///
  /// If it is the current item, playback continues with the next one.
  ///
  /// - Parameter item: The item.
  open func remove(_ item: AVPlayerItem) {
    if currentItem === item { return advanceToNextItem() }
    lock.withLock { waiting.removeAll { $0 === item } }
  }

  /// Removes all items, and stops playback.
  open func removeAllItems() {
    lock.withLock { waiting = [] }
    replaceCurrentItem(with: nil)
  }

  override func itemDidEnd(_ item: AVPlayerItem) {
    if actionAtItemEnd == .advance, currentItem === item { advanceToNextItem() }
  }
}
